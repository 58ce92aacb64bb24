import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GroupId } from "../../api/ids.ts";
import { PASSWORD } from "../../test/harness/accounts.ts";
import { type CastName, createHarness, type Harness } from "../../test/harness/harness.ts";
import { listen } from "../../test/harness/listener.ts";
import { deactivateUser } from "../people/actions.ts";
import { type User, users } from "../people/user.ts";
import { runStateChange } from "../platform/log/change.ts";
import { groups, isMember } from "./group.ts";

let harness: Harness;
const system: Record<string, number> = {};
beforeAll(async () => {
  harness = await createHarness();
  const { body } = await harness.as("ada").get("/user_groups");
  for (const { name, id } of body.user_groups) system[name.replace("role:", "")] = id;
});
afterAll(() => harness.close());

const ids = (...people: CastName[]) => people.map((name) => harness.user(name).id);
const people = (...named: CastName[]) => ({ direct_members: ids(...named), direct_subgroups: [] });

let made = 0;
async function make(members: number[] = [], more: Record<string, unknown> = {}): Promise<number> {
  const group = { name: `group ${++made}`, description: "", members, ...more };
  const { status, body } = await harness.as("ada").post("/user_groups/create", group);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.group_id;
}

const change = (name: CastName, id: number, what: Record<string, unknown>) =>
  harness.as(name).post(`/user_groups/${id}/members`, what);
const changeSubgroups = (name: CastName, id: number, what: Record<string, unknown>) =>
  harness.as(name).post(`/user_groups/${id}/subgroups`, what);

async function membersOf(id: number, more: Record<string, unknown> = {}): Promise<number[]> {
  return (await harness.as("gus").get(`/user_groups/${id}/members`, more)).body.members;
}

async function subgroupsOf(id: number, more: Record<string, unknown> = {}): Promise<number[]> {
  return (await harness.as("gus").get(`/user_groups/${id}/subgroups`, more)).body.subgroups;
}

/** The response to a call that must change nothing and send no events. */
async function refused(id: number, call: () => Promise<{ status: number; body: Record<string, unknown> }>) {
  const value = async () => [await membersOf(id), await subgroupsOf(id)];
  const before = await value();
  const guest = await listen(harness.as("gus"));
  const { status, body } = await call();
  expect(status, JSON.stringify(body)).toBe(400);
  expect(await guest.heard()).toEqual([]);
  expect(await value()).toEqual(before);
  return body.msg;
}

describe("members", () => {
  test("are added and removed at once, all of them or none", async () => {
    const id = await make(ids("dev", "elin"));
    expect((await change("ada", id, { add: ids("gus", "echo"), delete: ids("dev") })).status).toBe(200);
    expect(await membersOf(id)).toEqual(ids("elin", "gus", "echo"));
    const wrong = { add: [...ids("dev"), 999_999], delete: ids("elin") };
    expect(await refused(id, () => change("ada", id, wrong))).toBe("No such user");
    const add = { add: [harness.user("zed").id] };
    expect(await refused(id, () => change("ada", id, add))).toBe("No such user");
  });

  test("can't be added twice, or removed if they aren't in the group", async () => {
    const id = await make(ids("dev"));
    const dev = harness.user("dev").id;
    expect(await refused(id, () => change("ada", id, { add: ids("elin", "dev") }))).toContain(`User ${dev}`);
    const elin = harness.user("elin").id;
    expect(await refused(id, () => change("ada", id, { delete: ids("dev", "elin") }))).toContain(`${elin}`);
    expect(await refused(id, () => change("ada", id, {}))).toContain("Nothing to do");
    expect(await refused(id, () => changeSubgroups("ada", id, { add: [] }))).toContain("Nothing to do");
    expect((await change("ada", id, { add: [...ids("elin"), ...ids("elin")] })).status).toBe(200);
    expect(await membersOf(id)).toEqual(ids("dev", "elin"));
  });

  test("are not listed while deactivated, and can then be neither added nor removed", async () => {
    const person = { email: "leaver@demo.test", full_name: "Lee Ver", password: PASSWORD };
    const { body } = await harness.as("ada").post("/users", person);
    const id = await make([...ids("dev"), body.user_id]);
    await runStateChange(harness.state, (tx) =>
      deactivateUser(tx, tx.state.get(users).find(body.user_id) as User),
    );
    expect(await membersOf(id)).toEqual(ids("dev"));
    const again = { add: [body.user_id] };
    expect(await refused(id, () => change("ada", id, again))).toBe("No such user");
    expect(await refused(id, () => change("ada", id, { delete: [body.user_id] }))).toContain("not a member");
  });

  test("of a deactivated group can be changed, which gives nobody a permission", async () => {
    const id = await make();
    await harness.as("ada").post(`/user_groups/${id}/deactivate`);
    expect((await change("ada", id, { add: ids("gus"), add_subgroups: [system.moderators] })).status).toBe(
      200,
    );
    expect(await membersOf(id)).toEqual(expect.arrayContaining(ids("gus", "cleo")));
    const gus = harness.user("gus");
    expect(isMember(harness.state, id as GroupId, gus.user)).toBe(false);
    await harness.as("ada").patch(`/user_groups/${id}`, { deactivated: false });
    expect(isMember(harness.state, id as GroupId, gus.user)).toBe(true);
  });

  test("of system groups and of another organization's groups can't be changed", async () => {
    expect(
      await refused(system.members as number, () =>
        change("ada", system.members as number, { add: ids("gus") }),
      ),
    ).toBe("Insufficient permission");
    const theirs = { name: "theirs", description: "", members: [] };
    const { body } = await harness.as("zed").post("/user_groups/create", theirs);
    expect((await change("ada", body.group_id, { add: ids("gus") })).body.msg).toBe("Invalid user group");
    expect((await change("ada", 999_999, { add: ids("gus") })).body.msg).toBe("Invalid user group");
  });
});

