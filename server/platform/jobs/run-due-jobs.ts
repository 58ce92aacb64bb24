import type { TObject } from "typebox";
import type { Job, JobContext } from "./job.ts";
import { libraryOptions } from "./library.ts";
import { loadLibrary } from "./load-library.ts";
import { tasksOf } from "./perform.ts";
import { countJobsByState } from "./store.ts";

/**
 * Runs all due jobs one after another, and the jobs that they enqueue as due at once. For tests and commands.
 */
export async function runDueJobs<C extends JobContext>(
  context: C,
  jobs: readonly Job<TObject, NoInfer<C>>[],
): Promise<void> {
  // To start the library takes a connection of its own, and far longer than to ask.
  if ((await countJobsByState(context.database)).due === 0) return;
  const { runOnce } = loadLibrary();
  const { options, close } = await libraryOptions(context.database, { connections: 2, log: context.log });
  const { signal } = new AbortController();
  options.events.on("job:error", ({ job, error }) =>
    context.log.warn({ err: error, job: job.task_identifier }, "a job has failed"),
  );
  try {
    await runOnce({
      ...options,
      concurrency: 1,
      taskList: Object.fromEntries(
        tasksOf(context, jobs).map((task) => [
          task.name,
          (payload, { job: row }) => task.perform(payload, { signal, dueAt: row.run_at }),
        ]),
      ),
    });
  } finally {
    await close();
  }
}
