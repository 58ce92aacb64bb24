import { camelCase } from "../../api/camel-case.ts";
import type { HandlerParameters } from "../../api/endpoint.ts";
import {
  getUserGroupMembers,
  getUserGroupMembership,
  getUserGroupSubgroups,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} from "../../api/groups/group-members.ts";
import { type GroupPermission, groupPermissionList } from "../../api/groups/group-permissions.ts";
import {
  createUserGroup,
  deactivateUserGroup,
  deleteUserGroup,
  getUserGroups,
  updateUserGroup,
} from "../../api/groups/groups.ts";
import { accessManagedUser } from "../people/access/access.ts";
import { canAccessUserId } from "../people/access/user-access.ts";
import { Quotas } from "../people/quotas/quotas.ts";
import { changeState } from "../people/viewer/change.ts";
import { route } from "../people/viewer/route.ts";
import type { Route } from "../platform/http/handler.ts";
import type { Services } from "../services.ts";
import { accessGroup } from "./access.ts";
import { changeMembers } from "./change-members.ts";
import { createGroup } from "./create.ts";
import { deactivateGroup, deleteGroup } from "./deactivate.ts";
import type { GroupValue } from "./group.ts";
import type { GroupValueChange } from "./group-value.ts";
import { isListed, listMemberIds, listSubgroupIds } from "./members.ts";
import { presentGroupsTo } from "./present.ts";
import { type GroupRequest, updateGroup } from "./update.ts";
import type { GroupUses } from "./uses.ts";

/** `groupUses`: where the modules above use groups. */
export function groupRoutes({ config }: Pick<Services, "config">, groupUses: readonly GroupUses[]): Route[] {
  const quotas = new Quotas(config);
  return [
    route(getUserGroups, ({ state, viewer, params }) => ({
      user_groups: presentGroupsTo(state, viewer.user, {
        includeDeactivated: params.includeDeactivatedGroups ?? false,
      }),
    })),
    route(createUserGroup, async ({ viewer, params }) => {
      const given = params as Readonly<Record<string, unknown>>;
      const group = await changeState(viewer, async (tx) => {
        await quotas.use(tx, "groups");
        return createGroup(tx, {
          name: params.name,
          description: params.description,
          memberIds: params.members,
          subgroupIds: params.subgroups ?? [],
          permission: ({ name }) => given[camelCase(name)] as GroupValue | undefined,
        });
      });
      return { group_id: group.id };
    }),
    route(updateUserGroup, async ({ viewer, params }) => {
      await changeState(viewer, (tx) => updateGroup(tx, params.userGroupId, groupRequest(params)));
      return {};
    }),
    route(updateUserGroupMembers, async ({ viewer, params }) => {
      await changeState(viewer, (tx) =>
        changeMembers(tx, params.userGroupId, {
          add: params.add ?? [],
          remove: params.delete ?? [],
          addSubgroups: params.addSubgroups ?? [],
          removeSubgroups: params.deleteSubgroups ?? [],
        }),
      );
      return {};
    }),
    route(updateUserGroupSubgroups, async ({ viewer, params }) => {
      const { add: addSubgroups = [], delete: removeSubgroups = [] } = params;
      const request = { add: [], remove: [], addSubgroups, removeSubgroups };
      await changeState(viewer, (tx) => changeMembers(tx, params.userGroupId, request));
      return {};
    }),
    route(getUserGroupMembers, ({ state, viewer, params }) => {
      const group = accessGroup(viewer, params.userGroupId);
      const ids = listMemberIds(state, group, { isDirect: params.directMemberOnly ?? false });
      return { members: ids.filter((id) => canAccessUserId(state, viewer.user, id)) };
    }),
    route(getUserGroupMembership, ({ state, viewer, params }) => {
      const group = accessGroup(viewer, params.userGroupId);
      const person = accessManagedUser(viewer, params.userId);
      const isDirect = params.directMemberOnly ?? false;
      return { is_user_group_member: isListed(state, group, person, { isDirect }) };
    }),
    route(getUserGroupSubgroups, ({ state, viewer, params }) => {
      const group = accessGroup(viewer, params.userGroupId);
      return { subgroups: listSubgroupIds(state, group, { isDirect: params.directSubgroupOnly ?? false }) };
    }),
    route(deactivateUserGroup, async ({ viewer, params }) => {
      await changeState(viewer, (tx) => deactivateGroup(tx, params.userGroupId, groupUses));
      return {};
    }),
    route(deleteUserGroup, async ({ viewer, params }) => {
      await changeState(viewer, (tx) => deleteGroup(tx, params.userGroupId, groupUses));
      return {};
    }),
  ];
}

function groupRequest(params: HandlerParameters<(typeof updateUserGroup)["parameters"]>): GroupRequest {
  const given = params as Readonly<Record<string, unknown>>;
  const changeOf = ({ name }: GroupPermission) => given[camelCase(name)] as GroupValueChange | undefined;
  return {
    name: params.name,
    description: params.description,
    isDeactivated: params.deactivated,
    permissions: new Map(groupPermissionList.map((permission) => [permission, changeOf(permission)])),
  };
}