describe("the group's settings name the people who may change its members", () => {
  // Each row: the setting, the person it names, the change, and whether it is allowed.
  const add = (...names: CastName[]) => ({ add: names });
  const remove = (...names: CastName[]) => ({ delete: names });
  test.each<[string, CastName, Record<string, CastName[]>, boolean]>([
    ["can_manage_group", "elin", { add: ["gus"], delete: ["dev"] }, true],
    ["can_add_members_group", "elin", add("gus"), true],
    ["can_add_members_group", "elin", add("elin"), true],
    ["can_add_members_group", "elin", remove("dev"), false],
    ["can_add_members_group", "elin", { add: ["gus"], delete: ["dev"] }, false],
    ["can_remove_members_group", "elin", remove("dev"), true],
    ["can_remove_members_group", "elin", add("gus"), false],
    ["can_join_group", "elin", add("elin"), true],
    ["can_join_group", "elin", add("elin", "gus"), false],
    ["can_join_group", "elin", remove("dev"), false],
    ["can_leave_group", "dev", remove("dev"), true],
    ["can_leave_group", "dev", remove("dev", "cleo"), false],
    ["can_leave_group", "dev", add("gus"), false],
    ["can_mention_group", "elin", add("elin"), false],
    // Guests may only leave, even if the setting names them.
    ["can_join_group", "gus", add("gus"), false],
    ["can_add_members_group", "gus", add("gus"), false],
    ["can_manage_group", "gus", add("gus"), false],
    ["can_leave_group", "gus", remove("gus"), true],
  ])("%s: %s, who wants %j: %s", async (setting, who, what, isAllowed) => {
    const members = who === "gus" && what.delete ? ids("dev", "cleo", "gus") : ids("dev", "cleo");
    const id = await make(members, { can_leave_group: system.nobody, [setting]: people(who) });
    const request = Object.fromEntries(Object.entries(what).map(([key, names]) => [key, ids(...names)]));
    if (isAllowed) expect((await change(who, id, request)).status).toBe(200);
    else expect(await refused(id, () => change(who, id, request))).toBe("Insufficient permission");
  });

  test("people who may add and remove members may also add and remove subgroups", async () => {
    const inner = await make();
    const id = await make([], {
      can_add_members_group: people("elin"),
      can_remove_members_group: people("dev"),
    });
    expect(await refused(id, () => changeSubgroups("dev", id, { add: [inner] }))).toBe(
      "Insufficient permission",
    );
    expect((await changeSubgroups("elin", id, { add: [inner] })).status).toBe(200);
    expect(await refused(id, () => changeSubgroups("elin", id, { delete: [inner] }))).toBe(
      "Insufficient permission",
    );
    expect((await change("dev", id, { delete_subgroups: [inner] })).status).toBe(200);
    expect(await subgroupsOf(id)).toEqual([]);
  });
});

