import type { Logger } from "pino";
import { logLife } from "./announce-lines.ts";

/** A stop takes at most five seconds. The rest of that time is for the process itself to end. */
const DEADLINE_MS = 4500;
/** npm passes Ctrl+C on to a process that already got it from the terminal. Both signals count as one. */
const SAME_SIGNAL_MS = 250;
/** What a look at a file may take, before its file system is taken for one that hangs. */
const THREAD_MS = 250;

const signals = { SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Others send these to reopen a log or to upgrade. Node would open its debugger at the first, to everybody on
 * the machine, and end at the second.
 */
const ignored = ["SIGUSR1", "SIGUSR2"] as const;

/**
 * The shutdown of a server, begun by a signal or by a failure. The first reason gives the exit code. The
 * process then ends within five seconds, even if something hangs, and a second signal ends it at once. A
 * PostgreSQL that could not be stopped by then notices the end of this process and stops by itself.
 */
export class Shutdown {
  /** Resolves with the exit code. */
  readonly begun: Promise<number>;
  #begin: (code: number) => void = () => {};
  #begunAt: number | undefined;
  readonly #log: Logger;
  readonly #stops: (() => Promise<unknown>)[] = [];

  constructor(log: Logger, handled: readonly (keyof typeof signals)[] = ["SIGINT", "SIGTERM"]) {
    this.#log = log;
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    for (const signal of handled) process.on(signal, () => this.#handleSignal(signal));
    for (const signal of ignored) process.on(signal, () => log.info(`${signal} does nothing`));
    // An unexpected error may have left wrong state in memory, so no more requests are answered from it.
    process.on("uncaughtException", (error) => this.fail(error, "an uncaught error"));
    process.on("unhandledRejection", (error) => this.fail(error, "an unhandled rejection"));
  }

  /** The stop begins first, and so its deadline: nothing about the log may keep the process. */
  fail(error: unknown, message: string): void {
    this.begin(1);
    this.#log.fatal({ err: error }, message);
  }

  begin(code: number): void {
    if (this.#begunAt !== undefined) return;
    this.#begunAt = Date.now();
    setTimeout(() => {
      try {
        this.#log.warn("stopping took too long; the process ends now");
      } finally {
        endNow(code);
      }
    }, DEADLINE_MS).unref();
    this.#begin(code);
  }

  /** Registers a step of the shutdown. `stopAll` runs the steps in reverse order. */
  onStop(stop: () => Promise<unknown>): void {
    this.#stops.push(stop);
  }

  /**
   * Runs all steps. One that fails, because the database is gone for example, is logged, and the next ones
   * follow.
   */
  async stopAll(): Promise<void> {
    for (const stop of this.#stops.reverse()) {
      try {
        await stop();
      } catch (error) {
        this.#log.warn({ err: error }, "something could not be stopped properly");
      }
    }
  }

  /** Says how long the stop took. A server of several processes says it once. */
  logEnd(): void {
    if (this.#begunAt === undefined) return;
    const seconds = ((Date.now() - this.#begunAt) / 1000).toFixed(1);
    logLife(this.#log, `stopped after ${seconds} s`);
  }

  #handleSignal(signal: keyof typeof signals): void {
    const isSecond = this.#begunAt !== undefined && Date.now() - this.#begunAt > SAME_SIGNAL_MS;
    if (isSecond) {
      endNow(128 + signals[signal]);
      return;
    }
    const isFirst = this.#begunAt === undefined;
    this.begin(0);
    if (isFirst) logLife(this.#log, `${signal}: stopping`);
  }
}

/**
 * An exit waits for libuv's threads. One of them may hang in a file system that does not answer, and then
 * only SIGKILL ends the process. Most are done in a moment.
 */
function endNow(code: number): void {
  const isInThread = () => process.getActiveResourcesInfo().some((name) => /^FSReq|^GetAddrInfo/.test(name));
  if (!isInThread()) process.exit(code);
  setTimeout(() => {
    if (isInThread()) process.kill(process.pid, "SIGKILL");
    process.exit(code);
  }, THREAD_MS);
}
