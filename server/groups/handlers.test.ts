import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CastName, createHarness, type Harness } from "../../test/harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const ids = (...people: CastName[]) => people.map((name) => harness.user(name).id);
const byName = async (name: CastName) => {
  const { body } = await harness.as(name).get("/user_groups");
  return new Map<string, Record<string, unknown>>(
    body.user_groups.map((group: { name: string }) => [group.name, group]),
  );
};

describe("the system groups", () => {
  test("are eight, and each contains the group of the next higher role", async () => {
    const groups = await byName("gus");
    const roleOrder = [
      "role:owners",
      "role:administrators",
      "role:moderators",
      "role:fullmembers",
      "role:members",
      "role:everyone",
      "role:internet",
    ];
    expect([...groups.keys()].sort()).toEqual([...roleOrder, "role:nobody"].sort());
    for (const [index, name] of roleOrder.entries()) {
      const inner = index === 0 ? [] : [groups.get(roleOrder[index - 1] as string)?.id];
      expect(groups.get(name)?.direct_subgroup_ids, name).toEqual(inner);
    }
    expect(groups.get("role:nobody")).toMatchObject({ members: [], direct_subgroup_ids: [] });
  });

  test("list the people of their role", async () => {
    const groups = await byName("dev");
    const members = (name: string) => groups.get(name)?.members;
    expect(members("role:owners")).toEqual(ids("ada"));
    expect(members("role:administrators")).toEqual(ids("ben"));
    expect(members("role:moderators")).toEqual(ids("cleo"));
    expect(members("role:fullmembers")).toEqual(ids("dev", "elin", "echo"));
    expect(members("role:members")).toEqual(ids("dev", "elin", "echo"));
    expect(members("role:everyone")).toEqual(ids("gus"));
    expect(members("role:internet")).toEqual([]);
  });

  test("hold full members only after the waiting period", async () => {
    const wait = (days: number) => harness.as("ada").patch("/realm", { waiting_period_threshold: days });
    expect((await wait(3)).status).toBe(200);
    expect((await byName("dev")).get("role:fullmembers")?.members).toEqual([]);
    expect((await byName("dev")).get("role:members")?.members).toEqual(ids("dev", "elin", "echo"));
    await wait(0);
    expect((await byName("dev")).get("role:fullmembers")?.members).toEqual(ids("dev", "elin", "echo"));
  });

  test("can be changed by nobody: each of their settings names role:nobody", async () => {
    const groups = await byName("dev");
    const nobody = groups.get("role:nobody")?.id;
    for (const group of groups.values()) {
      expect(group).toMatchObject({
        is_system_group: true,
        creator_id: null,
        date_created: null,
        deactivated: false,
      });
      for (const [key, value] of Object.entries(group))
        if (key.startsWith("can_")) expect(value, key).toBe(nobody);
    }
  });

  test("are separate for each organization", async () => {
    const here = new Set([...(await byName("dev")).values()].map(({ id }) => id));
    const there = [...(await byName("zed")).values()];
    expect(there).toHaveLength(8);
    expect(there.filter(({ id }) => here.has(id))).toEqual([]);
  });
});

test("/register lists the same groups", async () => {
  const { body } = await harness.as("dev").post("/register", { fetch_event_types: ["realm_user_groups"] });
  expect(body.realm_user_groups).toEqual([...(await byName("dev")).values()]);
  const { body: other } = await harness.as("dev").post("/register", { fetch_event_types: ["stream"] });
  expect(other).not.toHaveProperty("realm_user_groups");
});