describe("subgroups", () => {
  test("add their members to the group, through any number of levels", async () => {
    const inner = await make(ids("gus"));
    const middle = await make(ids("dev"), { subgroups: [inner] });
    const outer = await make(ids("elin"));
    expect((await changeSubgroups("ada", outer, { add: [middle, system.moderators] })).status).toBe(200);
    expect(await membersOf(outer)).toEqual(ids("ada", "ben", "cleo", "dev", "elin", "gus"));
    expect(await membersOf(outer, { direct_member_only: true })).toEqual(ids("elin"));
    const all = [system.owners, system.administrators, system.moderators, inner, middle];
    expect(await subgroupsOf(outer)).toEqual([...all].sort((a, b) => Number(a) - Number(b)));
    expect(await subgroupsOf(outer, { direct_subgroup_only: true })).toEqual([system.moderators, middle]);
    expect((await changeSubgroups("ada", outer, { delete: [middle] })).status).toBe(200);
    expect(await membersOf(outer)).toEqual(ids("ada", "ben", "cleo", "elin"));
  });

  test("can't be added twice, removed if they aren't in the group, or be of another organization", async () => {
    const [id, inner, other] = [await make(), await make(), await make()];
    await changeSubgroups("ada", id, { add: [inner] });
    expect(await refused(id, () => changeSubgroups("ada", id, { add: [inner] }))).toContain("already");
    expect(await refused(id, () => changeSubgroups("ada", id, { delete: [inner, other] }))).toContain(
      `${other}`,
    );
    expect(await refused(id, () => changeSubgroups("ada", id, { add: [999_999] }))).toBe(
      "Invalid user group",
    );
    await harness.as("ada").post(`/user_groups/${other}/deactivate`);
    expect(await refused(id, () => changeSubgroups("ada", id, { add: [other] }))).toContain("deactivated");
  });

  test("can't contain the group, directly or not, or be the group itself", async () => {
    const inner = await make();
    const middle = await make([], { subgroups: [inner] });
    const outer = await make([], { subgroups: [middle] });
    for (const id of [outer, middle, inner]) {
      expect(await refused(inner, () => changeSubgroups("ada", inner, { add: [id] }))).toContain(
        `${id} is this group or contains`,
      );
    }
    expect((await changeSubgroups("ada", outer, { add: [inner] })).status).toBe(200);
  });

  test("can't close a cycle through a group that is deactivated at the moment", async () => {
    const inner = await make();
    const outer = await make([], { subgroups: [inner] });
    await harness.as("ada").post(`/user_groups/${outer}/deactivate`);
    const top = await make();
    await changeSubgroups("ada", inner, { add: [top] });
    await harness.as("ada").patch(`/user_groups/${outer}`, { deactivated: false });
    expect(await refused(top, () => changeSubgroups("ada", top, { add: [outer] }))).toContain("contains");
  });
});

describe("the membership check", () => {
  const ask = async (id: number, name: CastName, more: Record<string, unknown> = {}) =>
    (await harness.as("gus").get(`/user_groups/${id}/members/${harness.user(name).id}`, more)).body
      .is_user_group_member;

  test("counts subgroups, unless the request asks for direct members", async () => {
    const inner = await make(ids("dev"));
    const id = await make(ids("elin"), { subgroups: [inner, system.administrators] });
    expect([await ask(id, "elin"), await ask(id, "dev"), await ask(id, "ada"), await ask(id, "gus")]).toEqual(
      [true, true, true, false],
    );
    const direct = { direct_member_only: true };
    expect([await ask(id, "elin", direct), await ask(id, "dev", direct)]).toEqual([true, false]);
  });

  test("answers for system groups too", async () => {
    const members = system.members as number;
    expect([await ask(members, "dev"), await ask(members, "ada"), await ask(members, "gus")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await ask(members, "ada", { direct_member_only: true })).toBe(false);
    expect(await membersOf(system.internet as number)).toEqual(await membersOf(system.everyone as number));
  });

  test("answers for a deactivated group by its stored members", async () => {
    const inner = await make(ids("dev"));
    const id = await make(ids("elin"), { subgroups: [inner] });
    await harness.as("ada").post(`/user_groups/${id}/deactivate`);
    expect([await ask(id, "elin"), await ask(id, "dev")]).toEqual([true, true]);
    expect(await membersOf(id)).toEqual(ids("dev", "elin"));
  });

  test("is refused for unknown people and groups", async () => {
    const id = await make();
    const answers = [
      await harness.as("gus").get(`/user_groups/${id}/members/${harness.user("zed").id}`),
      await harness.as("gus").get("/user_groups/999999/members/8"),
      await harness.as("gus").get("/user_groups/999999/members"),
      await harness.as("zed").get(`/user_groups/${id}/subgroups`),
    ];
    expect(answers.map(({ status, body }) => [status, body.msg])).toEqual([
      [400, "No such user"],
      [400, "Invalid user group"],
      [400, "Invalid user group"],
      [400, "Invalid user group"],
    ]);
  });
});

test("memory after all changes equals the database rows", async () => {
  const inner = await make(ids("dev", "gus"));
  const id = await make(ids("elin"), { subgroups: [inner], can_join_group: people("cleo") });
  await change("ada", id, { add: ids("cleo", "ada"), delete: ids("elin") });
  await changeSubgroups("ada", id, { add: [system.moderators], delete: [inner] });
  await harness.as("ada").post(`/user_groups/${inner}/deactivate`);
  await harness
    .as("ada")
    .patch(`/user_groups/${id}`, { name: "Another", can_leave_group: { new: people("dev") } });
  const inRows = await groups.load(harness.services.database, harness.state.organizationId);
  expect([...harness.state.get(groups).all()].sort((a, b) => a.id - b.id)).toEqual([...inRows.all()]);
  for (const { user } of ["ada", "cleo", "dev", "elin", "gus"].map((name) =>
    harness.user(name as CastName),
  )) {
    expect([...harness.state.get(groups).of(user.id)].sort()).toEqual([...inRows.of(user.id)].sort());
  }
});
