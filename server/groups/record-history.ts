/**
 * Records who leaves and joins groups, whichever action made the change. A change of a role costs two rows,
 * also if the group of that role is in others. What lies between is worked out when it is asked.
 */

import { organizationSettings } from "../../api/administration/organization-settings.ts";
import type { GroupId, UserId } from "../../api/ids.ts";
import { type Organization, organization } from "../organization/organization.ts";
import { settingOf } from "../organization/setting.ts";
import { type User, users } from "../people/user.ts";
import { type BeforeCommitHook, type NamedPatch, patchesOf } from "../platform/log/before-commit-hook.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { patchOf } from "../platform/log/projection.ts";
import { accountsAfter } from "./account-changes.ts";
import { waitingDaysIn } from "./automatic-members.ts";
import { type Group, type GroupsPatch, groups, roleGroupOf } from "./group.ts";
import { groupHistory, MAX_INTERVALS } from "./group-history.ts";
import {
  beginGroupIntervals,
  endGroupIntervals,
  insertFormerWaitingPeriod,
  type Membership,
  resumeGroupIntervals,
} from "./history-store.ts";

export const recordedMemberships: BeforeCommitHook = {
  projections: [users.name, organization.name, groups.name],
  async run(tx, patches) {
    const { state } = tx;
    const { organizationId } = state;
    const history = state.get(groupHistory);
    const { ended, begun } = membershipChanges(state, patches);
    const waitingPeriod = formerWaitingPeriod(state, patches);
    if (ended.length + begun.length === 0 && waitingPeriod === undefined) return;
    const positionRef = await tx.positionRef();
    await endGroupIntervals(tx, organizationId, ended, positionRef);
    await beginGroupIntervals(
      tx,
      organizationId,
      begun.filter((each) => !history.isFull(each)),
      positionRef,
    );
    await resumeGroupIntervals(
      tx,
      organizationId,
      begun.filter((each) => history.isFull(each)),
    );
    if (waitingPeriod !== undefined) {
      await insertFormerWaitingPeriod(tx, organizationId, waitingPeriod, positionRef);
    }
    const patch = { ended, begun, ...(waitingPeriod !== undefined && { waitingPeriod }) };
    tx.appendPatch(patchOf(groupHistory, patch));
  },
};

interface MembershipChanges {
  ended: Membership[];
  begun: Membership[];
}

function membershipChanges(state: OrganizationState, patches: readonly NamedPatch[]): MembershipChanges {
  const changes: MembershipChanges = { ended: [], begun: [] };
  for (const patch of patchesOf<unknown, GroupsPatch>(patches, groups))
    addGroupChanges(state, patch, changes);
  addRoleChanges(state, patches, changes);
  return changes;
}

/** The members of a new group get no rows: nobody can have mentioned it before. */
function addGroupChanges(
  state: OrganizationState,
  { change = [], remove = [] }: GroupsPatch,
  { ended, begun }: MembershipChanges,
): void {
  const { byId } = state.get(groups);
  for (const { id, added = [], removed = [], addedSubgroups = [], removedSubgroups = [] } of change) {
    if (!byId.has(id)) continue;
    ended.push(...ofUsers(id, removed), ...ofSubgroups(id, removedSubgroups));
    begun.push(...ofUsers(id, added), ...ofSubgroups(id, addedSubgroups));
  }
  for (const id of remove) {
    const { memberIds = [], subgroupIds = [] }: Partial<Group> = byId.get(id) ?? {};
    ended.push(...ofUsers(id, memberIds), ...ofSubgroups(id, subgroupIds));
  }
}

/**
 * A deactivated account is in no group of a role, and so in no group at all. A new one received nothing
 * before.
 */
function addRoleChanges(
  state: OrganizationState,
  patches: readonly NamedPatch[],
  { ended, begun }: MembershipChanges,
): void {
  const { byId } = state.get(users);
  for (const after of accountsAfter(patches).values()) {
    const before = byId.get(after.id);
    if (!before || before.isSystem) continue;
    const [from, to] = [roleGroupId(state, before), roleGroupId(state, after)];
    if (from === to) continue;
    if (from !== undefined) ended.push(...ofUsers(from, [after.id]));
    if (to !== undefined) begun.push(...ofUsers(to, [after.id]));
  }
}

function roleGroupId(state: OrganizationState, { role, isActive }: User): GroupId | undefined {
  return isActive ? roleGroupOf(state.get(groups), role).id : undefined;
}

/** After many changes, the last period counts for all of what follows. */
function formerWaitingPeriod(state: OrganizationState, patches: readonly NamedPatch[]): number | undefined {
  const before = settingOf(state, organizationSettings.waitingPeriodThreshold);
  let after = before;
  for (const patch of patchesOf<Organization, Partial<Organization>>(patches, organization)) {
    after = waitingDaysIn(patch, after);
  }
  const isFull = state.get(groupHistory).waitingPeriods.length >= MAX_INTERVALS;
  return after === before || isFull ? undefined : before;
}

function ofUsers(groupId: GroupId, userIds: readonly UserId[]): Membership[] {
  return userIds.map((userId) => ({ groupId, userId, subgroupId: null }));
}

function ofSubgroups(groupId: GroupId, subgroupIds: readonly GroupId[]): Membership[] {
  return subgroupIds.map((subgroupId) => ({ groupId, userId: null, subgroupId }));
}
