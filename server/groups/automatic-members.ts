/**
 * The members of a system group are not stored: they follow from roles. In every group only active
 * accounts count. So every change of an account, or of the waiting period of new members, may change
 * groups.
 */

import { organizationSettings } from "../../api/administration/organization-settings.ts";
import type { GroupId, UserId } from "../../api/ids.ts";
import { type Organization, organization } from "../organization/organization.ts";
import { settingOf } from "../organization/setting.ts";
import { type User, users } from "../people/user.ts";
import { type BeforeCommitHook, patchesOf } from "../platform/log/before-commit-hook.ts";
import type { Change } from "../platform/log/change.ts";
import { pushTo } from "../platform/std/multimap.ts";
import { accountsAfter } from "./account-changes.ts";
import { appendMembersAdded, appendMembersRemoved } from "./events.ts";
import { directGroupsOf } from "./group.ts";

/**
 * Appends events for everyone on the people who join or leave groups by a change of accounts or of the
 * waiting period.
 */
export const automaticMembers: BeforeCommitHook = {
  projections: [users.name, organization.name],
  run(tx, patches) {
    const { state } = tx;
    const { byId } = state.get(users);
    const changed = accountsAfter(patches);
    const before = settingOf(state, organizationSettings.waitingPeriodThreshold);
    let waitingDays = before;
    for (const patch of patchesOf<Organization, Partial<Organization>>(patches, organization)) {
      waitingDays = waitingDaysIn(patch, before);
    }
    if (waitingDays !== before)
      for (const user of byId.values()) if (!changed.has(user.id)) changed.set(user.id, user);
    announce(tx, [...changed.values()], (user) => ({
      from: directGroupsOf(state, byId.get(user.id), before),
      to: directGroupsOf(state, user, waitingDays),
    }));
  },
};

/** The waiting period after a patch. */
export function waitingDaysIn({ settings }: Partial<Organization>, before: number): number {
  if (!settings) return before;
  const setting = organizationSettings.waitingPeriodThreshold;
  return (settings[setting.name] as number | undefined) ?? setting.default;
}

type Move = (user: User) => { from: ReadonlySet<GroupId>; to: ReadonlySet<GroupId> };

function announce(tx: Change, changed: readonly User[], move: Move): void {
  const left = new Map<GroupId, UserId[]>();
  const joined = new Map<GroupId, UserId[]>();
  for (const user of changed) {
    const { from, to } = move(user);
    for (const id of from) if (!to.has(id)) pushTo(left, id, user.id);
    for (const id of to) if (!from.has(id)) pushTo(joined, id, user.id);
  }
  for (const [id, userIds] of left) appendMembersRemoved(tx, id, userIds);
  for (const [id, userIds] of joined) appendMembersAdded(tx, id, userIds);
}
