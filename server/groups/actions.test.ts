import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PASSWORD } from "../../test/harness/accounts.ts";
import { type CastName, createHarness, type Harness } from "../../test/harness/harness.ts";
import { listen } from "../../test/harness/listener.ts";
import { deactivateUser } from "../people/actions.ts";
import { type User, users } from "../people/user.ts";
import { runStateChange } from "../platform/log/change.ts";

let harness: Harness;
let nobody: number;
let moderators: number;
let foreign: number;
let foreignPerson: number;
beforeAll(async () => {
  harness = await createHarness();
  const { body } = await harness.as("ada").get("/user_groups");
  const find = (name: string) => body.user_groups.find((group: { name: string }) => group.name === name).id;
  nobody = find("role:nobody");
  moderators = find("role:moderators");
  foreign = (
    await harness.as("zed").post("/user_groups/create", { name: "theirs", description: "", members: [] })
  ).body.group_id;
  foreignPerson = harness.user("zed").id;
});
afterAll(() => harness.close());

const ids = (...people: CastName[]) => people.map((name) => harness.user(name).id);
const people = (...named: CastName[]) => ({ direct_members: ids(...named), direct_subgroups: [] });

let made = 0;
const create = (name: CastName, params: Record<string, unknown> = {}) =>
  harness
    .as(name)
    .post("/user_groups/create", { name: `group ${++made}`, description: "", members: [], ...params });

async function make(params: Record<string, unknown> = {}): Promise<number> {
  const { status, body } = await create("ada", params);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.group_id;
}

async function shown(id: number): Promise<Record<string, unknown>> {
  const { body } = await harness.as("gus").get("/user_groups", { include_deactivated_groups: true });
  return body.user_groups.find((group: { id: number }) => group.id === id);
}

/** The response to a call that must change nothing and send no events. */
async function refused(call: () => Promise<{ status: number; body: Record<string, unknown> }>) {
  const groups = async () =>
    (await harness.as("gus").get("/user_groups", { include_deactivated_groups: true })).body;
  const before = await groups();
  const guest = await listen(harness.as("gus"));
  const { status, body } = await call();
  expect(status, JSON.stringify(body)).toBe(400);
  expect(await guest.heard()).toEqual([]);
  expect(await groups()).toEqual(before);
  return body;
}

async function newcomer(): Promise<number> {
  const email = `newcomer${++made}@demo.test`;
  const person = { email, full_name: "New Comer", password: PASSWORD };
  return (await harness.as("ada").post("/users", person)).body.user_id;
}

const leave = (id: number) =>
  runStateChange(harness.state, (tx) => deactivateUser(tx, tx.state.get(users).find(id) as User));

async function someoneGone(): Promise<number> {
  const id = await newcomer();
  await leave(id);
  return id;
}

const denied = { code: "BAD_REQUEST", msg: "Insufficient permission" };

describe("a new group", () => {
  test("has the properties that the request gives", async () => {
    const inner = await make();
    const id = await make({
      name: "  Apps ",
      description: "They make apps",
      members: ids("dev", "gus", "echo", "dev"),
      subgroups: [inner, moderators],
      can_mention_group: people("dev", "elin"),
      can_join_group: { direct_members: [], direct_subgroups: [inner] },
    });
    expect(await shown(id)).toMatchObject({
      name: "Apps",
      description: "They make apps",
      creator_id: harness.user("ada").id,
      members: ids("dev", "gus", "echo"),
      direct_subgroup_ids: [moderators, inner],
      is_system_group: false,
      deactivated: false,
      can_mention_group: people("dev", "elin"),
      can_join_group: inner,
      can_manage_group: people("ada"),
      can_add_members_group: people("ada"),
      can_remove_members_group: nobody,
    });
  });

  test("can be made by members and their bots, and by others if the organization allows it", async () => {
    for (const name of ["ada", "cleo", "dev", "echo"] as const)
      expect((await create(name)).status, name).toBe(200);
    await harness.as("ada").patch("/realm", { can_create_groups: { new: people("elin", "gus") } });
    expect(await refused(() => create("dev"))).toMatchObject(denied);
    expect((await create("elin")).status).toBe(200);
    // A guest may not, even if named.
    expect(await refused(() => create("gus"))).toMatchObject(denied);
    const { body } = await harness.as("ada").get("/user_groups");
    const { id } = body.user_groups.find((group: { name: string }) => group.name === "role:members");
    await harness.as("ada").patch("/realm", { can_create_groups: { new: id } });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["no name", { name: "  " }, "1 to 100"],
    ["a name that is too long", { name: "x".repeat(101) }, "1 to 100"],
    ["a line break in its name", { name: "a\nb" }, "1 to 100"],
    ["the beginning of a mention", { name: "@all" }, "'@'"],
    ["the name of a system group", { name: "Role:Owners" }, "'role:'"],
    ["the beginning of a link", { name: "channel:x" }, "'channel:'"],
    ["a description that is too long", { description: "x".repeat(1025) }, "too long"],
    ["people who are not here", { members: [999_999] }, "No such user"],
    ["groups that are not here", { subgroups: [999_999] }, "Invalid user group"],
    ["a setting that names nobody here", { can_join_group: 999_999 }, "Invalid user group"],
    ["everyone as managers", { can_manage_group: "everyone" }, "'can_manage_group'"],
  ])("can't have %s", async (_, params, text) => {
    const { body } = await harness.as("ada").get("/user_groups");
    const everyone = body.user_groups.find((group: { name: string }) => group.name === "role:everyone").id;
    const given = Object.fromEntries(
      Object.entries(params).map(([key, value]) => [key, value === "everyone" ? everyone : value]),
    );
    const answer = await refused(() => create("ada", given));
    expect(answer).toMatchObject({ code: "BAD_REQUEST", msg: expect.stringContaining(text) });
  });

  test("can't hold people or groups of another organization, or deactivated people", async () => {
    const gone = await someoneGone();
    expect((await refused(() => create("ada", { members: [foreignPerson] }))).msg).toBe("No such user");
    expect((await refused(() => create("ada", { members: [gone] }))).msg).toBe("No such user");
    expect((await refused(() => create("ada", { subgroups: [foreign] }))).msg).toBe("Invalid user group");
    expect((await refused(() => create("ada", { can_join_group: foreign }))).msg).toBe("Invalid user group");
  });

  test("can't have the name of another group, deactivated or not, whatever its case", async () => {
    const id = await make({ name: "Taken" });
    expect((await refused(() => create("dev", { name: "tAKEN" }))).msg).toBe(
      "User group 'tAKEN' already exists.",
    );
    await harness.as("ada").post(`/user_groups/${id}/deactivate`);
    expect((await refused(() => create("dev", { name: "taken" }))).msg).toContain("already exists");
    await harness.as("ada").delete(`/user_groups/${id}`);
    expect((await create("dev", { name: "taken" })).status).toBe(200);
  });
});

