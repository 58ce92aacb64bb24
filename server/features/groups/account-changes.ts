import { groupPermissionList } from "../../../api/group-permissions.ts";
import type { UserId } from "../../../api/ids.ts";
import { organizationPermissionList } from "../../../api/organization-permissions.ts";
import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type User, users } from "../users/user.ts";
import { type GroupValue, groups } from "./group.ts";
import { groupSettingOf } from "./group-setting.ts";
import { namingOnly } from "./group-value.ts";
import { groupPermissionOf } from "./permissions.ts";

/**
 * A setting does not name people while they are deactivated (see `withoutInactive`), so when an account goes or comes back,
 * the settings that name it are other ones to everybody. What is stored stays.
 */
export const accountsInSettings: BeforeCommitHook = {
  projections: [users.name],
  run(tx, patches) {
    const { state } = tx;
    const changed = changedAccounts(state, patches);
    if (changed.size === 0) return;
    const told = (settings: readonly { name: string; value: GroupValue }[]) =>
      Object.fromEntries(
        settings
          .filter(({ value }) => namesAny(value, changed))
          .map(({ name, value }) => [name, valueAfter(state, value, changed)]),
      );
    const data = told(
      organizationPermissionList.map((setting) => ({
        name: setting.name,
        value: groupSettingOf(state, setting),
      })),
    );
    if (Object.keys(data).length > 0) {
      tx.appendRaw({ type: "realm", op: "update_dict", property: "default", data }, everyone);
    }
    for (const group of state.get(groups).all()) {
      const data = told(
        groupPermissionList.map((each) => ({
          name: each.name,
          value: groupPermissionOf(state, group, each),
        })),
      );
      if (Object.keys(data).length === 0) continue;
      const event = { type: "user_group", op: "update", group_id: group.id, data };
      tx.appendRaw({ ...event, ...(!group.isActive && { isDormant: true }) }, everyone);
    }
  },
};

/** The accounts that these patches deactivate or reactivate, as they are afterwards. */
export function changedAccounts(
  state: OrganizationState,
  patches: Parameters<BeforeCommitHook["run"]>[1],
): ReadonlyMap<UserId, User> {
  const { byId } = state.get(users);
  const changed = new Map<UserId, User>();
  for (const { projection, patch } of patches) {
    if (projection !== users.name) continue;
    for (const user of (patch as { put: User[] }).put) {
      const before = byId.get(user.id);
      if (before && before.isActive !== user.isActive) changed.set(user.id, user);
    }
  }
  return changed;
}

export function namesAny(value: GroupValue, people: ReadonlyMap<UserId, User>): boolean {
  return typeof value !== "number" && value.direct_members.some((id) => people.has(id));
}

/** The value as everyone will see it once the accounts have changed. */
export function valueAfter(
  state: OrganizationState,
  value: GroupValue,
  changed: ReadonlyMap<UserId, User>,
): GroupValue {
  const { byId } = state.get(users);
  return namingOnly(value, (id) => (changed.get(id) ?? byId.get(id))?.isActive === true);
}
