/**
 * Two servers on one database. The first is stopped or cut off in the middle of a change, with locks that the
 * second needs. PostgreSQL ends such a change after eight seconds, so that the others go on.
 */
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import { DatabaseGate } from "../harness/database-gate.ts";
import { waitingSessionsOf } from "../harness/waiting.ts";
import {
  api,
  build,
  type Json,
  type Server,
  signIn,
  start,
  temporaryDirectory,
  usedDirectory,
} from "./parley.ts";

/** Ten seconds, and what a busy machine takes besides. */
const HELD_UP_MS = 10_000 + 5_000;
const timeout = 240_000;

let postgres: EmbeddedPostgres;
/** The servers share it, as they share the database. */
let files: string;
let gate: DatabaseGate;
/** Its connections go through the gate. */
let first: Server;
let second: Server;
/** It holds a lock, and another one watches who waits for it. */
let session: pg.Client;
let watcher: pg.Client;

beforeAll(build);

/** Everything ends with the test, in the reverse order. */
async function startBoth(): Promise<void> {
  const dataDir = await usedDirectory("demo");
  files = path.join(dataDir, "files");
  postgres = await startEmbeddedPostgres({ dataDir });
  onTestFinished(() => postgres.stop());
  gate = await DatabaseGate.open(postgres.connection);
  onTestFinished(() => gate.remove());
  session = await connect();
  watcher = await connect();
  first = await startOn(gate.connection.host as string);
  second = await startOn(postgres.connection.host as string);
  onTestFinished(() => {
    first.child.kill("SIGCONT");
    gate.reconnect();
  });
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(postgres.connection);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

function startOn(host: string): Promise<Server> {
  const { user, database } = postgres.connection;
  const env = {
    PARLEY_ENV: "development",
    PARLEY_PORT: "0",
    PARLEY_DATA_DIR: temporaryDirectory(),
    PARLEY_FILES: files,
    DATABASE_URL: `postgresql://${user}@${encodeURIComponent(host)}/${database}`,
  };
  return start(["serve"], { env });
}

const join = async (server: Server, name: string, key: string) =>
  api(server, "POST", "/users/me/subscriptions", { subscriptions: [{ name }] }, key);
/** A channel with one subscriber, whom the others may join. */
const make = (server: Server, name: string, key: string) =>
  together([api(server, "POST", "/channels/create", { name, subscribers: [], description: "" }, key)]);
const say = (server: Server, content: string, key: string) =>
  api(server, "POST", "/messages", { type: "channel", to: "general", topic: "locks", content }, key);

/**
 * Lets the first server begin a change, and stops it when its statement for this table waits. Then the
 * statement goes on, and the change stands still with all its locks.
 */
async function halt(
  table: string,
  begin: () => Promise<unknown>,
  stop: () => void,
): Promise<Promise<unknown>> {
  await session.query(`begin; lock table ${table} in share mode`);
  const begun = begin().catch((error) => error);
  const isWaiting = async () => {
    const waiting = await waitingSessionsOf(watcher);
    return waiting.some(({ statement }) => statement.toLowerCase().includes(`into ${table} `));
  };
  while (!(await isWaiting())) await sleep(20);
  stop();
  await session.query("commit");
  return begun;
}

/** Calls of the second server, and how long the slowest took. */
async function together(calls: readonly Promise<{ status: number; body: Json }>[]): Promise<number> {
  const startedAt = performance.now();
  for (const { status, body } of await Promise.all(calls)) expect([status, body.msg]).toEqual([200, ""]);
  return performance.now() - startedAt;
}

test("a server that is stopped in the middle of a change of the organization holds others up briefly", {
  timeout,
}, async () => {
  await startBoth();
  const [ben, elin] = await Promise.all([signIn(second, "ben@demo.test"), signIn(second, "elin@demo.test")]);
  const key = await signIn(first, "dev@demo.test");
  await make(second, "locks", elin);
  const begun = halt(
    "subscriptions",
    () => join(first, "locks", key),
    () => first.child.kill("SIGSTOP"),
  );
  await Promise.race([begun, sleep(3_000)]);
  const tookMs = await together([join(second, "locks", ben), say(second, "Does it go on?", ben)]);
  expect(tookMs).toBeLessThan(HELD_UP_MS);
  first.child.kill("SIGCONT");
  await begun;
  await together([say(first, "Here again", key)]);
});

test("a server that is stopped with the lock of the log holds senders up briefly", { timeout }, async () => {
  await startBoth();
  const elin = await signIn(second, "elin@demo.test");
  const key = await signIn(first, "dev@demo.test");
  const poll = "/poll Lunch?\nyes\nno";
  const begun = halt(
    "messages",
    () => say(first, poll, key),
    () => first.child.kill("SIGSTOP"),
  );
  await Promise.race([begun, sleep(3_000)]);
  expect(await together([say(second, "Still there?", elin)])).toBeLessThan(HELD_UP_MS);
  first.child.kill("SIGCONT");
  await begun;
  await together([say(first, "Here again", key)]);
});

test("a server whose network is cut holds others up briefly, refuses calls itself, and comes back", {
  timeout,
}, async () => {
  await startBoth();
  const elin = await signIn(second, "elin@demo.test");
  const ben = await signIn(second, "ben@demo.test");
  await make(second, "locks", elin);
  const key = await signIn(first, "dev@demo.test");
  const begun = halt(
    "subscriptions",
    () => join(first, "locks", key),
    () => gate.cutOff(),
  );
  await Promise.race([begun, sleep(3_000)]);
  expect(await together([join(second, "locks", ben), say(second, "Go on", ben)])).toBeLessThan(HELD_UP_MS);
  // What it can't know to be true any more, it does not tell.
  const { status } = await api(first, "GET", "/users/me", {}, key);
  expect(status).toBe(503);
  gate.reconnect();
  const comeBack = async () => (await say(first, "Here again", key)).status;
  await expect.poll(comeBack, { timeout: 40_000, interval: 500 }).toBe(200);
  await begun;
});