describe("changing a group", () => {
  const change = (name: CastName, id: number, what: Record<string, unknown>) =>
    harness.as(name).patch(`/user_groups/${id}`, what);

  test("is allowed to its managers, and to people who may manage all groups", async () => {
    const id = await make({ can_manage_group: people("dev") });
    for (const name of ["ada", "dev"] as const) {
      expect((await change(name, id, { description: `by ${name}` })).status, name).toBe(200);
      expect((await shown(id)).description).toBe(`by ${name}`);
    }
    for (const name of ["ben", "elin", "echo"] as const)
      expect(await refused(() => change(name, id, { description: "mine" })), name).toMatchObject(denied);
    await harness.as("ada").patch("/realm", { can_manage_all_groups: { new: people("elin") } });
    expect((await change("elin", id, { description: "by elin" })).status).toBe(200);
    expect(await refused(() => change("ada", id, { description: "mine" }))).toMatchObject(denied);
    const { body } = await harness.as("ada").get("/user_groups");
    const owners = body.user_groups.find((group: { name: string }) => group.name === "role:owners").id;
    await harness.as("ada").patch("/realm", { can_manage_all_groups: { new: owners } });
  });

  test("is refused for a system group and for a group of another organization", async () => {
    expect(await refused(() => change("ada", moderators, { description: "x" }))).toMatchObject(denied);
    expect((await refused(() => change("ada", foreign, { description: "x" }))).msg).toBe(
      "Invalid user group",
    );
    expect((await refused(() => change("ada", 999_999, { description: "x" }))).msg).toBe(
      "Invalid user group",
    );
  });

  test("applies everything in the request, or nothing", async () => {
    const id = await make({ name: "Whole" });
    const wrong = { description: "new", name: "Better", can_join_group: { new: 999_999 } };
    await refused(() => change("ada", id, wrong));
    expect((await change("ada", id, { ...wrong, can_join_group: { new: moderators } })).status).toBe(200);
    expect(await shown(id)).toMatchObject({
      description: "new",
      name: "Better",
      can_join_group: moderators,
    });
    expect((await change("ada", id, { name: "bETTER" })).status).toBe(200);
    expect((await shown(id)).name).toBe("bETTER");
  });

  test("sends no events for properties that stay the same", async () => {
    const id = await make({ name: "Same", can_join_group: moderators });
    const guest = await listen(harness.as("gus"));
    const same = { direct_members: [], direct_subgroups: [moderators] };
    expect((await change("ada", id, { name: "Same", can_join_group: { new: same } })).status).toBe(200);
    expect(await guest.heard()).toEqual([]);
    expect((await refused(() => change("ada", id, {}))).msg).toContain("Nothing");
  });

  test("requires the old value of a setting, if given, to be still current", async () => {
    const id = await make({ can_join_group: people("dev", "elin") });
    const set = (from: unknown, to: unknown) => change("ada", id, { can_join_group: { new: to, old: from } });
    expect((await refused(() => set(moderators, nobody))).code).toBe("EXPECTATION_MISMATCH");
    expect((await set(people("elin", "dev"), moderators)).status).toBe(200);
    expect((await set({ direct_members: [], direct_subgroups: [moderators] }, nobody)).status).toBe(200);
    expect((await shown(id)).can_join_group).toBe(nobody);
  });

  test("ignores deactivated people in settings, also when it compares the old value", async () => {
    const gone = await someoneGone();
    const id = await make({
      can_join_group: { direct_members: [...ids("dev"), gone], direct_subgroups: [] },
    });
    expect((await shown(id)).can_join_group).toEqual(people("dev"));
    const leaving = await newcomer();
    const both = { direct_members: [...ids("dev"), leaving], direct_subgroups: [] };
    expect((await change("ada", id, { can_join_group: { new: both } })).status).toBe(200);
    await leave(leaving);
    const next = { new: people("elin"), old: people("dev") };
    expect((await change("ada", id, { can_join_group: next })).status).toBe(200);
  });

  test("refuses a name that is in use or not allowed", async () => {
    const id = await make();
    await make({ name: "Occupied" });
    expect((await refused(() => change("ada", id, { name: "occupied" }))).msg).toContain("already exists");
    expect((await refused(() => change("ada", id, { name: "user:1" }))).msg).toContain("'user:'");
  });
});
