import pino from "pino";
import { Type } from "typebox";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { withoutRegularLooks } from "../../../test/harness/jobs.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/harness/postgres.ts";
import { openServices } from "../../app.ts";
import { readConfig } from "../../config.ts";
import type { Services } from "../../services.ts";
import { lockClasses } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import { cancel, enqueue } from "./enqueue.ts";
import { forgetFailedJobs } from "./forget-failed.ts";
import { defineJob, definePeriodicJob, type Job, type Run } from "./job.ts";
import { Rescuer, takeLease } from "./rescue.ts";
import { runDueJobs } from "./run-due-jobs.ts";
import { JobRunner } from "./runner.ts";

const HOUR_MS = 3600 * 1000;

let testDatabase: TestDatabase;
let one: Services;
let two: Services;
let lines: string[] = [];
interface Ran {
  node: Services;
  word: string;
  dueAt: Date;
}

/** What ran, in order. */
let ran: Ran[] = [];
/** What ran of the periodic jobs, apart: the full hour may pass during any test. */
let ranPeriodically: Ran[] = [];
/** What the job does. By default it only records that it ran. */
let act: (run: Run, node: Services) => Promise<void> = async () => {};
const runners: JobRunner[] = [];

const greet = defineJob({
  name: "greet",
  payload: Type.Object({ word: Type.String() }),
  attempts: 2,
  async run(node: Services, { word }, run) {
    ran.push({ node, word, dueAt: run.dueAt });
    await act(run, node);
  },
});

const strike = definePeriodicJob({
  name: "strike_the_hour",
  schedule: "0 * * * *",
  run: async (node: Services, { dueAt }) => {
    ranPeriodically.push({ node, word: "bong", dueAt });
  },
});

const sweep = definePeriodicJob({
  name: "sweep",
  schedule: "0 * * * *",
  isMadeUpFor: false,
  run: async (node: Services, { dueAt }) => {
    ranPeriodically.push({ node, word: "sweep", dueAt });
  },
});

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  one = await openNode();
  two = await openNode();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await one.database.transaction(({ client }) => client.query("delete from graphile_worker._private_jobs"));
  ran = [];
  ranPeriodically = [];
  lines = [];
  act = async () => {};
});

afterAll(async () => {
  await one.database.close();
  await two.database.close();
  await testDatabase.drop();
});

const jobs = [greet, strike, sweep];

async function openNode(): Promise<Services> {
  const config = readConfig({ PARLEY_ENV: "development", PARLEY_LOG: "silent" });
  const log = pino({ level: "trace" }, { write: (line: string) => lines.push(line) });
  return openServices(config, log, testDatabase.connection);
}

async function start(services: Services): Promise<JobRunner> {
  const runner = await JobRunner.start(services, jobs);
  runners.push(runner);
  return runner;
}

const ask = (word: string, options = {}, job: Pick<Job, "name" | "payload" | "attempts"> = greet) =>
  enqueue(one.database, job, { word }, options);
const words = () => ran.map(({ word }) => word);

interface Row {
  id: number;
  attempts: number;
  isFree: boolean;
  runAt: Date;
}

function rows(): Promise<Row[]> {
  return one.database.query<Row>(sql`
    select id, attempts, locked_by is null as "isFree", run_at as "runAt"
    from graphile_worker.jobs where task_identifier = 'greet' order by id`);
}

/**
 * The sessions that hold the lease of a node with a job. Other test files have nodes on the same server, and
 * the session of an earlier test's node may take a moment to end.
 */
function leaseHolders(): Promise<{ id: number }[]> {
  return one.database.query<{ id: number }>(sql`
    select lease.pid as id from graphile_worker.jobs job
    join pg_locks lease on lease.locktype = 'advisory' and lease.granted and lease.classid = ${lockClasses.lease}::oid
      and lease.database = (select oid from pg_database where datname = current_database())
      and lease.objid::bigint = (hashtext(job.locked_by)::bigint & 4294967295)`);
}

test("a job runs after the commit of the change that enqueued it", async () => {
  await start(one);
  const order: string[] = [];
  act = async () => void order.push("done");
  await one.database.transaction(async (tx) => {
    await enqueue(tx, greet, { word: "hello" });
    order.push("asked");
  });
  await expect.poll(() => ran).toHaveLength(1);
  expect(order).toEqual(["asked", "done"]);
  expect(words()).toEqual(["hello"]);
  await expect.poll(rows).toEqual([]);
});

