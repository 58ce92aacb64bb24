import { setTimeout as sleep } from "node:timers/promises";
import type { OrganizationId } from "../../../api/ids.ts";
import type { Database } from "../../platform/db/database.ts";
import { indexNext } from "./index-messages.ts";
import { findProgress } from "./store.ts";

/** How long a reader waits for the index at most. */
const WAIT_MS = 2000;
/** How soon an index that somebody else is writing is looked at again. */
const LOOK_AGAIN_MS = 20;

/** What is being done for an organization; all who wait for its index share it. */
const attempts = new WeakMap<Database, Map<OrganizationId, Promise<void>>>();

/**
 * Has the index hold what the organization's log holds now, for those who ask of messages by their ids: they may have heard of
 * them before the follower got there. It gives up when that takes too long, and leaves what was begun to go on.
 */
export async function bringUpIndex(
  database: Database,
  organizationId: OrganizationId,
  withinMs = WAIT_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  const { position, head: end } = await findProgress(database, organizationId);
  for (let reached = position; reached < end && performance.now() < deadline; ) {
    try {
      await atMost(deadline - performance.now(), goOn(database, organizationId));
    } catch {
      // The follower meets the same and reports it; one reads with what the index has.
      return;
    }
    reached = (await findProgress(database, organizationId)).position;
  }
}

function goOn(database: Database, organizationId: OrganizationId): Promise<void> {
  const ofDatabase = attempts.get(database) ?? new Map<OrganizationId, Promise<void>>();
  attempts.set(database, ofDatabase);
  const underWay = ofDatabase.get(organizationId);
  if (underWay) return underWay;
  const attempt = indexOrWait(database, organizationId).finally(() => ofDatabase.delete(organizationId));
  ofDatabase.set(organizationId, attempt);
  return attempt;
}

async function indexOrWait(database: Database, organizationId: OrganizationId): Promise<void> {
  const { isElsewhere } = await indexNext(database, organizationId);
  if (isElsewhere) await sleep(LOOK_AGAIN_MS);
}

function atMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
