import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type CheckoutProcess,
  findProcesses,
  makeCheckout,
  runCheckout,
} from "../../../test/harness/checkout.ts";
import { startEmbeddedPostgres } from "./launcher.ts";
import { isRunning, waitForEnd } from "./processes.ts";
import { makeTemporaryDirectory } from "./throw-away.ts";

let dir: string;
let dataDir: string;
let running: CheckoutProcess[];

beforeAll(async () => {
  dir = makeTemporaryDirectory("parley-supervise-");
  dataDir = path.join(dir, "data");
  makeCheckout(dir);
  await (await startEmbeddedPostgres({ dataDir })).stop();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

beforeEach(() => {
  running = [];
});
afterEach(async () => {
  for (const server of running) await server.stop();
});

test("the database ends after its server is killed, and the next start has everything that was stored", async () => {
  const first = run();
  const client = await connect(first);
  await client.query("create table stored (id int)");
  for (let id = 1; id <= 50; id++) await client.query("insert into stored values ($1)", [id]);
  const pid = readPid();
  first.child.kill("SIGKILL");
  expect(await waitForEnd(pid, 15_000)).toBe(true);
  const second = await connect(run());
  expect((await second.query("select count(*)::int as count from stored")).rows).toEqual([{ count: 50 }]);
});

test("a start right after a kill stops the old database by itself", async () => {
  const first = run();
  await connect(first);
  first.child.kill("SIGKILL");
  await first.end;
  const client = await connect(run());
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a database killed together with its server comes back with everything that was stored", async () => {
  const first = run();
  const client = await connect(first);
  await client.query("create table survived (id int)");
  await client.query("insert into survived select generate_series(1, 1000)");
  const pid = readPid();
  process.kill(pid, "SIGKILL");
  first.child.kill("SIGKILL");
  const second = await connect(run());
  expect((await second.query("select count(*)::int as count from survived")).rows).toEqual([{ count: 1000 }]);
});

test("Ctrl+C at a terminal leaves the database running until its server stops it", async () => {
  const server = run();
  const client = await connect(server);
  const pid = readPid();
  // A terminal sends the signal to every process of the group.
  process.kill(-(server.child.pid ?? 0), "SIGINT");
  expect(await server.next("signal")).toBe("SIGINT");
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  server.child.stdin?.write("go on\n");
  await server.end;
  expect(isRunning(pid)).toBe(false);
});

test("no process is left after a stop or a kill", async () => {
  const stopped = run();
  await connect(stopped);
  await stopped.stop();
  const killed = run();
  await connect(killed);
  killed.child.kill("SIGKILL");
  await expect.poll(() => findProcesses(dataDir)).toEqual([]);
});

test("a server killed while it creates its first database leaves nothing that blocks the next start", async () => {
  const fresh = path.join(dir, "fresh");
  const first = run(fresh);
  await expect.poll(() => findProcesses(`-D ${fresh}/postgres.new`).length).toBeGreaterThan(0);
  first.child.kill("SIGKILL");
  const second = await connect(run(fresh));
  expect((await second.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await expect.poll(() => findProcesses(`${fresh}/postgres.new`)).toEqual([]);
});

function run(place = dataDir): CheckoutProcess {
  const server = runCheckout(dir, place);
  running.push(server);
  return server;
}

async function connect(server: CheckoutProcess): Promise<pg.Client> {
  const client = new pg.Client(await server.next("connection"));
  client.on("error", () => {});
  await client.connect();
  return client;
}

function readPid(): number {
  return Number.parseInt(readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
}
