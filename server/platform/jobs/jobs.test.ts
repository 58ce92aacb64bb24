import { expect, test } from "vitest";
import { useJobNodes } from "../../../test/harness/job-nodes.ts";
import { withoutRegularLooks } from "../../../test/harness/jobs.ts";
import { sql } from "../db/sql.ts";
import { cancel, enqueue } from "./enqueue.ts";
import { forgetFailedJobs } from "./forget-failed.ts";
import type { Job } from "./job.ts";
import { runDueJobs } from "./run-due-jobs.ts";

const HOUR_MS = 3600 * 1000;

const jobNodes = useJobNodes();
const { greet, jobs, start, ask, words, rows } = jobNodes;

test("a job runs after the commit of the change that enqueued it", async () => {
  await start(jobNodes.one);
  const order: string[] = [];
  jobNodes.act = async () => void order.push("done");
  await jobNodes.one.database.transaction(async (tx) => {
    await enqueue(tx, greet, { word: "hello" });
    order.push("asked");
  });
  await expect.poll(() => jobNodes.ran).toHaveLength(1);
  expect(order).toEqual(["asked", "done"]);
  expect(words()).toEqual(["hello"]);
  await expect.poll(rows).toEqual([]);
});

test("a job that was enqueued in a change that is rolled back never runs", async () => {
  const change = jobNodes.one.database.transaction(async (tx) => {
    await enqueue(tx, greet, { word: "never" });
    throw new Error("no");
  });
  await expect(change).rejects.toThrow("no");
  await ask("after it");
  await runDueJobs(jobNodes.one, jobs);
  expect(words()).toEqual(["after it"]);
});

test("a job does not run before its time", async () => {
  await ask("later", { runAt: new Date(Date.now() + HOUR_MS) });
  await ask("now", { runAt: new Date() });
  await runDueJobs(jobNodes.one, jobs);
  expect(words()).toEqual(["now"]);
});

test("a job for later starts at its time, not at the next regular look", async () => {
  withoutRegularLooks();
  await start(jobNodes.one);
  await start(jobNodes.two);
  const late: number[] = [];
  jobNodes.act = async ({ dueAt }) => void late.push(Date.now() - dueAt.getTime());
  const from = Date.now();
  for (let half = 1; half <= 5; half++) await ask(`${half}`, { runAt: new Date(from + half * 500) });
  await expect.poll(() => jobNodes.ran).toHaveLength(5);
  expect(words().sort()).toEqual(["1", "2", "3", "4", "5"]);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
});

test("the timer for the next job is set to the job's very time", async () => {
  const timers = withoutRegularLooks();
  await start(jobNodes.one);
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
  await start(jobNodes.one);
  await ask("later", { runAt: new Date(Date.now() + HOUR_MS), key: "moved" });
  const late: number[] = [];
  jobNodes.act = async ({ dueAt }) => void late.push(Date.now() - dueAt.getTime());
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
  await cancel(jobNodes.one.database, greet, "gone");
  await runDueJobs(jobNodes.one, jobs);
  expect(words().sort()).toEqual(["second", "third"]);
});

test("a failed job is retried after a backoff, and after the last try it stays as failed", async () => {
  jobNodes.act = async () => {
    throw new Error("the other side is down");
  };
  await ask("a secret");
  await runDueJobs(jobNodes.one, jobs);
  const [row] = await rows();
  expect(row).toMatchObject({ attempts: 1, isFree: true });
  // Not from now on: what came between may have taken longer.
  expect((row?.runAt.getTime() ?? 0) - (jobNodes.ran[0]?.dueAt.getTime() ?? 0)).toBeGreaterThan(1000);
  await jobNodes.one.database.query(
    sql`select from graphile_worker.reschedule_jobs(array[${row?.id}::bigint], now())`,
  );
  await runDueJobs(jobNodes.one, jobs);
  await runDueJobs(jobNodes.one, jobs);
  expect(words()).toEqual(["a secret", "a secret"]);
  expect(await rows()).toMatchObject([{ attempts: 2, isFree: true }]);
});

