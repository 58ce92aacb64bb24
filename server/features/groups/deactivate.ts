import { ApiError, errors } from "../../../api/errors.ts";
import type { Change } from "../../platform/log/change.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import type { Viewer } from "../users/viewer.ts";
import { accessManagedGroup } from "./access.ts";
import type { Group } from "./group.ts";
import { deleteGroupRows, updateGroupRow } from "./store.ts";
import { type GroupUses, objectionsTo } from "./uses.ts";

/** Takes a group out of use; everyone hears of it. Refused while it is used anywhere (spec E14). */
export async function deactivateGroup(
  tx: Change,
  viewer: Viewer,
  groupId: number,
  uses: readonly GroupUses[],
): Promise<void> {
  const group = accessManagedGroup(viewer, groupId);
  if (!group.isActive) throw new ApiError(errors.groupDeactivated);
  checkUnused(tx, group, uses);
  await updateGroupRow(tx, tx.state.organizationId, { ...group, isActive: false });
  tx.appendRaw(
    { type: "user_group", op: "update", group_id: group.id, data: { deactivated: true } },
    everyone,
    {
      groups: { change: [{ id: group.id, fields: { isActive: false } }] },
    },
  );
}

/** Removes a group for good, deactivated or not; those who know of it hear so. Refused while it is used anywhere (spec E19). */
export async function deleteGroup(
  tx: Change,
  viewer: Viewer,
  groupId: number,
  uses: readonly GroupUses[],
): Promise<void> {
  const group = accessManagedGroup(viewer, groupId);
  checkUnused(tx, group, uses);
  await deleteGroupRows(tx, tx.state.organizationId, group.id);
  const event = { type: "user_group", op: "remove", group_id: group.id };
  tx.appendRaw({ ...event, ...(!group.isActive && { isDormant: true }) }, everyone, {
    groups: { remove: [group.id] },
  });
}

function checkUnused({ state }: Change, group: Group, uses: readonly GroupUses[]): void {
  const objections = objectionsTo(state, group, uses);
  if (objections.length > 0) throw new ApiError(errors.cannotDeactivateGroupInUse, { objections });
}
