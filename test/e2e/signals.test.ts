/** Signals that others send to reopen a log, to read settings again or to upgrade. */
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { json } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import {
  build,
  type Json,
  type Server,
  start,
  temporaryDirectory,
  usedDirectory,
  waitUntil,
} from "./parley.ts";
import { workersOf } from "./worker-processes.ts";

beforeAll(build);

const FIRST_KEY = "the first key of the tests, which has enough bytes";
const SECOND_KEY = "the second key of the tests, which has enough bytes";

/** What Node's debugger listens on. */
const isDebuggerOpen = () =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(9229, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.unref();
  });

function tokenOf(key: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ email: "ada@demo.test" })}`;
  return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
}

/** On a connection of its own, which the next worker in turn gets. */
async function signInByToken(
  server: Server,
  key: string,
): Promise<{ status: number | undefined; body: Json }> {
  const request = http.request(`${server.url}/api/v1/jwt/fetch_api_key`, {
    agent: false,
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  request.end(new URLSearchParams({ token: tokenOf(key) }).toString());
  return new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (response) => {
      json(response).then((body) => resolve({ status: response.statusCode, body: body as Json }), reject);
    });
  });
}

const linesWith = (server: Server, words: string) => server.stderr().split(words).length - 1;

describe.each([[["serve"]], [["serve", "--workers", "2"]]])("parley %j", (words) => {
  test("goes on after SIGUSR1 and SIGUSR2, and opens no debugger", async () => {
    const server = await start(words, { env: { PARLEY_DATA_DIR: await usedDirectory("serve") } });
    const processes = [server.child.pid as number, ...workersOf(server)];
    for (const pid of processes) for (const signal of ["SIGUSR1", "SIGUSR2"]) process.kill(pid, signal);
    for (const signal of ["SIGUSR1", "SIGUSR2"]) {
      await waitUntil(
        () => linesWith(server, `${signal} does nothing`) === processes.length,
        `each process has answered ${signal}`,
      );
    }
    expect(await isDebuggerOpen()).toBe(false);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0 });
    expect(server.stderr()).not.toContain("Debugger");
  });

  test("reads the files of settings again after SIGHUP, and keeps the old ones if a file is wrong", async () => {
    const file = path.join(temporaryDirectory(), "jwt.json");
    const write = (key: string) =>
      writeFileSync(file, JSON.stringify({ localhost: { key, algorithms: ["HS256"] } }));
    write(FIRST_KEY);
    const server = await start(words, {
      env: {
        PARLEY_DATA_DIR: await usedDirectory("demo"),
        PARLEY_ENV: "development",
        PARLEY_JWT: `@${file}`,
      },
    });
    const statuses = async (key: string) => {
      const answers = [await signInByToken(server, key), await signInByToken(server, key)];
      return answers.map(({ status }) => status);
    };
    expect(await statuses(FIRST_KEY)).toEqual([200, 200]);
    write(SECOND_KEY);
    for (const pid of workersOf(server)) process.kill(pid, "SIGHUP");
    server.child.kill("SIGHUP");
    await waitUntil(() => linesWith(server, "were read again") === 1, "the file is read again");
    await expect.poll(() => statuses(SECOND_KEY)).toEqual([200, 200]);
    expect(await statuses(FIRST_KEY)).toEqual([400, 400]);
    writeFileSync(file, "{");
    server.child.kill("SIGHUP");
    await waitUntil(() => linesWith(server, "nothing was changed") === 1, "the file is refused");
    expect(await statuses(SECOND_KEY)).toEqual([200, 200]);
    expect(server.stderr()).not.toContain(SECOND_KEY);
    const [victim] = workersOf(server);
    if (victim !== undefined) {
      process.kill(victim, "SIGKILL");
      await waitUntil(() => workersOf(server).filter((pid) => pid !== victim).length === 2, "another serves");
      await expect.poll(() => statuses(SECOND_KEY)).toEqual([200, 200]);
    }
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});
