import { vi } from "vitest";
import { jobsOfModules } from "../../server/modules.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runDueJobs } from "../../server/platform/jobs/run-due-jobs.ts";
import { POLL_MS } from "../../server/platform/jobs/runner.ts";
import type { Services } from "../../server/services.ts";

/** Does all jobs that are due. */
export async function runJobs(services: Services): Promise<void> {
  await runDueJobs(services, jobsOf(services));
}

/** The jobs of a server with these services. */
export function jobsOf({ mailer }: Pick<Services, "mailer">) {
  return jobsOfModules(mailer);
}

/** Runs all jobs as if their time had come. Without `jobs` those of the server. */
export async function runJobsEarly(services: Services, jobs = jobsOf(services)): Promise<void> {
  await services.database.query(
    sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`,
  );
  await runDueJobs(services, jobs);
}

/** How many jobs of the name wait. */
export async function countJobs({ database }: Pick<Services, "database">, name: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*)::int as count from graphile_worker.jobs
    where task_identifier = ${name} and attempts < max_attempts`);
  return row?.count ?? 0;
}

/**
 * Runners that start from now on never look for due jobs by themselves, as otherwise every few seconds. So a
 * job that runs at its time was started by the timer for it. Returns all timers that are set, until
 * `vi.restoreAllMocks`.
 */
export function withoutRegularLooks() {
  const { setTimeout } = globalThis;
  const set = (work: () => void, ms?: number, ...args: []) =>
    setTimeout(work, ms === POLL_MS ? NEVER_MS : ms, ...args);
  return vi.spyOn(globalThis, "setTimeout").mockImplementation(set as typeof setTimeout);
}

const NEVER_MS = 2 ** 31 - 1;
