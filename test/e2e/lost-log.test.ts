// Servers whose log can't be written: its disk is full, or nobody reads its pipe.
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { findProcesses } from "../harness/checkout.ts";
import {
  build,
  freePort,
  isRoot,
  run,
  start,
  temporaryDirectory,
  usedDirectory,
  waitUntil,
} from "./parley.ts";
import { workersOf } from "./worker-processes.ts";

beforeAll(build);

const kinds: [string, string[]][] = [
  ["one process", ["serve"]],
  ["several processes", ["serve", "--workers", "2"]],
];

function open(file: string, flags: number): number {
  const fd = openSync(file, flags);
  onTestFinished(() => closeSync(fd));
  return fd;
}

/** A pipe that is full: it has a reader, which does not read. */
function fullPipe(): number {
  const file = path.join(temporaryDirectory(), "pipe");
  execFileSync("mkfifo", [file]);
  return open(file, constants.O_RDWR | constants.O_NONBLOCK);
}

const isHealthy = (server: { url: string }) =>
  fetch(`${server.url}/health`, { signal: AbortSignal.timeout(1000) }).then(
    ({ ok }) => ok,
    () => false,
  );

async function killDatabase(dataDir: string): Promise<void> {
  for (const { pid } of findProcesses(path.join(dataDir, "postgres"))) process.kill(pid, "SIGKILL");
}

async function callOften(server: { url: string }, count: number): Promise<void> {
  for (let done = 0; done < count; done += 50) {
    await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${server.url}/api/v1/server_settings`).then((it) => it.text())),
    );
  }
}

test.each(kinds)(
  "a server on a full disk of the log heals its database, and stops, with %s",
  async (_, words) => {
    const dataDir = await usedDirectory("serve");
    const stderr = open("/dev/full", constants.O_WRONLY);
    const server = await start(words, {
      env: { PARLEY_DATA_DIR: dataDir },
      outputs: { stderr },
    });
    await killDatabase(dataDir);
    await waitUntil(() => isHealthy(server), "the server answers again");
    const { code, tookMs } = await server.stop();
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(5000);
  },
);

test.each(kinds)("a server whose log nobody reads answers, and stops, with %s", async (_, words) => {
  const env = {
    PARLEY_DATA_DIR: await usedDirectory("serve"),
    PARLEY_LOG: "debug",
    PARLEY_RATE_LIMITS: "off",
  };
  const server = await start(words, { env, outputs: { stderr: fullPipe() } });
  await callOften(server, 1500);
  expect(await isHealthy(server)).toBe(true);
  const { code, tookMs } = await server.stop();
  expect(code).toBe(0);
  expect(tookMs).toBeLessThan(5000);
});

test("a worker that dies is replaced, and the server stops, though nobody reads the log", async () => {
  const env = {
    PARLEY_DATA_DIR: await usedDirectory("serve"),
    PARLEY_LOG: "debug",
    PARLEY_RATE_LIMITS: "off",
  };
  const server = await start(["serve", "--workers", "2"], { env, outputs: { stderr: fullPipe() } });
  await callOften(server, 1500);
  const [victim, other] = workersOf(server) as [number, number];
  process.kill(victim, "SIGKILL");
  // The start of a process makes writes to what it inherits wait, for all who share that.
  await waitUntil(() => {
    const now = workersOf(server);
    return now.length === 2 && now.includes(other) && !now.includes(victim);
  }, "another takes its place");
  await callOften(server, 500);
  expect(await isHealthy(server)).toBe(true);
  const { code, tookMs } = await server.stop();
  expect(code).toBe(0);
  expect(tookMs).toBeLessThan(5000);
});

test("a log that is read again has the lines that were kept, and the number of those that were lost", async () => {
  const env = {
    PARLEY_DATA_DIR: await usedDirectory("serve"),
    PARLEY_LOG: "debug",
    PARLEY_RATE_LIMITS: "off",
  };
  const stderr = fullPipe();
  const server = await start(["serve"], { env, outputs: { stderr } });
  await callOften(server, 10_000);
  let text = "";
  const read = () => {
    const chunk = Buffer.alloc(65_536);
    try {
      text += chunk.subarray(0, readSync(stderr, chunk)).toString();
    } catch {
      // Nothing is there at the moment.
    }
    return text.includes("lines of the log were lost");
  };
  await waitUntil(read, "the count is written");
  const lines = text
    .slice(0, text.lastIndexOf("\n"))
    .split("\n")
    .map((line) => JSON.parse(line));
  const calls = lines.filter(({ msg }) => msg === "call").length;
  const loss = lines.find(({ msg }) => /were lost/.test(msg));
  expect(loss).toMatchObject({ code: "EAGAIN", level: 40 });
  expect(calls + loss.count).toBeGreaterThanOrEqual(10_000);
  await server.stop();
});

test("a server starts, serves and stops though its lines for people can't be written", async () => {
  const port = String(await freePort());
  const full = open("/dev/full", constants.O_WRONLY);
  const server = run(["serve"], {
    env: { PARLEY_DATA_DIR: await usedDirectory("serve"), PARLEY_PORT: port },
    outputs: { stdout: full, stderr: full },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(() => isHealthy({ url }), "the server answers");
  server.child.kill("SIGTERM");
  expect(await server.end).toEqual({ code: 0, signal: null });
});

test.runIf(isRoot)("room on the disk of the log ends the loss", async () => {
  const dir = temporaryDirectory();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=200k", "tmpfs", dir]);
  onTestFinished(() => void execFileSync("umount", [dir]));
  const file = path.join(dir, "log");
  execFileSync("dd", ["if=/dev/zero", `of=${path.join(dir, "rest")}`, "bs=1k", "count=150", "status=none"]);
  const stderr = openSync(file, "a");
  const env = {
    PARLEY_DATA_DIR: await usedDirectory("serve"),
    PARLEY_LOG: "debug",
    PARLEY_RATE_LIMITS: "off",
  };
  const server = await start(["serve"], { env, outputs: { stderr } });
  closeSync(stderr);
  await callOften(server, 10_000);
  expect(await isHealthy(server)).toBe(true);
  execFileSync("mount", ["-o", "remount,size=20m", dir]);
  await waitUntil(
    () => readFileSync(file, "utf8").includes("lines of the log were lost"),
    "the count is written",
  );
  await server.stop();
});
