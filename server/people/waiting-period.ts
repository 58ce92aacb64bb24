import { organizationSettings } from "../../api/administration/organization-settings.ts";
import type { OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { listWaitingEndedIn } from "./store.ts";

/**
 * The members whose waiting period ended after `after` and not after `upTo`, in organizations with an event
 * queue.
 */
export function listEndsOfWaiting(
  db: Queryable,
  time: { after: Date; upTo: Date },
): Promise<{ organizationId: OrganizationId; userIds: UserId[] }[]> {
  return listWaitingEndedIn(db, organizationSettings.waitingPeriodThreshold, time);
}
