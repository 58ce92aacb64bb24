/**
 * What node:cluster leaves undone for connections that were under way to a worker when it died. It waits for the worker's
 * word before it lets go of one, and does not even tell of the end of the worker's channel meanwhile. This reads along with
 * what the two say to each other, which `test/e2e/workers.test.ts` holds Node's versions to.
 */
import cluster, { type Worker } from "node:cluster";
import { setImmediate } from "node:timers/promises";

/** A word between the parent and a worker of a connection: that it is handed over, or (`ack`, the number of the first) taken. */
interface HandOver {
  cmd?: string;
  act?: string;
  seq?: number;
  ack?: number;
  accepted?: boolean;
}

export type ConnectionLost = { code: number | null; signal: string | null };

/**
 * Resolves when the worker has ended, all that it said has been heard, and nobody waits for it any more: a connection that it
 * had not taken is given to another worker, or closed where `isServed` knows of none, so that whoever made it tries again.
 */
export function gone(worker: Worker, isServed: () => boolean): Promise<ConnectionLost> {
  const untaken = keepUntaken(worker);
  return new Promise((resolve) => {
    worker.process.once("exit", async (code, signal) => {
      while (worker.isConnected()) await setImmediate();
      // After node:cluster's own part, if it has one to do.
      await setImmediate();
      if (cluster.workers?.[worker.id]) worker.process.emit("disconnect");
      for (const [seq, handle] of [...untaken]) {
        const refusal: HandOver = { cmd: "NODE_CLUSTER", ack: seq, accepted: false };
        if (isServed()) worker.process.emit("internalMessage", refusal);
        else handle.close();
      }
      resolve({ code, signal });
    });
  });
}

/** The connections that the worker was given and has not yet said whether it took, by their numbers. */
function keepUntaken({ process: child }: Worker): ReadonlyMap<number, { close(): void }> {
  const untaken = new Map<number, { close(): void }>();
  const send = child.send.bind(child) as (message: HandOver, ...rest: unknown[]) => boolean;
  child.send = (message: HandOver, ...rest: unknown[]) => {
    const [handle] = rest as [{ close(): void } | undefined];
    if (message.act === "newconn" && message.seq !== undefined && handle) untaken.set(message.seq, handle);
    return send(message, ...rest);
  };
  child.on("internalMessage", ({ ack }: HandOver) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  return untaken;
}
