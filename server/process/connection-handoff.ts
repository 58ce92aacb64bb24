/**
 * Saves the connections that were being handed to a worker when it died. The cluster module keeps such a
 * connection until the worker acknowledges it, and delays the "disconnect" event of the worker's channel
 * until then. This module follows the internal messages between parent and worker. `test/e2e/workers.test.ts`
 * fails if a version of Node changes them.
 */
import cluster, { type Worker } from "node:cluster";
import { setImmediate } from "node:timers/promises";

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

export type WorkerEnd = { code: number | null; signal: string | null };

/**
 * Resolves when the worker has ended, its last messages have been handled, and no client waits for it. A
 * connection that it had not acknowledged goes to another worker. If `isServed` says that there is none, the
 * connection is closed, so that its client tries again.
 */
export function waitForWorkerEnd(worker: Worker, isServed: () => boolean): Promise<WorkerEnd> {
  const pending = trackPendingHandoffs(worker);
  return new Promise((resolve) => {
    worker.process.once("exit", async (code, signal) => {
      while (worker.isConnected()) await setImmediate();
      // node:cluster's own handlers come first.
      await setImmediate();
      if (cluster.workers?.[worker.id]) worker.process.emit("disconnect");
      for (const [seq, handle] of [...pending]) {
        const refusal: HandoffMessage = { cmd: "NODE_CLUSTER", ack: seq, accepted: false };
        if (isServed()) worker.process.emit("internalMessage", refusal);
        else handle.close();
      }
      resolve({ code, signal });
    });
  });
}

/** The connections that were handed to the worker and that it has not yet acknowledged, by number. */
function trackPendingHandoffs({ process: child }: Worker): ReadonlyMap<number, { close(): void }> {
  const pending = new Map<number, { close(): void }>();
  const send = child.send.bind(child) as (message: HandoffMessage, ...rest: unknown[]) => boolean;
  child.send = (message: HandoffMessage, ...rest: unknown[]) => {
    const [handle] = rest as [{ close(): void } | undefined];
    if (message.act === "newconn" && message.seq !== undefined && handle) pending.set(message.seq, handle);
    return send(message, ...rest);
  };
  child.on("internalMessage", ({ ack }: HandoffMessage) => {
    if (ack !== undefined) pending.delete(ack);
  });
  return pending;
}
