import { setTimeout as sleep } from "node:timers/promises";
import type { OrganizationId } from "../../../api/ids.ts";
import type { Database } from "../../platform/db/database.ts";
import { indexNext } from "./index-messages.ts";
import { findProgress } from "./store.ts";

/** The longest time that a reader waits for the index. */
const WAIT_MS = 2000;
/** The delay before checking again an index that another transaction is writing. */
const LOOK_AGAIN_MS = 20;

/** The update that is running for an organization. All requests that wait for its index share it. */
const attempts = new WeakMap<Database, Map<OrganizationId, Promise<void>>>();

/**
 * Brings the index up to the end of the organization's log, for requests that name messages by their ids.
 * Clients may know these messages before the follower has indexed them. If it takes too long, the request
 * continues without waiting for the update, which runs on.
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
      // The follower meets the same error and reports it. This request reads the index as it is.
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
