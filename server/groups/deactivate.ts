import { ApiError, errors } from "../../api/errors.ts";
import { groupRemoved } from "../../api/events/groups.ts";
import { changesBetween } from "../organization/audit-log/changes.ts";
import { recordAudit } from "../organization/audit-log/record.ts";
import type { ViewerChange } from "../people/viewer/change.ts";
import type { Change } from "../platform/log/change.ts";
import { patchOf } from "../platform/log/projection.ts";
import { accessManagedGroup } from "./access.ts";
import { toClientsThatKnow } from "./audiences.ts";
import { appendGroupUpdated } from "./events.ts";
import { type Group, groups } from "./group.ts";
import { deleteGroupRows, updateGroupRow } from "./store.ts";
import { type GroupUses, objectionsTo } from "./uses.ts";

/** Deactivates a group. Everyone gets an event. Throws while the group is used anywhere (spec E14). */
export async function deactivateGroup(
  tx: ViewerChange,
  groupId: number,
  groupUses: readonly GroupUses[],
): Promise<void> {
  const group = accessManagedGroup(tx.viewer, groupId);
  if (!group.isActive) throw new ApiError(errors.groupDeactivated);
  checkUnused(tx, group, groupUses);
  await updateGroupRow(tx, tx.state.organizationId, { ...group, isActive: false });
  const change = { id: group.id, fields: { isActive: false } };
  appendGroupUpdated(tx, group, { data: { deactivated: true } }, patchOf(groups, { change: [change] }));
  await recordAudit(tx, { action: "group_deactivated", targetId: group.id });
}

/**
 * Deletes a group, deactivated or not. Clients that know it get an event. Throws while it is used
 * anywhere (spec E19).
 */
export async function deleteGroup(
  tx: ViewerChange,
  groupId: number,
  groupUses: readonly GroupUses[],
): Promise<void> {
  const group = accessManagedGroup(tx.viewer, groupId);
  checkUnused(tx, group, groupUses);
  await deleteGroupRows(tx, tx.state.organizationId, group.id);
  const patch = patchOf(groups, { remove: [group.id] });
  tx.append(groupRemoved, { group_id: group.id }, toClientsThatKnow(group), patch);
  const { name, memberIds, subgroupIds } = group;
  const changes = changesBetween({ name, members: memberIds, subgroups: subgroupIds }, {});
  await recordAudit(tx, { action: "group_deleted", targetId: group.id, changes });
}

function checkUnused({ state }: Change, group: Group, groupUses: readonly GroupUses[]): void {
  const objections = objectionsTo(state, group, groupUses);
  if (objections.length > 0) throw new ApiError(errors.cannotDeactivateGroupInUse, { objections });
}
