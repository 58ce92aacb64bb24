import { camelCase, type HandlerParameters } from "../../../api/endpoint.ts";
import {
  getUserGroupMembers,
  getUserGroupMembership,
  getUserGroupSubgroups,
  updateUserGroupMembers,
  updateUserGroupSubgroups,
} from "../../../api/group-members.ts";
import { type GroupPermission, groupPermissionList } from "../../../api/group-permissions.ts";
import {
  createUserGroup,
  deactivateUserGroup,
  deleteUserGroup,
  getUserGroups,
  updateUserGroup,
} from "../../../api/groups.ts";
import type { Route } from "../../platform/http/handler.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { currentViewer } from "../users/current-viewer.ts";
import { route } from "../users/route.ts";
import { accessGroup, accessPerson } from "./access.ts";
import { changeMembers } from "./change-members.ts";
import { createGroup } from "./create.ts";
import { deactivateGroup, deleteGroup } from "./deactivate.ts";
import type { GroupValue } from "./group.ts";
import type { GroupValueChange } from "./group-value.ts";
import { isListed, listMemberIds, listSubgroupIds } from "./members.ts";
import type { GroupNotices } from "./notices.ts";
import { presentGroups } from "./present.ts";
import { type GroupRequest, updateGroup } from "./update.ts";
import type { GroupUses } from "./uses.ts";

/** What the groups' endpoints need of rooms above them. */
export interface GroupDependencies {
  /** Where they use groups. */
  uses: readonly GroupUses[];
  notices: GroupNotices;
}

export function groupRoutes(_services: Services, { uses, notices }: GroupDependencies): Route[] {
  return [
    route(getUserGroups, ({ state, params }) => ({
      user_groups: presentGroups(state, {
        includeDeactivated: params.includeDeactivatedGroups ?? false,
      }) as never,
    })),
    route(createUserGroup, async ({ state, viewer, params }) => {
      const given = params as Readonly<Record<string, unknown>>;
      const group = await runStateChange(state, (tx) =>
        createGroup(tx, currentViewer(viewer), {
          name: params.name,
          description: params.description,
          memberIds: params.members,
          subgroupIds: params.subgroups ?? [],
          permission: ({ name }) => given[camelCase(name)] as GroupValue | undefined,
        }),
      );
      return { group_id: group.id };
    }),
    route(updateUserGroup, async ({ state, viewer, params }) => {
      await runStateChange(state, (tx) =>
        updateGroup(tx, currentViewer(viewer), params.userGroupId, groupRequest(params)),
      );
      return {};
    }),
    route(updateUserGroupMembers, async ({ state, viewer, params }) => {
      await runStateChange(state, (tx) =>
        changeMembers(
          tx,
          currentViewer(viewer),
          params.userGroupId,
          {
            add: params.add ?? [],
            remove: params.delete ?? [],
            addSubgroups: params.addSubgroups ?? [],
            removeSubgroups: params.deleteSubgroups ?? [],
          },
          notices,
        ),
      );
      return {};
    }),
    route(updateUserGroupSubgroups, async ({ state, viewer, params }) => {
      await runStateChange(state, (tx) =>
        changeMembers(
          tx,
          currentViewer(viewer),
          params.userGroupId,
          { add: [], remove: [], addSubgroups: params.add ?? [], removeSubgroups: params.delete ?? [] },
          notices,
        ),
      );
      return {};
    }),
    route(getUserGroupMembers, ({ state, viewer, params }) => {
      const group = accessGroup(viewer, params.userGroupId);
      return { members: listMemberIds(state, group, { isDirect: params.directMemberOnly ?? false }) };
    }),
    route(getUserGroupMembership, ({ state, viewer, params }) => {
      const group = accessGroup(viewer, params.userGroupId);
      const person = accessPerson(viewer, params.userId);
      const isDirect = params.directMemberOnly ?? false;
      return { is_user_group_member: isListed(state, group, person, { isDirect }) };
    }),
    route(getUserGroupSubgroups, ({ state, viewer, params }) => {
      const group = accessGroup(viewer, params.userGroupId);
      return { subgroups: listSubgroupIds(state, group, { isDirect: params.directSubgroupOnly ?? false }) };
    }),
    route(deactivateUserGroup, async ({ state, viewer, params }) => {
      await runStateChange(state, (tx) =>
        deactivateGroup(tx, currentViewer(viewer), params.userGroupId, uses),
      );
      return {};
    }),
    route(deleteUserGroup, async ({ state, viewer, params }) => {
      await runStateChange(state, (tx) => deleteGroup(tx, currentViewer(viewer), params.userGroupId, uses));
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
