/**
 * Saves the connections that were being handed to a worker when it died. The cluster module keeps such a
 * connection until the worker acknowledges it, and delays the "disconnect" event of the worker's channel
 * until then. Nothing public tells which ones they are, so this module follows the internal messages between
 * parent and worker. It is the only one that relies on what Node does not document.
 *
 * If a version of Node has other messages, the module stops at once, and warns once. Everything else goes on.
 * Then only the connections that were being handed to a dying worker are lost. Decision 19 says why there is
 * no better means.
 */
import cluster, { type Worker } from "node:cluster";
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";

/**
 * An internal message about a connection: the parent hands it to a worker, or the worker acknowledges number
 * `ack`.
 */
interface HandoffMessage {
  cmd?: string;
  act?: string;
  seq?: number;
  ack?: number;
  accepted?: boolean;
}

interface Handle {
  close(): void;
}

export type WorkerEnd = { code: number | null; signal: string | null };

const CLUSTER = "NODE_CLUSTER";
/** A worker is handed one connection at a time for each address. With more, acknowledgements are missing. */
const MAX_PENDING = 16;

/** What the worker pool knows about connections on their way, for all workers. */
export class ConnectionHandoff {
  readonly #log: Logger;
  /** Whether the internal messages are the ones that we know. */
  #isKnown = true;

  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * Resolves when the worker has ended, its last messages have been handled, and no client waits for it. A
   * connection that it had not acknowledged goes to another worker. If `isServed` says that there is none,
   * the connection is closed, so that its client tries again.
   */
  waitForEnd(worker: Worker, isServed: () => boolean): Promise<WorkerEnd> {
    const pending = new Map<number, Handle>();
    this.#guard(() => this.#follow(worker, pending));
    return new Promise((resolve) => {
      worker.process.once("exit", async (code, signal) => {
        while (worker.isConnected()) await setImmediate();
        // node:cluster's own handlers come first.
        await setImmediate();
        this.#guard(() => {
          if (cluster.workers?.[worker.id]) worker.process.emit("disconnect");
          if (this.#isKnown) release(worker, pending, isServed);
        });
        resolve({ code, signal });
      });
    });
  }

  /** Keeps `pending` equal to the connections that the worker was handed and has not yet acknowledged. */
  #follow(worker: Worker, pending: Map<number, Handle>): void {
    const { process: child } = worker;
    const send = child.send.bind(child) as (message: HandoffMessage, ...rest: unknown[]) => boolean;
    child.send = (message: HandoffMessage, ...rest: unknown[]) => {
      if (rest[0]) this.#noteHandle(pending, message, rest[0]);
      return send(message, ...rest);
    };
    let hasSpoken = false;
    child.on("internalMessage", ({ cmd, ack }: HandoffMessage) => {
      hasSpoken ||= cmd === CLUSTER;
      if (ack !== undefined && !pending.delete(ack)) this.#giveUp("it acknowledges an unknown connection");
    });
    worker.once("listening", () => {
      if (!hasSpoken) this.#giveUp("it has no internal messages");
    });
  }

  #noteHandle(pending: Map<number, Handle>, { act, seq }: HandoffMessage, handle: unknown): void {
    if (!this.#isKnown) return;
    if (act !== "newconn" || seq === undefined || !isHandle(handle)) {
      this.#giveUp("it hands connections over by another message");
    } else if (pending.size === MAX_PENDING) {
      pending.clear();
      this.#giveUp("it does not acknowledge connections");
    } else pending.set(seq, handle);
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#giveUp("an internal call failed", error);
    }
  }

  #giveUp(reason: string, error?: unknown): void {
    if (!this.#isKnown) return;
    this.#isKnown = false;
    this.#log.warn(
      { reason, node: process.version, err: error },
      "node:cluster works in an unknown way; connections on their way to a worker that dies will be lost",
    );
  }
}

/** Gives the connections to another worker, or closes them if there is none. */
function release(worker: Worker, pending: ReadonlyMap<number, Handle>, isServed: () => boolean): void {
  for (const [seq, handle] of [...pending]) {
    const refusal: HandoffMessage = { cmd: CLUSTER, ack: seq, accepted: false };
    if (isServed()) worker.process.emit("internalMessage", refusal);
    else handle.close();
  }
}

function isHandle(value: unknown): value is Handle {
  return typeof value === "object" && value !== null && "close" in value && typeof value.close === "function";
}
