import type { Services } from "../../services.ts";
import { libraryOptions } from "./library.ts";
import { perform } from "./perform.ts";

/** Does all jobs that are due, one after another, and what they enqueue to be done at once: for tests and commands. */
export async function runDueJobs(services: Services): Promise<void> {
  const { runOnce } = await import("graphile-worker");
  const { options, close } = await libraryOptions(services.database, { connections: 2, log: services.log });
  const { signal } = new AbortController();
  options.events.on("job:error", ({ job, error }) =>
    services.log.warn({ err: error, job: job.task_identifier }, "a job has failed"),
  );
  try {
    await runOnce({
      ...options,
      concurrency: 1,
      taskList: Object.fromEntries(
        services.jobs.map((job) => [
          job.name,
          (payload, { job: row }) => perform(services, job, payload, { signal, dueAt: row.run_at }),
        ]),
      ),
    });
  } finally {
    await close();
  }
}
