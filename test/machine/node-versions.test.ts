/**
 * The server under later versions of Node than the one that runs the tests: it starts, sends, polls, survives
 * a kill and keeps a cluster of workers. `npm ci --prefix test/machine/node-versions` brings the versions.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { api, build, signIn, temporaryDirectory } from "../e2e/parley.ts";
import { killWorkerBeingHandedConnections } from "../e2e/worker-processes.ts";
import { environmentWithoutSettings } from "../harness/own-environment.ts";

const program = fileURLToPath(new URL("../../dist/program/main.js", import.meta.url));
const timeout = 120_000;

beforeAll(build);

function nodeOf(version: string): string {
  const path = fileURLToPath(new URL(`node-versions/node_modules/node-${version}/bin/node`, import.meta.url));
  if (!existsSync(path)) {
    throw new Error(`Node ${version} is missing: npm ci --prefix test/machine/node-versions brings it`);
  }
  return path;
}

interface Started {
  url: string;
  child: ChildProcess;
  errors(): string;
}

async function start(node: string, words: string[], dataDir: string): Promise<Started> {
  const child = spawn(node, [program, ...words], {
    env: {
      ...environmentWithoutSettings(),
      PARLEY_ENV: "development",
      PARLEY_PORT: "0",
      PARLEY_DATA_DIR: dataDir,
    },
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (text) => {
      output += text;
      const listening = /^listening on (http:\/\/\S+)$/m.exec(output)?.[1];
      if (listening) resolve(listening);
    });
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${errors}`)));
  });
  return { url, child, errors: () => errors };
}

async function say(server: Started, key: string, content: string): Promise<void> {
  const message = { type: "channel", to: "general", topic: "versions", content };
  const { status, body } = await api(server, "POST", "/messages", message, key);
  expect([status, body.msg]).toEqual([200, ""]);
}

/** Waits for the next message. */
async function hear(server: Started, key: string, queue: { queue_id: string; last_event_id: number }) {
  const { body } = await api(server, "GET", "/events", { ...queue }, key);
  return body.events.map((event: { message?: { content: string } }) => event.message?.content);
}

describe.each(["22", "24", "26"])("under Node %s", (version) => {
  test("the server starts, sends, polls, goes on after a kill, and runs with workers", {
    timeout,
  }, async () => {
    const node = nodeOf(version);
    const dataDir = temporaryDirectory();
    const first = await start(node, ["demo"], dataDir);
    const key = await signIn(first);
    const register = { event_types: ["message"], queue_lifespan_secs: 600 };
    const { body: queue } = await api(first, "POST", "/register", register, key);
    const polling = hear(first, key, { queue_id: queue.queue_id, last_event_id: queue.last_event_id });
    await say(first, key, "before the kill");
    expect(await polling).toEqual(["before the kill"]);
    first.child.kill("SIGKILL");
    await once(first.child, "exit");

    const second = await start(node, ["demo"], dataDir);
    await say(second, key, "after the kill");
    const heard: string[] = [];
    while (heard.length < 2) {
      heard.splice(0, heard.length, ...(await hear(second, key, queue)));
    }
    expect(heard).toEqual(["before the kill", "after the kill"]);
    second.child.kill("SIGTERM");
    expect(await once(second.child, "exit")).toEqual([0, null]);
    expect(second.errors()).not.toMatch(/deprecat|TypeError|unrecognized flag|collect garbage/i);

    const server = await start(node, ["serve", "--workers", "2"], dataDir);
    for (let count = 0; count < 6; count++) await say(server, key, `number ${count}`);
    expect(await killWorkerBeingHandedConnections(server)).toEqual(Array(6).fill(200));
    server.child.kill("SIGTERM");
    expect(await once(server.child, "exit")).toEqual([0, null]);
    // The version's cluster module works in the way that the server relies on.
    expect(server.errors()).not.toContain("node:cluster");
  });
});
