/** Two nodes on a database of their own, with a job that greets and two periodic ones. */
import pino from "pino";
import { Type } from "typebox";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { openServices } from "../../server/app.ts";
import { readConfig } from "../../server/config.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { enqueue } from "../../server/platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob, type Job, type Run } from "../../server/platform/jobs/job.ts";
import { JobRunner } from "../../server/platform/jobs/runner.ts";
import type { Services } from "../../server/services.ts";
import { createTestDatabase, type TestDatabase } from "./postgres.ts";

interface Ran {
  node: Services;
  word: string;
  dueAt: Date;
}

interface Row {
  id: number;
  attempts: number;
  isFree: boolean;
  runAt: Date;
}

type Act = (run: Run, node: Services) => Promise<void>;

/** Opens the nodes before the tests of a file, and closes them after. Each test begins without jobs. */
export function useJobNodes() {
  let testDatabase: TestDatabase;
  let one: Services;
  let two: Services;
  let lines: string[] = [];
  let ran: Ran[] = [];
  let ranPeriodically: Ran[] = [];
  let act: Act = async () => {};
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

  function rows(): Promise<Row[]> {
    return one.database.query<Row>(sql`
      select id, attempts, locked_by is null as "isFree", run_at as "runAt"
      from graphile_worker.jobs where task_identifier = 'greet' order by id`);
  }

  return {
    ...{ greet, jobs, runners, start, ask, words, rows },
    get one() {
      return one;
    },
    get two() {
      return two;
    },
    /** What the nodes have logged. */
    get lines() {
      return lines;
    },
    /** What ran, in order. */
    get ran() {
      return ran;
    },
    /** What ran of the periodic jobs, apart: the full hour may pass during any test. */
    get ranPeriodically() {
      return ranPeriodically;
    },
    /** What the job does. By default it only records that it ran. */
    get act() {
      return act;
    },
    set act(given: Act) {
      act = given;
    },
  };
}
