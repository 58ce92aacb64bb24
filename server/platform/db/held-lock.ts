import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import { type LockClass, tryLockQuery } from "./locks.ts";
import { ServerBusy } from "./server-busy.ts";
import { asQuery } from "./transaction.ts";

const RETRY_MS = 100;

/** Another node has held the lock for too long. */
export class LockTaken extends ServerBusy {}

/**
 * Runs work that takes long while no other node runs it. LOCK: the advisory lock, by a connection of its own
 * that holds nothing else and has no transaction open. So PostgreSQL neither ends it for being idle, nor
 * keeps the lock of a process that has died. A waiting caller asks again and again, and holds nothing
 * meanwhile. Throws LockTaken after `waitMs`. If the connection breaks the work goes on, so its parts must be
 * safe without the lock.
 */
export async function holdingLock<T>(
  database: Database,
  lock: { lockClass: LockClass; object: number; waitMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const client = await database.connect("lock");
  try {
    const deadline = performance.now() + lock.waitMs;
    const take = asQuery(tryLockQuery(lock.lockClass, lock.object));
    for (;;) {
      const { rows } = await client.query<{ isHeld: boolean }>(take);
      if (rows[0]?.isHeld) break;
      if (performance.now() > deadline) throw new LockTaken();
      await sleep(RETRY_MS);
    }
    return await work();
  } finally {
    // The lock is the session's. A connection that is broken has lost it already.
    await client.end().catch(() => {});
  }
}