test("a job that was enqueued in a change that is rolled back never runs", async () => {
  const change = one.database.transaction(async (tx) => {
    await enqueue(tx, greet, { word: "never" });
    throw new Error("no");
  });
  await expect(change).rejects.toThrow("no");
  await ask("after it");
  await runDueJobs(one, jobs);
  expect(words()).toEqual(["after it"]);
});

test("a job does not run before its time", async () => {
  await ask("later", { runAt: new Date(Date.now() + HOUR_MS) });
  await ask("now", { runAt: new Date() });
  await runDueJobs(one, jobs);
  expect(words()).toEqual(["now"]);
});

test("a job for later starts at its time, not at the next regular look", async () => {
  withoutRegularLooks();
  await start(one);
  await start(two);
  const late: number[] = [];
  act = async ({ dueAt }) => void late.push(Date.now() - dueAt.getTime());
  const from = Date.now();
  for (let half = 1; half <= 5; half++) await ask(`${half}`, { runAt: new Date(from + half * 500) });
  await expect.poll(() => ran).toHaveLength(5);
  expect(words().sort()).toEqual(["1", "2", "3", "4", "5"]);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
});

test("the timer for the next job is set to the job's very time", async () => {
  const timers = withoutRegularLooks();
  await start(one);
  const askedAt = Date.now();
  const runAt = askedAt + 300_000;
  await ask("later", { runAt: new Date(runAt) });
  // From the time of the job to the time at which the timer was set, which lies between these two.
  const isSet = () =>
    timers.mock.calls.some(([, ms = 0]) => ms >= runAt - Date.now() && ms <= runAt - askedAt + 1);
  await expect.poll(isSet).toBe(true);
});

test("a job that is moved to an earlier time starts at that time", async () => {
  withoutRegularLooks();
  await start(one);
  await ask("later", { runAt: new Date(Date.now() + HOUR_MS), key: "moved" });
  const late: number[] = [];
  act = async ({ dueAt }) => void late.push(Date.now() - dueAt.getTime());
  for (let tries = 0; tries < 3; tries++) {
    const runAt = new Date(Date.now() + 300);
    await ask("sooner", { runAt, key: "moved" });
    await expect.poll(() => late).toHaveLength(tries + 1);
  }
  expect(words()).toEqual(["sooner", "sooner", "sooner"]);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
});

test("of several jobs with one key only the last runs, and none after it was canceled", async () => {
  await ask("first", { key: "same" });
  await ask("second", { key: "same" });
  await ask("third", { key: "other" });
  await ask("fourth", { key: "gone" });
  await cancel(one.database, greet, "gone");
  await runDueJobs(one, jobs);
  expect(words().sort()).toEqual(["second", "third"]);
});

test("a failed job is retried after a backoff, and after the last try it stays as failed", async () => {
  act = async () => {
    throw new Error("the other side is down");
  };
  await ask("a secret");
  await runDueJobs(one, jobs);
  const [row] = await rows();
  expect(row).toMatchObject({ attempts: 1, isFree: true });
  // Not from now on: what came between may have taken longer.
  expect((row?.runAt.getTime() ?? 0) - (ran[0]?.dueAt.getTime() ?? 0)).toBeGreaterThan(1000);
  await one.database.query(
    sql`select from graphile_worker.reschedule_jobs(array[${row?.id}::bigint], now())`,
  );
  await runDueJobs(one, jobs);
  await runDueJobs(one, jobs);
  expect(words()).toEqual(["a secret", "a secret"]);
  expect(await rows()).toMatchObject([{ attempts: 2, isFree: true }]);
});

test("a job that has failed for good is deleted after a month", async () => {
  await Promise.all(["old", "recent", "waiting"].map((word) => ask(word)));
  const set = (change: string, word: string) =>
    one.database.transaction(({ client }) =>
      client.query(`update graphile_worker._private_jobs set ${change} where payload ->> 'word' = $1`, [
        word,
      ]),
    );
  await set("attempts = max_attempts, updated_at = now() - interval '31 days'", "old");
  await set("attempts = max_attempts, updated_at = now() - interval '29 days'", "recent");
  await set("updated_at = now() - interval '31 days'", "waiting");
  await forgetFailedJobs.run(one, {}, { signal: new AbortController().signal, dueAt: new Date() });
  expect((await rows()).map(({ attempts }) => attempts).sort()).toEqual([0, 2]);
});

