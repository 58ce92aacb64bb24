import { organizationSettings } from "../../api/administration/organization-settings.ts";
import type { GroupId, UserId } from "../../api/ids.ts";
import { settingOf } from "../organization/setting.ts";
import { type User, users } from "../people/user.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { directGroupsOf, type Group, groups, isMember } from "./group.ts";
import { directMemberIds } from "./present.ts";

/** The active accounts in a group, by id. A deactivated group still lists its members. */
export function listMemberIds(
  state: OrganizationState,
  group: Group,
  { isDirect }: { isDirect: boolean },
): UserId[] {
  const ids = new Set(directMemberIds(state, group));
  if (!isDirect) {
    for (const user of state.get(users).all()) if (isInAny(state, group.subgroupIds, user)) ids.add(user.id);
  }
  return [...ids].sort((a, b) => a - b);
}

/** Whether an active account is in a group, by the same rules. */
export function isListed(
  state: OrganizationState,
  group: Group,
  user: User,
  { isDirect }: { isDirect: boolean },
): boolean {
  if (!user.isActive) return false;
  const waitingDays = settingOf(state, organizationSettings.waitingPeriodThreshold);
  if (directGroupsOf(state, user, waitingDays).has(group.id)) return true;
  return !isDirect && isInAny(state, group.subgroupIds, user);
}

/** The groups in a group, by id. */
export function listSubgroupIds(
  state: OrganizationState,
  group: Group,
  { isDirect }: { isDirect: boolean },
): GroupId[] {
  const ids = new Set(group.subgroupIds);
  if (!isDirect) {
    // A set that grows during the iteration is iterated to its new end.
    for (const id of ids)
      for (const inner of state.get(groups).byId.get(id)?.subgroupIds ?? []) ids.add(inner);
  }
  return [...ids].sort((a, b) => a - b);
}

function isInAny(state: OrganizationState, groupIds: readonly GroupId[], user: User): boolean {
  return groupIds.some((id) => isMember(state, id, user));
}
