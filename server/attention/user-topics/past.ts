/** Policies of another chat, for an organization that nobody can load yet. They make no events. */
import type { OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { insertPastPolicies } from "./past-store.ts";
import type { TopicPolicy } from "./policy.ts";

export interface PastPolicy {
  userId: UserId;
  topicId: TopicId;
  policy: TopicPolicy;
  at: Date;
}

/** A policy that is there already stays. */
export function addPastPolicies(
  tx: Queryable,
  organizationId: OrganizationId,
  policies: readonly PastPolicy[],
): Promise<void> {
  return insertPastPolicies(tx, organizationId, policies);
}
