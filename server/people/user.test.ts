import { expect, test } from "vitest";
import type { Position, UserId } from "../../api/ids.ts";
import { roles } from "../../api/roles.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { type User, Users, users } from "./user.ts";

const user: User = {
  id: 7 as UserId,
  email: "dev@demo.test",
  fullName: "Dev Rao",
  role: roles.member,
  isActive: true,
  botType: null,
  botOwnerId: null,
  isSystem: false,
  canChangeEmails: false,
  isErased: false,
  timezone: "UTC",
  avatarVersion: 1,
  avatarFile: "picture",
  joinedAt: "2026-01-01T00:00:00.000Z",
  settings: {},
};

/** The account after a patch of a node of an earlier version, which does not know some fields. */
function afterEarlierNode(without: readonly (keyof User)[], changed: Partial<User>): User | undefined {
  const all = new Users();
  all.put(user);
  const fields = Object.entries({ ...user, ...changed });
  const patch = Object.fromEntries(fields.filter(([name]) => !without.includes(name as keyof User)));
  users.apply(all, { put: [patch as unknown as User] }, {} as OrganizationState, 1 as Position);
  return all.find(user.id);
}

test("a node that does not know erasures can remove a picture", () => {
  expect(afterEarlierNode(["isErased"], { avatarFile: null })).toEqual({ ...user, avatarFile: null });
});

test("a node that does not know pictures leaves them", () => {
  const renamed = afterEarlierNode(["isErased", "avatarFile"], { fullName: "Dev R." });
  expect(renamed).toEqual({ ...user, fullName: "Dev R." });
});
