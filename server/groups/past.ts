/** Groups of another chat, for an organization that nobody can load yet. They make no events. */
import type { GroupId, OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { insertPastGroups, insertPastMemberships, listSystemGroupIds } from "./past-store.ts";

/** The name is checked by `isFreeGroupName`, and no two are alike. */
export interface PastGroup {
  name: string;
  description: string;
  creatorId: UserId | null;
  createdAt: Date;
  isActive: boolean;
}

/** Returns the ids in the same order. */
export function addPastGroups(
  tx: Queryable,
  organizationId: OrganizationId,
  groups: readonly PastGroup[],
): Promise<GroupId[]> {
  return insertPastGroups(tx, organizationId, groups);
}

/** No two of them are the same. A group may contain itself in no way. */
export function addPastMembers(
  tx: Queryable,
  organizationId: OrganizationId,
  members: {
    people: readonly { groupId: GroupId; userId: UserId }[];
    groups: readonly { groupId: GroupId; subgroupId: GroupId }[];
  },
): Promise<void> {
  return insertPastMemberships(tx, organizationId, members);
}

/** The ids of the groups of roles by their names, such as `role:members`. */
export async function systemGroupIds(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<Map<string, GroupId>> {
  const rows = await listSystemGroupIds(tx, organizationId);
  return new Map(rows.map(({ name, id }) => [name, id]));
}