test("a failure is logged with the job's name, and without its payload", async () => {
  act = async () => {
    throw new Error("the other side is down");
  };
  await start(one);
  await ask("a secret");
  await expect.poll(() => lines.join("")).toContain("will be tried again");
  expect(lines.join("")).toContain('"job":"greet"');
  expect(lines.join("")).toContain("the other side is down");
  expect(lines.join("")).not.toContain("a secret");
});

test("a payload that does not fit the job's declaration is neither enqueued nor run", async () => {
  const unchecked: Pick<Job, "name" | "payload" | "attempts"> = greet;
  await expect(enqueue(one.database, unchecked, { word: 7 })).rejects.toThrow("does not fit");
  expect(await rows()).toEqual([]);
  await one.database.query(sql`select from graphile_worker.add_job('greet', '{"word": 7}'::json)`);
  await runDueJobs(one, jobs);
  expect(ran).toEqual([]);
  expect(await rows()).toMatchObject([{ attempts: 1 }]);
});

test("two nodes share the work, and each job runs on one of them", async () => {
  const all = Array.from({ length: 60 }, (_, index) => `number ${index}`);
  const nodes = () => new Set(ran.map(({ node }) => node)).size;
  // The node that starts first could do all of it.
  act = () => expect.poll(nodes).toBe(2);
  await Promise.all(all.map((word) => ask(word)));
  await Promise.all([start(one), start(two)]);
  await expect.poll(() => ran.length).toBeGreaterThanOrEqual(all.length);
  await expect.poll(rows).toEqual([]);
  expect(words().sort()).toEqual(all.sort());
});

