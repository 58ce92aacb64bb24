import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { findProcesses, makeCheckout, runCheckout } from "../../../test/harness/checkout.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./launcher.ts";
import { isRunning } from "./processes.ts";
import { makeTemporaryDirectory } from "./throw-away.ts";

let dir: string;
let dataDir: string;
let pidFile: string;
let running: EmbeddedPostgres[];
let children: ChildProcess[];

beforeAll(async () => {
  dir = makeTemporaryDirectory("parley-orphan-");
  dataDir = path.join(dir, "data");
  pidFile = path.join(dataDir, "postgres", "postmaster.pid");
  makeCheckout(dir);
  await (await startEmbeddedPostgres({ dataDir })).stop();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

beforeEach(() => {
  running = [];
  children = [];
});
afterEach(async () => {
  for (const postgres of running) await postgres.stop();
  for (const child of children) child.kill("SIGKILL");
});

test("a pid file of a process that has ended does not block a start", async () => {
  const child = spawnAsOwner("exit 0");
  await once(child, "exit");
  await leavePidFile(child.pid);
  await startAndQuery();
});

test("a pid file with the id of an unrelated process does not block a start, and the process lives on", async () => {
  const child = spawnAsOwner("echo ready; exec sleep 60");
  await firstLine(child);
  await leavePidFile(child.pid);
  await startAndQuery();
  expect(isRunning(child.pid ?? 0)).toBe(true);
});

test("a pid file with the id of a zombie does not block a start", async () => {
  // The shell executes a program that does not wait for the child that it inherits.
  const child = spawnAsOwner("sleep 0.2 & echo $!; exec sleep 60");
  const zombie = Number(await firstLine(child));
  await expect.poll(() => readFileSync(`/proc/${zombie}/stat`, "utf8")).toContain(") Z ");
  expect(() => process.kill(zombie, 0)).not.toThrow();
  expect(isRunning(zombie)).toBe(false);
  await leavePidFile(zombie);
  await startAndQuery();
});

test("a damaged pid file does not block a start", async () => {
  await leavePidFile("rubbish");
  await startAndQuery();
});

test("an empty pid file does not block a start", async () => {
  await leavePidFile(undefined);
  await startAndQuery();
});

test("a PostgreSQL that has outlived its server is stopped, and its data is served", async () => {
  const { pid, connection } = await leaveOrphan();
  await query(connection, "create table left_behind (id int); insert into left_behind values (1)");
  const postgres = await start();
  expect(isRunning(pid)).toBe(false);
  expect(await query(postgres.connection, "select id from left_behind")).toEqual([{ id: 1 }]);
});

test("a start waits for a session of a killed PostgreSQL that is still working", async () => {
  const { pid, connection } = await leaveOrphan();
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const session = rows[0]?.pid ?? 0;
  // The session counts without ever checking whether the server is alive.
  client.query("select count(*) from generate_series(1, 1000000000)").catch(() => {});
  await expect
    .poll(() => query(connection, `select state from pg_stat_activity where pid = ${session}`))
    .toEqual([{ state: "active" }]);
  process.kill(pid, "SIGKILL");
  const log: string[] = [];
  const starting = start((line) => log.push(line));
  await expect.poll(() => log.join()).toMatch(/pre-existing shared memory/);
  expect(isRunning(session)).toBe(true);
  process.kill(session, "SIGKILL");
  const postgres = await starting;
  expect(await query(postgres.connection, "select 1 as one")).toEqual([{ one: 1 }]);
  await client.end().catch(() => {});
});

/** Kills a server and its watcher at once, so that its PostgreSQL is left running. */
async function leaveOrphan(): Promise<{ pid: number; connection: EmbeddedPostgres["connection"] }> {
  const server = runCheckout(dir, dataDir);
  const connection = await server.next("connection");
  const pid = readPid();
  const watchers = findProcesses(path.join(dataDir, "postgres")).filter(({ command }) =>
    command.startsWith("/bin/sh -c"),
  );
  expect(watchers).toHaveLength(1);
  for (const watcher of watchers) process.kill(watcher.pid, "SIGKILL");
  server.child.kill("SIGKILL");
  await server.end;
  expect(isRunning(pid)).toBe(true);
  return { pid, connection };
}

/** Runs as the cluster's owner, since PostgreSQL treats a process that it may not signal as ended. */
function spawnAsOwner(script: string): ChildProcess {
  const { uid, gid } = statSync(path.join(dataDir, "postgres"));
  const user = process.getuid?.() === 0 ? { uid, gid } : {};
  const child = spawn("/bin/sh", ["-c", script], { ...user, cwd: "/", stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("no output");
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return line;
}

/** Leaves the file of a running server behind, with another id in its first line. */
async function leavePidFile(first: number | string | undefined): Promise<void> {
  const postgres = await start();
  const rest = readFileSync(pidFile, "utf8").split("\n").slice(1).join("\n");
  await postgres.stop();
  writeFileSync(pidFile, first === undefined ? "" : `${first}\n${rest}`, { mode: 0o600 });
}

async function startAndQuery(): Promise<void> {
  const postgres = await start();
  expect(await query(postgres.connection, "select 1 as one")).toEqual([{ one: 1 }]);
}

async function start(log?: (line: string) => void): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  running.push(postgres);
  return postgres;
}

async function query(connection: EmbeddedPostgres["connection"], text: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function readPid(): number {
  return Number.parseInt(readFileSync(pidFile, "utf8"), 10);
}
