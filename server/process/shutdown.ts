import type { Logger } from "pino";

/** The promise of a stop within five seconds, with some to spare for the process itself to go. */
const DEADLINE_MS = 4500;
/** npm passes Ctrl+C on to a process that has got it from the terminal already: both are the one wish. */
const SAME_SIGNAL_MS = 250;

const signals = { SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Why a server ends: it was asked to by a signal, or something failed. The first reason counts. From then on the process
 * is gone within five seconds, whatever still hangs; a second signal ends it at once. A PostgreSQL that could not be
 * stopped by then notices that we are gone and stops by itself.
 */
export class Shutdown {
  /** Resolves with the exit code. */
  readonly begun: Promise<number>;
  #begin: (code: number) => void = () => {};
  #begunAt: number | undefined;
  readonly #log: Logger;
  readonly #undo: (() => Promise<unknown>)[] = [];

  constructor(log: Logger, heeded: readonly (keyof typeof signals)[] = ["SIGINT", "SIGTERM"]) {
    this.#log = log;
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    for (const signal of heeded) process.on(signal, () => this.#hear(signal));
    // What can't be explained may have left memory wrong: nothing is answered from it any more.
    process.on("uncaughtException", (error) => this.fail(error, "an error that nobody handled"));
    process.on("unhandledRejection", (error) => this.fail(error, "a rejection that nobody handled"));
  }

  fail(error: unknown, message: string): void {
    this.#log.fatal({ err: error }, message);
    this.begin(1);
  }

  begin(code: number): void {
    if (this.#begunAt !== undefined) return;
    this.#begunAt = Date.now();
    setTimeout(() => {
      this.#log.warn("stopping took too long; what was left is given up");
      process.exit(code);
    }, DEADLINE_MS).unref();
    this.#begin(code);
  }

  /** Names what has to be stopped; `undoAll` does so in the opposite order. */
  onStop(stop: () => Promise<unknown>): void {
    this.#undo.push(stop);
  }

  /** What can't be stopped properly, such as a database that is gone, does not keep the rest from it. */
  async stopAll(): Promise<void> {
    for (const stop of this.#undo.reverse()) {
      try {
        await stop();
      } catch (error) {
        this.#log.warn({ err: error }, "something could not be stopped properly");
      }
    }
  }

  #hear(signal: keyof typeof signals): void {
    const isSecond = this.#begunAt !== undefined && Date.now() - this.#begunAt > SAME_SIGNAL_MS;
    if (isSecond) process.exit(128 + signals[signal]);
    this.begin(0);
  }
}
