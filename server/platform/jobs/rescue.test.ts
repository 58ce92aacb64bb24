import { expect, test } from "vitest";
import { useJobNodes } from "../../../test/harness/job-nodes.ts";
import { lockClasses } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import { Rescuer, takeLease } from "./rescue.ts";
import { runDueJobs } from "./run-due-jobs.ts";
import { LOOKS, TakenJobs } from "./taken-jobs.ts";

const jobNodes = useJobNodes();
const { jobs, start, ask, words, rows } = jobNodes;

/**
 * The sessions that hold the lease of a node with a job. Other test files have nodes on the same server, and
 * the session of an earlier test's node may take a moment to end.
 */
function leaseHolders(): Promise<{ id: number }[]> {
  return jobNodes.one.database.query<{ id: number }>(sql`
    select lease.pid as id from graphile_worker.jobs job
    join pg_locks lease on lease.locktype = 'advisory' and lease.granted and lease.classid = ${lockClasses.lease}::oid
      and lease.database = (select oid from pg_database where datname = current_database())
      and lease.objid::bigint = (hashtext(job.locked_by)::bigint & 4294967295)`);
}

test("the job of a dead node is run again by another, and the job of a living node is not", async () => {
  await ask("left behind");
  const other = await jobNodes.one.database.connect();
  await takeLease(other, "pool-of-another");
  await jobNodes.one.database.transaction(({ client }) =>
    client.query(
      "update graphile_worker._private_jobs set locked_by = 'pool-of-another', locked_at = now(), attempts = 1",
    ),
  );
  const rescuer = new Rescuer(jobNodes.two.database);
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
  await runDueJobs(jobNodes.two, jobs);
  expect(words()).toEqual(["left behind"]);
});

test("a node whose connections are cut goes on, and keeps its jobs", async () => {
  await start(jobNodes.one);
  let end = () => {};
  jobNodes.act = () =>
    new Promise((resolve) => {
      end = resolve;
    });
  await ask("before");
  await expect.poll(() => jobNodes.ran).toHaveLength(1);
  const [first] = await leaseHolders();
  await jobNodes.one.database.query(sql`select pg_terminate_backend(${first?.id}::int)`);
  const rescuer = new Rescuer(jobNodes.two.database);
  await rescuer.look();
  await expect.poll(leaseHolders).toEqual([expect.not.objectContaining({ id: first?.id })]);
  await rescuer.look();
  expect(await rows()).toMatchObject([{ isFree: false }]);
  end();
  jobNodes.act = async () => {};
  await ask("after");
  await expect.poll(rows).toEqual([]);
  expect(words()).toEqual(["before", "after"]);
});

test("a job whose end could not be written runs again, and the node goes on working", async () => {
  const rename = (from: string, to: string) =>
    jobNodes.one.database.transaction(({ client }) =>
      client.query(`alter table graphile_worker.${from} rename to ${to}`),
    );
  await start(jobNodes.one);
  jobNodes.act = () => rename("_private_jobs", "hidden").then(() => {});
  await ask("once more");
  await expect.poll(() => jobNodes.lines.join("")).toContain("starting them again");
  jobNodes.act = async () => {};
  await rename("hidden", "_private_jobs");
  const rescuer = new Rescuer(jobNodes.two.database);
  const look = async () => {
    await rescuer.look();
    return jobNodes.ran;
  };
  await expect.poll(look, { interval: 200 }).toHaveLength(2);
  await ask("another");
  await expect.poll(() => jobNodes.ran).toHaveLength(3);
  expect(words()).toEqual(["once more", "once more", "another"]);
});

test("a job that a living node took without getting the answer runs, and its running job is left alone", async () => {
  await start(jobNodes.one);
  let end = () => {};
  jobNodes.act = () =>
    new Promise((resolve) => {
      end = resolve;
    });
  await ask("runs");
  await expect.poll(() => jobNodes.ran).toHaveLength(1);
  jobNodes.act = async () => {};
  const { database } = jobNodes.one;
  const [running] = await database.query<{ id: string; attempts: number; locked_by: string }>(sql`
    select id::text, attempts, locked_by from graphile_worker.jobs where locked_by is not null`);
  if (!running) throw new Error("no job runs");
  await ask("answer lost", { runAt: new Date(Date.now() + 3600 * 1000) });
  // It has two attempts, and none of them was made.
  await database.query(sql`
    update graphile_worker._private_jobs
    set run_at = now(), attempts = max_attempts, locked_at = now(), locked_by = ${running.locked_by}
    where locked_by is null`);
  const taken = new TakenJobs();
  taken.usePool(running.locked_by);
  taken.begin(running);
  for (let look = 1; look < LOOKS; look++) await taken.look(database);
  expect(words()).toEqual(["runs"]);
  await taken.look(database);
  await expect.poll(words).toEqual(["runs", "answer lost"]);
  await expect.poll(rows).toMatchObject([{ attempts: 1, isFree: false }]);
  end();
  await expect.poll(rows).toEqual([]);
  expect(words()).toEqual(["runs", "answer lost"]);
}, 60_000);
