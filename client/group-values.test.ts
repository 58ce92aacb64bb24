import { expect, test } from "vitest";
import {
  allowedGroups,
  isSameValue,
  namedBy,
  type PermissionRules,
  permissionRules,
  valueNaming,
  writeValue,
} from "./group-values.ts";
import { Model } from "./model/model.ts";

const system = [
  ...["role:nobody", "role:owners", "role:administrators", "role:moderators"],
  ...["role:fullmembers", "role:members", "role:everyone", "role:internet"],
];
const NOBODY = 1;
const OWNERS = 2;
const WRITERS = 20;

const rules: PermissionRules = {
  require_system_group: false,
  allow_internet_group: false,
  allow_nobody_group: true,
  allow_everyone_group: true,
  allowed_system_groups: [],
};

function modelOf(changes: Record<string, unknown> = {}) {
  const group = { members: [], direct_subgroup_ids: [], deactivated: false };
  return Model.fromSnapshot({
    user_id: 7,
    realm_users: [{ user_id: 7, full_name: "Mel", role: 400 }],
    realm_user_groups: [
      ...system.map((name, at) => ({ ...group, id: at + 1, name, is_system_group: true })),
      { ...group, id: WRITERS, name: "writers", is_system_group: false },
      { ...group, id: 21, name: "gone", is_system_group: false, deactivated: true },
    ],
    realm_waiting_period_threshold: 0,
    ...changes,
  });
}

const names = (model: Model, changed: Partial<typeof rules>) =>
  allowedGroups(model, { ...rules, ...changed }).map(({ name }) => name.replace("role:", ""));

test("a permission offers the system groups that it allows, the widest first, and then the others", () => {
  const usual = ["everyone", "members", "moderators", "administrators", "owners", "nobody", "writers"];
  expect(names(modelOf(), {})).toEqual(usual);
  expect(names(modelOf(), { allow_everyone_group: false, allow_nobody_group: false })).toEqual(
    usual.filter((name) => !["everyone", "nobody"].includes(name)),
  );
  expect(names(modelOf(), { allow_internet_group: true })[0]).toBe("internet");
  const limited = { require_system_group: true, allowed_system_groups: ["role:owners", "role:nobody"] };
  expect(names(modelOf(), limited)).toEqual(["owners", "nobody"]);
});

test("full members are offered where there is a waiting period", () => {
  expect(names(modelOf({ realm_waiting_period_threshold: 3 }), {})).toContain("fullmembers");
  expect(names(modelOf(), {})).not.toContain("fullmembers");
});

test("the rules of a permission come from the server", () => {
  const stream = { can_send_message_group: { ...rules, allow_nobody_group: false } };
  const model = modelOf({ server_supported_permission_settings: { realm: {}, stream, group: {} } });
  expect(permissionRules(model, "stream", "can_send_message_group").allow_nobody_group).toBe(false);
  expect(permissionRules(model, "stream", "unheard_of").allow_nobody_group).toBe(true);
});

test("one group alone is that group, and nobody at all is the group of nobody", () => {
  const model = modelOf();
  expect(valueNaming(model, { userIds: [], groupIds: [WRITERS] })).toBe(WRITERS);
  expect(valueNaming(model, { userIds: [], groupIds: [] })).toBe(NOBODY);
  const mixed = { directMembers: [7], directSubgroups: [OWNERS] };
  expect(valueNaming(model, { userIds: [7], groupIds: [NOBODY, OWNERS] })).toEqual(mixed);
  expect(namedBy(model, NOBODY)).toEqual({ userIds: [], groupIds: [] });
  expect(namedBy(model, OWNERS)).toEqual({ userIds: [], groupIds: [OWNERS] });
  expect(writeValue(mixed)).toEqual({ direct_members: [7], direct_subgroups: [OWNERS] });
});

test("values with the same people and groups are the same in any order", () => {
  const one = { directMembers: [7, 8], directSubgroups: [OWNERS] };
  expect(isSameValue(one, { directMembers: [8, 7], directSubgroups: [OWNERS] })).toBe(true);
  expect(isSameValue(one, { directMembers: [7], directSubgroups: [OWNERS] })).toBe(false);
  expect(isSameValue(OWNERS, { directMembers: [], directSubgroups: [OWNERS] })).toBe(false);
});
