/**
 * Runs background jobs on a node, with graphile-worker. The library takes due jobs with SKIP LOCKED, so that
 * one node takes each job. NOTIFY wakes it when there are new jobs.
 *
 * The library itself frees the jobs of a dead node only after four hours. Here a working node holds a
 * *lease*: an advisory lock in the session that listens. PostgreSQL releases it when the process ends, and
 * other nodes then free the jobs of the node without a lease (`rescue.ts`). A node that has lost its lease
 * and can't get it back aborts its jobs before others take them.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Job as LibraryJob, Runner as LibraryRunner, TaskList, WorkerPool } from "graphile-worker";
import type pg from "pg";
import type { TObject } from "typebox";
import { ClockWatch } from "./clock-watch.ts";
import { cronItems } from "./cron.ts";
import { DueTimer } from "./due-timer.ts";
import type { Job, JobContext } from "./job.ts";
import { type Library, libraryOptions } from "./library.ts";
import { loadLibrary } from "./load-library.ts";
import { type Task, tasksOf } from "./perform.ts";
import { RESCUE_AFTER_MS, Rescuer, takeLease } from "./rescue.ts";
import { forgetFutureRuns, rescheduleJob } from "./store.ts";
import { TakenJobs } from "./taken-jobs.ts";

const CONCURRENCY = 3;
/** A job that becomes due starts within this time, even if `due-timer.ts` can't ask the database. */
export const POLL_MS = 5000;
/** One listens; the jobs themselves use the node's other connections. */
const CONNECTIONS = 4;
const RESTART_MS = 1000;
/** How long jobs may take to finish, out of the five seconds for a whole stop. */
const FINISH_MS = 3000;
/** How long the library may take to end once no job runs. */
const END_MS = 5000;

export class JobRunner {
  readonly #context: JobContext;
  readonly #tasks: readonly Task[];
  readonly #taken = new TakenJobs();
  readonly #rescuer: Rescuer;
  readonly #clock = new ClockWatch();
  readonly #givenBack: { id: string; attempts: number }[] = [];
  /** Another one was started in their place, or will be. */
  readonly #ended = new WeakSet<Library>();
  /** Aborts runs that check their signal, at a stop or when the lease is lost. */
  #interruption = new AbortController();
  #isStopping = false;
  #stopped: Promise<void> | undefined;
  #leaseLoss: NodeJS.Timeout | undefined;
  #runner: LibraryRunner | undefined;
  #library: Library | undefined;
  #dueTimer: DueTimer | undefined;

  private constructor(context: JobContext, tasks: readonly Task[]) {
    this.#context = context;
    this.#tasks = tasks;
    this.#rescuer = new Rescuer(context.database, this.#taken);
  }

  static async start<C extends JobContext>(context: C, jobs: readonly Job<TObject, C>[]): Promise<JobRunner> {
    const runner = new JobRunner(context, tasksOf(context, jobs));
    // The server answers requests meanwhile, so a database that is away is no reason to end it.
    await runner.#run().catch((error) => void runner.#retry(error));
    runner.#rescuer.start((error) => context.log.warn({ err: error }, "can't look for abandoned jobs"));
    runner.#clock.start((ms) => runner.#beginAtNow(ms));
    return runner;
  }

