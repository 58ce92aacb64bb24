/**
 * Who may do what with one user group: settings whose value is a group. For a system group each of them names
 * nobody.
 */
import type { GroupRules, SystemGroupName } from "../setting.ts";

export interface GroupPermission extends GroupRules {
  name: string;
  description: string;
  /** `creator`: the person who created the group. */
  defaultGroup: SystemGroupName | "creator";
}

function groupPermission(
  declaration: Pick<GroupPermission, "name" | "description" | "defaultGroup"> & Partial<GroupPermission>,
): GroupPermission {
  return {
    requiresSystemGroup: false,
    allowedSystemGroups: [],
    allowsNobody: true,
    allowsEveryone: false,
    allowsInternet: false,
    ...declaration,
  };
}

export const groupPermissions = {
  canAddMembers: groupPermission({
    name: "can_add_members_group",
    description: "Who may add people to the group.",
    defaultGroup: "creator",
  }),
  canJoin: groupPermission({
    name: "can_join_group",
    description: "Who may join the group by themselves.",
    defaultGroup: "nobody",
  }),
  canLeave: groupPermission({
    name: "can_leave_group",
    description: "Who may leave the group by themselves.",
    defaultGroup: "everyone",
    allowsEveryone: true,
  }),
  canManage: groupPermission({
    name: "can_manage_group",
    description: "Who may change the group and its members.",
    defaultGroup: "creator",
  }),
  canMention: groupPermission({
    name: "can_mention_group",
    description: "Who may mention the group.",
    defaultGroup: "everyone",
    allowsEveryone: true,
  }),
  canRemoveMembers: groupPermission({
    name: "can_remove_members_group",
    description: "Who may remove people from the group.",
    defaultGroup: "nobody",
  }),
};

/** All group permissions, in the order of their names. */
export const groupPermissionList: readonly GroupPermission[] = Object.values(groupPermissions);
