import { organizationPermissions } from "../../api/administration/organization-permissions.ts";
import { ApiError, errors } from "../../api/errors.ts";
import { groupAdded } from "../../api/events/groups.ts";
import type { GroupPermission } from "../../api/groups/group-permissions.ts";
import type { OrganizationId } from "../../api/ids.ts";
import { changesBetween } from "../organization/audit-log/changes.ts";
import { recordAudit } from "../organization/audit-log/record.ts";
import type { ViewerChange } from "../people/viewer/change.ts";
import type { Queryable } from "../platform/db/database.ts";
import { everyone } from "../platform/log/log-entry.ts";
import { patchOf } from "../platform/log/projection.ts";
import { accessNewMembers, accessNewSubgroups } from "./access.ts";
import { type Group, type GroupValue, groups, systemGroups } from "./group.ts";
import { canDo } from "./group-setting.ts";
import { parseGroupDescription, parseGroupName } from "./names.ts";
import { parseGroupPermissions } from "./permissions.ts";
import { presentGroup } from "./present.ts";
import { insertGroup, insertMembers, insertSubgroups, insertSystemGroups } from "./store.ts";

export interface NewGroup {
  name: string;
  description: string;
  memberIds: readonly number[];
  subgroupIds: readonly number[];
  permission(permission: GroupPermission): GroupValue | undefined;
}

/** Makes a group in the name of `tx.viewer`, if they may make groups. Everyone gets an event. */
export async function createGroup(tx: ViewerChange, request: NewGroup): Promise<Group> {
  const { state, viewer } = tx;
  if (!canDo(state, organizationPermissions.canCreateGroups, viewer.user)) {
    throw new ApiError(errors.insufficientPermission);
  }
  const name = parseGroupName(state, request.name);
  const description = parseGroupDescription(request.description);
  const settings = parseGroupPermissions(state, request.permission);
  const memberIds = accessNewMembers(viewer, request.memberIds).sort((a, b) => a - b);
  const subgroups = accessNewSubgroups(viewer, request.subgroupIds);
  const subgroupIds = subgroups.map(({ id }) => id).sort((a, b) => a - b);
  const row = { name, description, settings, creatorId: viewer.user.id };
  const made = await insertGroup(tx, state.organizationId, row);
  // Names that differ in JavaScript but are equal in the database get here.
  if (!made) throw new ApiError(errors.groupNameTaken, { name });
  await insertMembers(tx, state.organizationId, made.id, memberIds);
  await insertSubgroups(tx, state.organizationId, made.id, subgroupIds);
  const group: Group = { ...made, memberIds, subgroupIds };
  tx.append(groupAdded, { group: presentGroup(state, group) }, everyone, patchOf(groups, { put: [group] }));
  const changes = changesBetween(
    {},
    { name, description, members: memberIds, subgroups: subgroupIds, ...settings },
  );
  await recordAudit(tx, { action: "group_created", targetId: group.id, changes });
  return group;
}

/**
 * Makes the groups that every organization has, in the transaction that makes the organization. No node
 * can have loaded the organization yet, so no event is needed.
 */
export async function createSystemGroups(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await insertSystemGroups(tx, organizationId, Object.values(systemGroups));
}