test("a job that has failed for good is deleted after a month", async () => {
  await Promise.all(["old", "recent", "waiting"].map((word) => ask(word)));
  const set = (change: string, word: string) =>
    jobNodes.one.database.transaction(({ client }) =>
      client.query(`update graphile_worker._private_jobs set ${change} where payload ->> 'word' = $1`, [
        word,
      ]),
    );
  await set("attempts = max_attempts, updated_at = now() - interval '31 days'", "old");
  await set("attempts = max_attempts, updated_at = now() - interval '29 days'", "recent");
  await set("updated_at = now() - interval '31 days'", "waiting");
  await forgetFailedJobs.run(jobNodes.one, {}, { signal: new AbortController().signal, dueAt: new Date() });
  expect((await rows()).map(({ attempts }) => attempts).sort()).toEqual([0, 2]);
});

test("a failure is logged with the job's name, and without its payload", async () => {
  jobNodes.act = async () => {
    throw new Error("the other side is down");
  };
  await start(jobNodes.one);
  await ask("a secret");
  await expect.poll(() => jobNodes.lines.join("")).toContain("will be tried again");
  expect(jobNodes.lines.join("")).toContain('"job":"greet"');
  expect(jobNodes.lines.join("")).toContain("the other side is down");
  expect(jobNodes.lines.join("")).not.toContain("a secret");
});

test("a payload that does not fit the job's declaration is neither enqueued nor run", async () => {
  const unchecked: Pick<Job, "name" | "payload" | "attempts"> = greet;
  await expect(enqueue(jobNodes.one.database, unchecked, { word: 7 })).rejects.toThrow("does not fit");
  expect(await rows()).toEqual([]);
  await jobNodes.one.database.query(sql`select from graphile_worker.add_job('greet', '{"word": 7}'::json)`);
  await runDueJobs(jobNodes.one, jobs);
  expect(jobNodes.ran).toEqual([]);
  expect(await rows()).toMatchObject([{ attempts: 1 }]);
});

test("two nodes share the work, and each job runs on one of them", async () => {
  const all = Array.from({ length: 60 }, (_, index) => `number ${index}`);
  const nodes = () => new Set(jobNodes.ran.map(({ node }) => node)).size;
  // The node that starts first could do all of it.
  jobNodes.act = () => expect.poll(nodes).toBe(2);
  await Promise.all(all.map((word) => ask(word)));
  await Promise.all([start(jobNodes.one), start(jobNodes.two)]);
  await expect.poll(() => jobNodes.ran.length).toBeGreaterThanOrEqual(all.length);
  await expect.poll(rows).toEqual([]);
  expect(words().sort()).toEqual(all.sort());
});

test("a job that ends early when its node stops is run by another node at once", async () => {
  const runner = await start(jobNodes.one);
  jobNodes.act = ({ signal }, node) =>
    node === jobNodes.two
      ? Promise.resolve()
      : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  await ask("long");
  await expect.poll(() => jobNodes.ran).toHaveLength(1);
  await runner.stop();
  expect(await rows()).toMatchObject([{ attempts: 0, isFree: true }]);
  expect(jobNodes.lines.join("")).not.toContain("failed");
  await runDueJobs(jobNodes.two, jobs);
  expect(jobNodes.ran.map(({ node }) => node)).toEqual([jobNodes.one, jobNodes.two]);
});

test("a stop waits for a job that is about to end, but only for a few seconds", async () => {
  const runner = await start(jobNodes.one);
  let isEnded = false;
  jobNodes.act = async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    isEnded = true;
  };
  await ask("short");
  await expect.poll(() => jobNodes.ran).toHaveLength(1);
  await runner.stop();
  expect(isEnded).toBe(true);
  expect(await rows()).toEqual([]);

  const stubborn = await start(jobNodes.one);
  let end = () => {};
  jobNodes.act = () =>
    new Promise((resolve) => {
      end = resolve;
    });
  await ask("endless");
  await expect.poll(() => jobNodes.ran).toHaveLength(2);
  await stubborn.stop();
  // The job may still run here, so no other node may take it.
  expect(await rows()).toMatchObject([{ isFree: false }]);
  end();
});
