import { ApiError, errors } from "../../api/errors.ts";
import { type GroupPermission, groupPermissionList } from "../../api/groups/group-permissions.ts";
import { changesBetween } from "../organization/audit-log/changes.ts";
import { recordAudit } from "../organization/audit-log/record.ts";
import type { ViewerChange } from "../people/viewer/change.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { patchOf } from "../platform/log/projection.ts";
import { accessManagedGroup } from "./access.ts";
import { appendGroupUpdated } from "./events.ts";
import { type Group, type GroupValue, groups } from "./group.ts";
import { type GroupValueChange, isSameGroupValue, parseGroupSettingUpdate } from "./group-value.ts";
import { parseGroupDescription, parseGroupName } from "./names.ts";
import { groupPermissionOf } from "./permissions.ts";
import { presentGroup } from "./present.ts";
import { updateGroupRow } from "./store.ts";

/** What a request asks for; undefined fields stay as they are. */
export interface GroupRequest {
  name: string | undefined;
  description: string | undefined;
  isDeactivated: boolean | undefined;
  permissions: ReadonlyMap<GroupPermission, GroupValueChange | undefined>;
}

/**
 * Changes a group that the viewer manages, or reactivates it. Applies all of the request or nothing.
 * Everyone gets an event with the changed properties.
 */
export async function updateGroup(tx: ViewerChange, groupId: number, request: GroupRequest): Promise<void> {
  const { state, viewer } = tx;
  const group = accessManagedGroup(viewer, groupId);
  const asked = [...request.permissions.values()].filter((change) => change !== undefined);
  const { name, description, isDeactivated } = request;
  if (name === undefined && description === undefined && isDeactivated === undefined && asked.length === 0) {
    throw new ApiError(errors.nothingToChangeInGroup);
  }
  if (isDeactivated) throw new ApiError(errors.groupDeactivationElsewhere);
  const isReactivated = isDeactivated === false && !group.isActive;
  const permissions = changedPermissions(state, group, request.permissions);
  const next: Group = {
    ...group,
    name: name === undefined ? group.name : parseGroupName(state, name, group),
    description: description === undefined ? group.description : parseGroupDescription(description),
    settings: { ...group.settings, ...permissions },
    isActive: group.isActive || isReactivated,
  };
  const data = {
    ...(next.name !== group.name && { name: next.name }),
    ...(next.description !== group.description && { description: next.description }),
    ...(isReactivated && { deactivated: false }),
    ...permissions,
  };
  if (Object.keys(data).length === 0) return;
  if (!(await updateGroupRow(tx, state.organizationId, next))) {
    throw new ApiError(errors.groupNameTaken, { name: next.name });
  }
  const fields = {
    name: next.name,
    description: next.description,
    settings: next.settings,
    isActive: next.isActive,
  };
  appendGroupUpdated(
    tx,
    next,
    { data, ...(isReactivated && { reactivated: presentGroup(state, next) }) },
    patchOf(groups, { change: [{ id: group.id, fields }] }),
  );
  const action = isReactivated ? "group_reactivated" : "group_updated";
  const before = {
    name: group.name,
    description: group.description,
    ...valuesBefore(state, group, permissions),
  };
  const after = { name: next.name, description: next.description, ...permissions };
  await recordAudit(tx, { action, targetId: group.id, changes: changesBetween(before, after) });
}

/** The values of the permissions that are changed. */
function valuesBefore(state: OrganizationState, group: Group, changed: Record<string, GroupValue>) {
  const permissions = groupPermissionList.filter(({ name }) => Object.hasOwn(changed, name));
  return Object.fromEntries(permissions.map((each) => [each.name, groupPermissionOf(state, group, each)]));
}

function changedPermissions(
  state: OrganizationState,
  group: Group,
  asked: GroupRequest["permissions"],
): Record<string, GroupValue> {
  const changes: Record<string, GroupValue> = {};
  for (const permission of groupPermissionList) {
    const change = asked.get(permission);
    if (change === undefined) continue;
    const current = groupPermissionOf(state, group, permission);
    const value = parseGroupSettingUpdate(state, permission, current, change);
    if (!isSameGroupValue(value, current)) changes[permission.name] = value;
  }
  return changes;
}