  /**
   * Takes no more jobs and waits a few seconds for running ones. Jobs that were aborted are due at once for
   * others.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#leaseLoss);
    this.#rescuer.stop();
    this.#clock.stop();
    this.#dueTimer?.stop();
    this.#interruption.abort(new Interrupted());
    const stopped = this.#runner?.stop().catch(() => {});
    if (await Promise.race([stopped, sleep(FINISH_MS, "late", { ref: false })])) {
      this.#context.log.warn("a job did not end in time; it will run again");
      // The job stays locked until the process ends. If it were freed now, another node could start it too.
      void this.#library?.close();
      return;
    }
    await this.#giveBack();
    await this.#library?.close();
  }

  async #run(): Promise<void> {
    const { run } = loadLibrary();
    const { log, database } = this.#context;
    // New connections each time: a session that stayed open would keep the lease of a runner that has ended.
    const library = await libraryOptions(database, { connections: CONNECTIONS, log });
    const { events } = library.options;
    events.on("pool:listen:success", ({ workerPool, client }) => {
      this.#taken.usePool(workerPool.id);
      this.#lease(workerPool.id, client);
      this.#watch(workerPool, client);
    });
    events.on("pool:listen:notification", () => this.#dueTimer?.look());
    events.on("pool:listen:error", () => this.#loseLease());
    events.on("job:error", ({ job, error }) => this.#report(job, error));
    const running = new Set<Promise<unknown>>();
    events.once("pool:gracefulShutdown", ({ message }) => void this.#endAfter(running, library, message));
    this.#mendFirstLook(library);
    try {
      this.#runner = await run({
        ...library.options,
        concurrency: CONCURRENCY,
        pollInterval: POLL_MS,
        taskList: this.#taskList(running),
        parsedCronItems: await cronItems(this.#tasks),
      });
    } catch (error) {
      this.#ended.add(library);
      await library.close();
      throw error;
    }
    this.#library = library;
    this.#runner.promise.then(
      () => this.#runAgain(library, undefined),
      (error) => this.#runAgain(library, error),
    );
    // The library has brought its tables to its own version by now.
    await forgetFutureRuns(database).catch((error) =>
      log.warn({ err: error }, "can't look for periodic jobs that ran while a clock was wrong"),
    );
  }

  /** Jobs that run go on to their end. Then the library is started again. */
  #beginAtNow(ms: number): void {
    this.#context.log.warn({ seconds: Math.round(ms / 1000) }, "the machine's clock was set to another time");
    void this.#runner?.stop().catch(() => {});
  }

  /**
   * At its first look for jobs the library asks for the numbers of their kinds, and keeps the answer. It
   * keeps a failure, too (`taskIdentifiers` of graphile-worker 0.17.3): each later look would fail by it.
   */
  #mendFirstLook(library: Library): void {
    const { events } = library.options;
    let hasLooked = false;
    const looked = () => {
      hasLooked = true;
    };
    events.once("worker:getJob:empty", looked);
    events.once("job:start", looked);
    events.on("worker:getJob:error", ({ error }) => {
      if (hasLooked || this.#ended.has(library)) return;
      void this.#runner?.stop().catch(() => {});
      void this.#runAgain(library, error);
    });
  }

  /**
   * The library waits for the writes of ends of jobs before it ends itself. When two of them have failed, it
   * counts what is left wrongly and waits for ever (`batch` of graphile-worker 0.17.3).
   */
  async #endAfter(running: ReadonlySet<Promise<unknown>>, library: Library, reason: string): Promise<void> {
    while (running.size > 0) await Promise.allSettled(running);
    await sleep(END_MS, undefined, { ref: false });
    await this.#runAgain(library, new Error(`the library of jobs did not end by itself: ${reason}`));
  }

  /** The library stops working when it could not write that a job has ended. So it is started again. */
  async #runAgain(ended: Library, error: unknown): Promise<void> {
    if (this.#isStopping || this.#ended.has(ended)) return;
    this.#ended.add(ended);
    this.#dueTimer?.stop();
    await ended.close();
    await this.#retry(error);
  }

  /** Starts the library again until it succeeds. */
  async #retry(error: unknown): Promise<void> {
    for (let failure = error; ; ) {
      this.#context.log.error({ err: failure }, "background jobs stopped; starting them again");
      await sleep(RESTART_MS, undefined, { ref: false });
      if (this.#isStopping) return;
      try {
        return await this.#run();
      } catch (next) {
        failure = next;
      }
    }
  }

  /** `running`: the jobs that run are kept there. */
  #taskList(running: Set<Promise<unknown>>): TaskList {
    return Object.fromEntries(
      this.#tasks.map((task) => [
        task.name,
        async (payload, { job }) => {
          const ended = this.#perform(task, payload, job);
          running.add(ended);
          await ended.finally(() => running.delete(ended));
        },
      ]),
    );
  }

  async #perform(task: Task, payload: unknown, row: LibraryJob): Promise<void> {
    this.#taken.begin(row);
    const { signal } = this.#interruption;
    try {
      await task.perform(payload, { signal, dueAt: row.run_at });
    } catch (error) {
      if (this.#isStopping && signal.aborted) this.#givenBack.push(row);
      throw error;
    }
  }

  #lease(poolId: string, client: pg.ClientBase): void {
    clearTimeout(this.#leaseLoss);
    this.#leaseLoss = undefined;
    // The library first sends statements of its own in this session. If the session breaks, the library gets
    // the error and listens in a new one, so the error here can be ignored.
    client.once("drain", () => takeLease(client, poolId).catch(() => {}));
  }

  /**
   * For each new session that listens. Its predecessor may have missed that jobs were added. The library
   * first sends its LISTEN in this session.
   */
  #watch(pool: WorkerPool, client: pg.ClientBase): void {
    this.#dueTimer?.stop();
    const timer = new DueTimer(this.#context.database, () => pool.nudge(CONCURRENCY));
    this.#dueTimer = timer;
    if (this.#isStopping) timer.stop();
    else client.once("drain", () => timer.look());
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

  /** An interruption is not a failure: the job is due at once, and the attempt does not count. */
  async #giveBack(): Promise<void> {
    for (const { id, attempts } of this.#givenBack) {
      await rescheduleJob(this.#context.database, id, attempts - 1).catch(() => {});
    }
  }
}

class Interrupted extends Error {
  override name = "Interrupted";
  override message = "the node is stopping";
}
