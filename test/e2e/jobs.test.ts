import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { lockClasses } from "../../server/platform/db/locks.ts";
import { createTestDatabase, type TestDatabase } from "../harness/postgres.ts";
import { build, waitUntil } from "./parley.ts";

const dist = path.join(fileURLToPath(new URL("../..", import.meta.url)), "dist", "server");

/** A node that does nothing but jobs: it writes down each beginning, and in the first process never ends. */
const program = `
import { openServices, createLog } from "${dist}/app.js";
import { readConfig } from "${dist}/config.js";
import { sql } from "${dist}/platform/db/sql.js";
import { enqueue } from "${dist}/platform/jobs/enqueue.js";
import { defineJob } from "${dist}/platform/jobs/job.js";
import { JobRunner } from "${dist}/platform/jobs/runner.js";
import { Type } from "typebox";
const { connection, mayEnd, asks } = JSON.parse(process.env.NODE_TASK);
const config = readConfig({ PARLEY_ENV: "development", PARLEY_LOG: "silent" });
const services = await openServices(config, createLog(config), connection);
const work = defineJob({
  name: "work",
  payload: Type.Object({}),
  async run({ database }) {
    await database.query(sql\`insert into beginnings (process) values (\${process.pid})\`);
    if (!mayEnd) await new Promise(() => {});
  },
});
const runner = await JobRunner.start(services, [work]);
if (asks) await enqueue(services.database, work, {});
process.on("SIGTERM", async () => {
  await runner.stop();
  process.exit(0);
});
`;

let testDatabase: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  build();
  testDatabase = await createTestDatabase();
  client = new pg.Client(testDatabase.connection);
  await client.connect();
  await client.query("create table beginnings (process int)");
});

afterAll(async () => {
  await client.end();
  await testDatabase.drop();
});

function startNode(task: { mayEnd: boolean; asks: boolean }): ChildProcess {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: path.dirname(dist),
    env: {
      PATH: process.env.PATH,
      NODE_TASK: JSON.stringify({ ...task, connection: testDatabase.connection }),
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function beginnings(): Promise<number[]> {
  const { rows } = await client.query<{ process: number }>("select process from beginnings");
  return rows.map((row) => row.process);
}

/** How many nodes are there, of those that work on this database. */
async function leases(): Promise<number> {
  const { rows } = await client.query(
    `select from pg_locks where locktype = 'advisory' and granted and classid = $1::oid
      and database = (select oid from pg_database where datname = current_database())`,
    [lockClasses.lease],
  );
  return rows.length;
}

test("the job of a process that is killed is run by another within seconds", async () => {
  const first = startNode({ mayEnd: false, asks: true });
  await waitUntil(async () => (await beginnings()).length === 1, "the first process begins");
  const second = startNode({ mayEnd: true, asks: false });
  await waitUntil(async () => (await leases()) === 2, "both are there");
  first.kill("SIGKILL");
  await once(first, "exit");
  // A node is dead at the second look that misses it: ten seconds where nothing else has the processors.
  await waitUntil(async () => (await beginnings()).length === 2, "the second begins", 45_000);
  expect(await beginnings()).toEqual([first.pid, second.pid]);
  await waitUntil(
    async () => (await client.query("select from graphile_worker.jobs")).rows.length === 0,
    "the job is over",
  );
  second.kill("SIGTERM");
  expect(await once(second, "exit")).toEqual([0, null]);
});
