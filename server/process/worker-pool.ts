/**
 * The processes that share one port. The parent accepts connections and hands them out in turn (node:cluster's round
 * robin), since a client keeps its connection for hours: left to the kernel, which wakes whoever slept last, one process
 * got four fifths of them. A worker that dies is replaced. What it held was answered by nobody, and clients poll again;
 * what was under way to it is answered by another.
 */
import cluster, { type Address, type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { gone } from "./connection-handoff.ts";

/** What a worker says to the parent, besides that it listens (which node:cluster tells). */
export type FromWorker = { ready: true } | { failed: Failure } | { news: unknown };
/** And the parent to a worker. */
export type ToWorker<Start> = { start: Start; port: number } | { stop: true } | { news: unknown };

/** An error's parts, as far as its explanation to people needs them. */
export type Failure = Record<"name" | "message" | "stack" | "code" | "address" | "port" | "syscall", unknown>;

export interface WorkerPoolOptions<Start> {
  count: number;
  /** The program of a worker. */
  file: string;
  start: Start;
  /** 0: any. All workers listen on the same, and so do those that replace them. */
  port: number;
  log: Logger;
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5000;
/** A worker that lived so long was all right. */
const STEADY_MS = 60_000;
/** How long workers may take to stop: they themselves give up after 4.5 s. */
const STOP_MS = 4000;

export class WorkerPool<Start> {
  readonly #options: WorkerPoolOptions<Start>;
  readonly #workers = new Set<Worker>();
  /** Those of them that serve the port. */
  readonly #listening = new Set<Worker>();
  readonly #stop = new AbortController();
  /** What workers are told to listen on: 0 leads them to the port of the others as long as there are any. */
  #port: number;
  /** Where the first listened. */
  #foundPort: number | undefined;
  #deathsInARow = 0;

  constructor(options: WorkerPoolOptions<Start>) {
    this.#options = options;
    this.#port = options.port;
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ exec: options.file, args: [] });
  }

  /** Resolves with the port when all workers listen; rejects with the reason why one can't. */
  async start(): Promise<number> {
    const ports = await Promise.all(Array.from({ length: this.#options.count }, () => this.#fork()));
    return ports[0] as number;
  }

  /** Asks all workers to finish what they have, and waits until they are gone. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const timer = setTimeout(() => {
      for (const worker of this.#workers) worker.process.kill("SIGKILL");
    }, STOP_MS).unref();
    await Promise.all(
      [...this.#workers].map((worker) => {
        const gone = new Promise((resolve) => worker.once("exit", resolve));
        this.#tell(worker, { stop: true });
        return gone;
      }),
    );
    clearTimeout(timer);
  }

  /** Starts a worker, and sees to it that it has a successor once it has listened. Resolves with its port. */
  #fork(): Promise<number> {
    const worker = cluster.fork();
    const startedAt = Date.now();
    this.#workers.add(worker);
    // A message that finds the worker gone is followed by its exit.
    worker.on("error", () => {});
    return new Promise((resolve, reject) => {
      let hasListened = false;
      let failure: Error | undefined;
      worker.on("message", (message: FromWorker) => {
        // Not before: node:cluster drops what a worker does not listen for yet.
        if ("ready" in message) this.#tell(worker, { start: this.#options.start, port: this.#port });
        else if ("failed" in message) failure = Object.assign(new Error(), message.failed);
        else this.#passOn(worker, message);
      });
      worker.once("listening", ({ port }: Address) => {
        this.#foundPort ??= port;
        hasListened = port === this.#foundPort;
        // Else the last of the others died in this moment, and took the port that everybody knows with it.
        if (hasListened) {
          this.#listening.add(worker);
          resolve(port);
        } else worker.process.kill("SIGKILL");
      });
      const isServed = () => [...this.#listening].some((each) => each.isConnected());
      void gone(worker, isServed).then(({ code, signal }) => {
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
    this.#deathsInARow = livedMs < STEADY_MS ? this.#deathsInARow + 1 : 1;
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

  /** What one has to say to the others. */
  #passOn(sender: Worker, message: { news: unknown }): void {
    for (const worker of this.#workers) if (worker !== sender) this.#tell(worker, message);
  }

  #tell(worker: Worker, message: ToWorker<Start>): void {
    // The channel of a worker that is on its way out may be closed already.
    if (worker.isConnected()) worker.send(message);
  }
}
