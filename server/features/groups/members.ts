import type { GroupId, UserId } from "../../../api/ids.ts";
import { organizationSettings } from "../../../api/organization-settings.ts";
import type { Live } from "../../platform/log/organization-state.ts";
import { settingOf } from "../organization/setting.ts";
import { type User, users } from "../users/user.ts";
import { directGroupsOf, type Group, groups, isMember } from "./group.ts";
import { directMemberIds } from "./present.ts";

/** The active accounts in a group, by id. A group that is deactivated itself still shows whom it holds. */
export function listMemberIds(live: Live, group: Group, { isDirect }: { isDirect: boolean }): UserId[] {
  const ids = new Set(directMemberIds(live, group));
  if (!isDirect) {
    for (const user of live.get(users).all()) if (isInAny(live, group.subgroupIds, user)) ids.add(user.id);
  }
  return [...ids].sort((a, b) => a - b);
}

/** Whether an active account is in a group, by the same rules. */
export function isListed(live: Live, group: Group, user: User, { isDirect }: { isDirect: boolean }): boolean {
  if (!user.isActive) return false;
  const waitingDays = settingOf(live, organizationSettings.waitingPeriodThreshold);
  if (directGroupsOf(live, user, waitingDays).has(group.id)) return true;
  return !isDirect && isInAny(live, group.subgroupIds, user);
}

/** The groups in a group, by id. */
export function listSubgroupIds(live: Live, group: Group, { isDirect }: { isDirect: boolean }): GroupId[] {
  const ids = new Set(group.subgroupIds);
  if (!isDirect) {
    // A set that grows while it is walked is walked to its end.
    for (const id of ids)
      for (const inner of live.get(groups).byId.get(id)?.subgroupIds ?? []) ids.add(inner);
  }
  return [...ids].sort((a, b) => a - b);
}

function isInAny(live: Live, groupIds: readonly GroupId[], user: User): boolean {
  return groupIds.some((id) => isMember(live, id, user));
}
