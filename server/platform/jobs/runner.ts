/**
 * A node's part in the background work, over graphile-worker: it takes due jobs with SKIP LOCKED, so that each is taken by
 * one node, and wakes up by NOTIFY when there are new ones.
 *
 * The library frees a dead node's jobs after four hours only. Here a node that works holds a *lease*, an advisory lock in
 * the session that listens, which PostgreSQL lets go with the process; the other nodes free the jobs of whoever has none
 * (`rescue.ts`). A node that has lost its lease and can't get it back tells its jobs to end before others take them up.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Job as LibraryJob, Runner as LibraryRunner, TaskList } from "graphile-worker";
import type pg from "pg";
import type { TObject } from "typebox";
import { sql } from "../db/sql.ts";
import { cronItems } from "./cron.ts";
import type { Job, JobContext } from "./job.ts";
import { type Library, libraryOptions } from "./library.ts";
import { type Task, tasksOf } from "./perform.ts";
import { RESCUE_AFTER_MS, Rescuer, takeLease } from "./rescue.ts";

const CONCURRENCY = 3;
/** What was enqueued for later is noticed within this time; each of the workers looks. */
const POLL_MS = 5000;
/** One listens; the jobs themselves use the node's other connections. */
const CONNECTIONS = 4;
const RESTART_MS = 1000;
/** Of the five seconds that a stop may take. */
const FINISH_MS = 3000;

export class JobRunner {
  readonly #context: JobContext;
  readonly #tasks: readonly Task[];
  readonly #rescuer: Rescuer;
  readonly #givenBack: { id: string; attempts: number }[] = [];
  /** Ends the runs that heed it: at a stop, or when the lease is lost. */
  #interruption = new AbortController();
  #isStopping = false;
  #stopped: Promise<void> | undefined;
  #leaseLoss: NodeJS.Timeout | undefined;
  #runner: LibraryRunner | undefined;
  #library: Library | undefined;

  private constructor(context: JobContext, tasks: readonly Task[]) {
    this.#context = context;
    this.#tasks = tasks;
    this.#rescuer = new Rescuer(context.database);
  }

  static async start<C extends JobContext>(context: C, jobs: readonly Job<TObject, C>[]): Promise<JobRunner> {
    const runner = new JobRunner(context, tasksOf(context, jobs));
    await runner.#run();
    runner.#rescuer.start((error) => context.log.warn({ err: error }, "can't look for abandoned jobs"));
    return runner;
  }

  /** Takes no more jobs; those that run get some time to end, and what ends unfinished is there for others at once. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#leaseLoss);
    this.#rescuer.stop();
    this.#interruption.abort(new Interrupted());
    const stopped = this.#runner?.stop().catch(() => {});
    if (await Promise.race([stopped, sleep(FINISH_MS, "late", { ref: false })])) {
      this.#context.log.warn("a job did not end in time; it will be done again");
      // Its lock goes with the process. To free it now would let another node begin while it still runs here.
      void this.#library?.close();
      return;
    }
    await this.#giveBack();
    await this.#library?.close();
  }

  async #run(): Promise<void> {
    const { run } = await import("graphile-worker");
    const { log, database } = this.#context;
    // With connections of its own each time: a session that stayed open would keep the lease of one that has ended.
    const library = await libraryOptions(database, { connections: CONNECTIONS, log });
    const { events } = library.options;
    events.on("pool:listen:success", ({ workerPool, client }) => this.#lease(workerPool.id, client));
    events.on("pool:listen:error", () => this.#loseLease());
    events.on("job:error", ({ job, error }) => this.#report(job, error));
    try {
      this.#runner = await run({
        ...library.options,
        concurrency: CONCURRENCY,
        pollInterval: POLL_MS,
        taskList: this.#taskList(),
        parsedCronItems: await cronItems(this.#tasks),
      });
    } catch (error) {
      await library.close();
      throw error;
    }
    this.#library = library;
    this.#runner.promise.then(
      () => this.#runAgain(library, undefined),
      (error) => this.#runAgain(library, error),
    );
  }

  /** The library gives up when it could not write down that a job has ended. */
  async #runAgain(ended: Library, error: unknown): Promise<void> {
    if (this.#isStopping) return;
    await ended.close();
    for (let failure = error; ; ) {
      this.#context.log.error({ err: failure }, "background jobs have ended; they begin anew");
      await sleep(RESTART_MS, undefined, { ref: false });
      if (this.#isStopping) return;
      try {
        return await this.#run();
      } catch (next) {
        failure = next;
      }
    }
  }

  #taskList(): TaskList {
    return Object.fromEntries(
      this.#tasks.map((task) => [
        task.name,
        async (payload, { job: row }) => {
          const { signal } = this.#interruption;
          try {
            await task.perform(payload, { signal, dueAt: row.run_at });
          } catch (error) {
            if (this.#isStopping && signal.aborted) this.#givenBack.push(row);
            throw error;
          }
        },
      ]),
    );
  }

  #lease(poolId: string, client: pg.ClientBase): void {
    clearTimeout(this.#leaseLoss);
    this.#leaseLoss = undefined;
    // The library has its own first words to say in this session. One that breaks is reported to it, and it listens anew.
    client.once("drain", () => takeLease(client, poolId).catch(() => {}));
  }

  #loseLease(): void {
    this.#leaseLoss ??= setTimeout(() => {
      this.#interruption.abort(new Interrupted());
      this.#interruption = new AbortController();
    }, RESCUE_AFTER_MS / 2).unref();
  }

  #report(job: LibraryJob, error: unknown): void {
    if (error instanceof Interrupted) return;
    const { task_identifier: name, id, attempts, max_attempts: maxAttempts } = job;
    const isLast = attempts >= maxAttempts;
    this.#context.log[isLast ? "error" : "warn"](
      { err: error, job: name, id, attempts },
      isLast ? "a job has failed for good" : "a job has failed and will be tried again",
    );
  }

  /** An interruption is no failure: no pause, and no attempt lost. */
  async #giveBack(): Promise<void> {
    for (const { id, attempts } of this.#givenBack) {
      await this.#context.database
        .query(sql`
          select from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => ${attempts - 1}::int)`)
        .catch(() => {});
    }
  }
}

class Interrupted extends Error {
  override name = "Interrupted";
  override message = "the node is stopping";
}
