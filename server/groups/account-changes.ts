import { organizationPermissionList } from "../../api/administration/organization-permissions.ts";
import { organizationUpdatedTogether } from "../../api/events/organization.ts";
import { groupPermissionList } from "../../api/groups/group-permissions.ts";
import type { UserId } from "../../api/ids.ts";
import { type User, type Users, users } from "../people/user.ts";
import { type BeforeCommitHook, type NamedPatch, patchesOf } from "../platform/log/before-commit-hook.ts";
import { everyone } from "../platform/log/log-entry.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { appendGroupUpdated } from "./events.ts";
import { type GroupValue, groups } from "./group.ts";
import { groupSettingOf } from "./group-setting.ts";
import { namingOnly } from "./group-value.ts";
import { groupPermissionOf } from "./permissions.ts";

/**
 * A setting does not name people while they are deactivated (see `withoutInactive`). So when an account
 * is deactivated or reactivated, the visible values of the settings that name it change. The stored
 * values stay.
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
      tx.append(organizationUpdatedTogether, { property: "default", data }, everyone);
    }
    for (const group of state.get(groups).all()) {
      const data = told(
        groupPermissionList.map((each) => ({
          name: each.name,
          value: groupPermissionOf(state, group, each),
        })),
      );
      if (Object.keys(data).length > 0) appendGroupUpdated(tx, group, { data });
    }
  },
};

/** The accounts that these patches change, as they are afterwards. */
export function accountsAfter(patches: readonly NamedPatch[]): Map<UserId, User> {
  const list = patchesOf<Users, { put: readonly User[] }>(patches, users).flatMap(({ put }) => put);
  return new Map(list.map((user) => [user.id, user]));
}

/** The accounts that the patches deactivate or reactivate. */
export function changedAccounts(
  state: OrganizationState,
  patches: readonly NamedPatch[],
): ReadonlyMap<UserId, User> {
  const { byId } = state.get(users);
  const isSwitched = (user: User) => {
    const before = byId.get(user.id);
    return before !== undefined && before.isActive !== user.isActive;
  };
  return new Map([...accountsAfter(patches)].filter(([, user]) => isSwitched(user)));
}

export function namesAny(value: GroupValue, people: ReadonlyMap<UserId, User>): boolean {
  return typeof value !== "number" && value.direct_members.some((id) => people.has(id));
}

/** The visible value after the accounts have changed. */
export function valueAfter(
  state: OrganizationState,
  value: GroupValue,
  changed: ReadonlyMap<UserId, User>,
): GroupValue {
  const { byId } = state.get(users);
  return namingOnly(value, (id) => (changed.get(id) ?? byId.get(id))?.isActive === true);
}
