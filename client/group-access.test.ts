import { expect, test } from "vitest";
import { ADA, EDITORS, MEL, MEMBERS, modelOf, WRITERS, writers } from "../test/harness/access-model.ts";
import {
  canAddMembers,
  canCreateGroups,
  canJoinGroup,
  canLeaveGroup,
  canManageGroup,
  canRemoveMembers,
  isUsed,
  membersOf,
  possibleSubgroups,
  usesOf,
} from "./group-access.ts";
import type { Group } from "./model/groups.ts";

test("a group is managed by those whom it names, and its members join and leave as it allows", () => {
  const plain = modelOf(MEL);
  expect(canCreateGroups(plain)).toBe(true);
  expect(canManageGroup(plain, writers(plain))).toBe(false);
  expect(canJoinGroup(plain, writers(plain))).toBe(false);
  const open = modelOf(MEL, { group: { can_join_group: MEMBERS, can_leave_group: MEMBERS } });
  expect(canJoinGroup(open, writers(open))).toBe(true);
  expect(canLeaveGroup(open, writers(open))).toBe(true);
  expect(canAddMembers(open, writers(open))).toBe(false);
  const managed = modelOf(MEL, { group: { can_manage_group: MEMBERS } });
  expect(canRemoveMembers(managed, writers(managed))).toBe(true);
  const system = managed.groups.byId.get(MEMBERS) as Group;
  expect(canManageGroup(managed, system)).toBe(false);
});

test("it is known where a group is used, and which groups can be in it", () => {
  const model = modelOf(MEL, {
    channel: { can_subscribe_group: { direct_members: [MEL], direct_subgroups: [EDITORS] } },
    group: { can_manage_group: EDITORS },
    realm_can_create_groups: EDITORS,
  });
  const uses = { ofOrganization: 1, channelIds: [5], groupIds: [WRITERS], supergroupIds: [WRITERS] };
  expect(usesOf(model, EDITORS)).toEqual(uses);
  expect(isUsed(usesOf(model, WRITERS))).toBe(false);
  expect(possibleSubgroups(model, EDITORS).map(({ id }) => id)).not.toContain(WRITERS);
  expect(possibleSubgroups(model, WRITERS).map(({ id }) => id)).toContain(EDITORS);
  expect([...membersOf(model, WRITERS)]).toEqual([MEL, ADA]);
});
