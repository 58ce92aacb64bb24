import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { UserTopic } from "./policy.ts";
import { listTopicsOfUser } from "./store.ts";

/** The topics that a person has a policy for, also in channels that they can't see at present. */
export function listUserTopics(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<UserTopic[]> {
  return listTopicsOfUser(tx, organizationId, userId);
}