test("a periodic job runs once for each of its times on one node, also for times when no node was up", async () => {
  const now = Date.now();
  await one.database.query(sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since)
    values ('strike_the_hour', ${new Date(now - 3 * HOUR_MS)})
    on conflict (identifier) do update set known_since = excluded.known_since, last_execution = null`);
  await Promise.all([start(one), start(two)]);
  const times = [2, 1, 0].map((hours) => new Date(Math.floor(now / HOUR_MS - hours) * HOUR_MS));
  await expect.poll(() => ranPeriodically.length).toBeGreaterThanOrEqual(times.length);
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await Promise.all([start(one), start(two)]);
  await ask("the end");
  await expect.poll(words).toContain("the end");
  const struck = dueBefore(now, "bong").map(({ dueAt }) => dueAt.getTime());
  expect(struck.sort()).toEqual(times.map((time) => time.getTime()));
});

/** Without what is due at the full hours after `now`, one of which may pass during a test. */
function dueBefore(now: number, word: string) {
  const nextHour = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  return ranPeriodically.filter((each) => each.word === word && each.dueAt.getTime() < nextHour);
}

test("runs that were missed are not made up for where the next one does all that waits", async () => {
  const now = Date.now();
  for (const name of ["sweep", "strike_the_hour"]) {
    await one.database.query(sql`
      insert into graphile_worker._private_known_crontabs (identifier, known_since)
      values (${name}, ${new Date(now - 3 * HOUR_MS)})
      on conflict (identifier) do update set known_since = excluded.known_since, last_execution = null`);
  }
  await start(one);
  await expect
    .poll(() => ranPeriodically.filter(({ word }) => word === "bong").length)
    .toBeGreaterThanOrEqual(3);
  await ask("the end");
  await expect.poll(words).toContain("the end");
  expect(dueBefore(now, "sweep").length).toBeLessThanOrEqual(1);
});

describe("after the clock was wrong", () => {
  /** The false clock goes on by ticks, so on a busy machine its seconds are longer. */
  const PATIENCE_MS = 45_000;
  /** Not within minutes: PostgreSQL, whose clock stays right, would let the job of that time run. */
  const nextHour = () => Math.ceil(Date.now() / HOUR_MS + 0.1) * HOUR_MS;
  /** The times for which the periodic job waits. */
  const planned = async () => {
    const found = await one.database.query<{ at: Date }>(sql`
      select run_at as at from graphile_worker.jobs where task_identifier = 'sweep'`);
    return found.map(({ at }) => at.getTime());
  };
  const setClock = (time: number) => {
    vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true });
    vi.setSystemTime(time);
  };
  const know = (since: number, last: number | null) =>
    one.database.query(sql`
      insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
      values ('sweep', ${new Date(since)}, ${last === null ? null : new Date(last)})
      on conflict (identifier) do update
        set known_since = excluded.known_since, last_execution = excluded.last_execution`);
  afterEach(() => void vi.useRealTimers());

  test("a periodic job that has run in the future runs at its next time", async () => {
    const ahead = Date.now() + 400 * 24 * HOUR_MS;
    await know(ahead, ahead);
    const next = nextHour();
    setClock(next - 2000);
    await start(one);
    await expect.poll(planned, { timeout: PATIENCE_MS }).toContain(next);
  }, 60_000);

  test("and set back, periodic jobs are planned for the times of now", async () => {
    const next = nextHour();
    const wrong = next + 10 * HOUR_MS + 60_000;
    await know(wrong, null);
    setClock(wrong);
    await start(one);
    await ask("started");
    await expect.poll(words).toContain("started");
    setClock(next - 6000);
    await expect.poll(planned, { timeout: PATIENCE_MS }).toContain(next);
    expect(lines.join("")).toContain("the machine's clock was set to another time");
  }, 60_000);
});

test("a job that ends early when its node stops is run by another node at once", async () => {
  const runner = await start(one);
  act = ({ signal }, node) =>
    node === two
      ? Promise.resolve()
      : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  await ask("long");
  await expect.poll(() => ran).toHaveLength(1);
  await runner.stop();
  expect(await rows()).toMatchObject([{ attempts: 0, isFree: true }]);
  expect(lines.join("")).not.toContain("failed");
  await runDueJobs(two, jobs);
  expect(ran.map(({ node }) => node)).toEqual([one, two]);
});

test("a stop waits for a job that is about to end, but only for a few seconds", async () => {
  const runner = await start(one);
  let isEnded = false;
  act = async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    isEnded = true;
  };
  await ask("short");
  await expect.poll(() => ran).toHaveLength(1);
  await runner.stop();
  expect(isEnded).toBe(true);
  expect(await rows()).toEqual([]);

  const stubborn = await start(one);
  let end = () => {};
  act = () =>
    new Promise((resolve) => {
      end = resolve;
    });
  await ask("endless");
  await expect.poll(() => ran).toHaveLength(2);
  await stubborn.stop();
  // The job may still run here, so no other node may take it.
  expect(await rows()).toMatchObject([{ isFree: false }]);
  end();
});

test("the job of a dead node is run again by another, and the job of a living node is not", async () => {
  await ask("left behind");
  const other = await one.database.connect();
  await takeLease(other, "pool-of-another");
  await one.database.transaction(({ client }) =>
    client.query(
      "update graphile_worker._private_jobs set locked_by = 'pool-of-another', locked_at = now(), attempts = 1",
    ),
  );
  const rescuer = new Rescuer(two.database);
  const lookTwice = async () => {
    await rescuer.look();
    await rescuer.look();
  };
  await lookTwice();
  expect(await rows()).toMatchObject([{ isFree: false }]);
  await other.end();
  const look = async () => {
    await rescuer.look();
    return rows();
  };
  await expect.poll(look).toMatchObject([{ isFree: true }]);
  await runDueJobs(two, jobs);
  expect(words()).toEqual(["left behind"]);
});

test("a node whose connections are cut goes on, and keeps its jobs", async () => {
  await start(one);
  let end = () => {};
  act = () =>
    new Promise((resolve) => {
      end = resolve;
    });
  await ask("before");
  await expect.poll(() => ran).toHaveLength(1);
  const [first] = await leaseHolders();
  await one.database.query(sql`select pg_terminate_backend(${first?.id}::int)`);
  const rescuer = new Rescuer(two.database);
  await rescuer.look();
  await expect.poll(leaseHolders).toEqual([expect.not.objectContaining({ id: first?.id })]);
  await rescuer.look();
  expect(await rows()).toMatchObject([{ isFree: false }]);
  end();
  act = async () => {};
  await ask("after");
  await expect.poll(rows).toEqual([]);
  expect(words()).toEqual(["before", "after"]);
});

test("a job whose end could not be written runs again, and the node goes on working", async () => {
  const rename = (from: string, to: string) =>
    one.database.transaction(({ client }) =>
      client.query(`alter table graphile_worker.${from} rename to ${to}`),
    );
  await start(one);
  act = () => rename("_private_jobs", "hidden").then(() => {});
  await ask("once more");
  await expect.poll(() => lines.join("")).toContain("starting them again");
  act = async () => {};
  await rename("hidden", "_private_jobs");
  const rescuer = new Rescuer(two.database);
  const look = async () => {
    await rescuer.look();
    return ran;
  };
  await expect.poll(look, { interval: 200 }).toHaveLength(2);
  await ask("another");
  await expect.poll(() => ran).toHaveLength(3);
  expect(words()).toEqual(["once more", "once more", "another"]);
});
