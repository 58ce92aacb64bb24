/**
 * The worker processes that share one port. The parent accepts connections and hands them out in turn
 * (node:cluster's round robin). A client keeps its connection for hours, and the kernel wakes the process
 * that slept last. Without the parent, one process got four fifths of the connections. A worker that dies is
 * replaced. Its long polls get no answer, so clients poll again. Connections that were being handed to it go
 * to another worker.
 */
import cluster, { type Address, type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { SignInTexts } from "../config.ts";
import type { Reading } from "../platform/metrics/reading.ts";
import { ConnectionHandoff } from "./connection-handoff.ts";

/** The messages of a worker to the parent. node:cluster itself reports that the worker listens. */
export type FromWorker =
  | { ready: true }
  | { failed: Failure }
  | { news: unknown }
  /** Its event loop turns. */
  | { turned: true }
  | { metrics: readonly Reading[]; question: number };
/** The messages of the parent to a worker. */
export type ToWorker<Start> =
  | { start: Start; port: number; turnMs: number | undefined }
  | { stop: true }
  | { news: unknown }
  /** Settings that the parent has read again. */
  | { signIn: SignInTexts }
  /** Asks for metrics; the number is that of the question. */
  | { metrics: number };

/** The parts of an error that its explanation to people needs. */
export type Failure = Record<"name" | "message" | "stack" | "code" | "address" | "port" | "syscall", unknown>;

export interface WorkerPoolOptions<Start> {
  count: number;
  /** The program of a worker. */
  file: string;
  start: Start;
  /** 0 means any free port. All workers, and their replacements, listen on the same one. */
  port: number;
  /** How often a worker says that its event loop turns. undefined: never. */
  turnMs: number | undefined;
  log: Logger;
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5000;
/** A worker that ran for this long did not fail at its start. */
const STABLE_MS = 60_000;
/** How long workers may take to stop. They themselves give up after 4.5 s. */
const STOP_MS = 4000;

export class WorkerPool<Start> {
  readonly #options: WorkerPoolOptions<Start>;
  readonly #handoff: ConnectionHandoff;
  readonly #workers = new Set<Worker>();
  /** The workers that serve the port. */
  readonly #listening = new Set<Worker>();
  /** When the event loop of each of these turned last, by the clock of `performance`. */
  readonly #turnedAt = new WeakMap<Worker, number>();
  readonly #stop = new AbortController();
  /**
   * The port that workers are given. With 0, node:cluster gives a worker the port of the others, if there are
   * any.
   */
  #port: number;
  /** The port on which the first worker listened. */
  #foundPort: number | undefined;
  #deathsInARow = 0;

  constructor(options: WorkerPoolOptions<Start>) {
    this.#options = options;
    this.#handoff = new ConnectionHandoff(options.log);
    this.#port = options.port;
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ exec: options.file, args: [] });
  }

  /** Resolves with the port when all workers listen. Rejects with the reason if one can't. */
  async start(): Promise<number> {
    const ports = await Promise.all(Array.from({ length: this.#options.count }, () => this.#fork()));
    return ports[0] as number;
  }

  /** Tells all workers of settings that were read again. Later ones have them from their start. */
  tell(message: ToWorker<Start> & { signIn: SignInTexts }): void {
    for (const worker of this.#workers) this.#send(worker, message);
  }

  /** Whether the event loop of each worker that serves has turned in the last so many milliseconds. */
  haveTurned(withinMs: number): boolean {
    const since = performance.now() - withinMs;
    return [...this.#listening].every((worker) => (this.#turnedAt.get(worker) ?? 0) >= since);
  }

  /** Asks all workers to finish their requests, and waits until they have ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const timer = setTimeout(() => {
      for (const worker of this.#workers) worker.process.kill("SIGKILL");
    }, STOP_MS).unref();
    await Promise.all(
      [...this.#workers].map((worker) => {
        const exit = new Promise((resolve) => worker.once("exit", resolve));
        this.#send(worker, { stop: true });
        return exit;
      }),
    );
    clearTimeout(timer);
  }

  /** Starts a worker and resolves with its port. Once it has listened, it is replaced when it ends. */
  #fork(): Promise<number> {
    const { start, turnMs } = this.#options;
    const worker = cluster.fork();
    const startedAt = Date.now();
    this.#workers.add(worker);
    // Sending to a worker that has ended is an error; its "exit" event follows.
    worker.on("error", () => {});
    return new Promise((resolve, reject) => {
      let hasListened = false;
      let failure: Error | undefined;
      worker.on("message", (message: FromWorker) => {
        // A worker says when it is ready, since node:cluster drops messages that it does not listen for yet.
        if ("ready" in message) this.#send(worker, { start, turnMs, port: this.#port });
        else if ("failed" in message) failure = Object.assign(new Error(), message.failed);
        else if ("turned" in message) this.#turnedAt.set(worker, performance.now());
        else if ("news" in message) this.#forward(worker, message);
      });
      worker.once("listening", ({ port }: Address) => {
        this.#foundPort ??= port;
        hasListened = port === this.#foundPort;
        // With another port, the last of the other workers has just died, and the port that clients know with
        // it.
        if (hasListened) {
          this.#listening.add(worker);
          this.#turnedAt.set(worker, performance.now());
          resolve(port);
        } else worker.process.kill("SIGKILL");
      });
      const isServed = () => [...this.#listening].some((other) => other.isConnected());
      void this.#handoff.waitForEnd(worker, isServed).then(({ code, signal }) => {
        const reason = { pid: worker.process.pid, code, signal };
        if (hasListened) void this.#replace(reason, Date.now() - startedAt);
        else reject(failure ?? new Error(`A worker ended with ${signal ?? code} before it listened.`));
      });
      worker.once("exit", () => {
        this.#workers.delete(worker);
        this.#listening.delete(worker);
        if (this.#workers.size === 0) this.#port = this.#foundPort ?? this.#port;
      });
    });
  }

  async #replace(reason: object, livedMs: number): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#deathsInARow = livedMs < STABLE_MS ? this.#deathsInARow + 1 : 1;
    for (;;) {
      const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#deathsInARow - 1));
      this.#options.log.error({ ...reason, delayMs }, "a worker ended; another takes its place");
      await sleep(delayMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {});
      if (this.#stop.signal.aborted) return;
      try {
        await this.#fork();
        return;
      } catch (error) {
        this.#options.log.error({ err: error }, "a worker could not start");
        this.#deathsInARow++;
      }
    }
  }

  /** Forwards a message of one worker to the others. */
  #forward(sender: Worker, message: { news: unknown }): void {
    for (const worker of this.#workers) if (worker !== sender) this.#send(worker, message);
  }

  #send(worker: Worker, message: ToWorker<Start>): void {
    // The channel of a worker that is ending may be closed already.
    if (worker.isConnected()) worker.send(message);
  }
}
