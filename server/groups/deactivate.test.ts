import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GroupId } from "../../api/ids.ts";
import { type CastName, createHarness, type Harness } from "../../test/harness/harness.ts";
import { listen } from "../../test/harness/listener.ts";
import { isMember } from "./group.ts";

let harness: Harness;
let everyone: number;
beforeAll(async () => {
  harness = await createHarness();
  const { body } = await harness.as("ada").get("/user_groups");
  everyone = body.user_groups.find((group: { name: string }) => group.name === "role:everyone").id;
});
afterAll(() => harness.close());

const ids = (...people: CastName[]) => people.map((name) => harness.user(name).id);

let made = 0;
async function make(more: Record<string, unknown> = {}): Promise<GroupId> {
  const group = { name: `group ${++made}`, description: "", members: ids("dev"), ...more };
  const { status, body } = await harness.as("ada").post("/user_groups/create", group);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.group_id;
}

const deactivate = (name: CastName, id: number) => harness.as(name).post(`/user_groups/${id}/deactivate`);
const remove = (name: CastName, id: number) => harness.as(name).delete(`/user_groups/${id}`);
const change = (id: number, what: Record<string, unknown>) =>
  harness.as("ada").patch(`/user_groups/${id}`, what);

const listed = async (more: Record<string, unknown> = {}) =>
  (await harness.as("dev").get("/user_groups", more)).body.user_groups.map(
    (group: { id: number }) => group.id,
  );
const withDeactivated = { include_deactivated_groups: true };

/** The error that both deactivating and deleting give. Neither may change anything. */
async function objectionsTo(id: number): Promise<unknown> {
  const guest = await listen(harness.as("gus"));
  const answers = [await deactivate("ada", id), await remove("ada", id)];
  expect(await guest.heard()).toEqual([]);
  expect(await listed()).toContain(id);
  for (const { status, body } of answers)
    expect([status, body.code]).toEqual([400, "CANNOT_DEACTIVATE_GROUP_IN_USE"]);
  expect(answers[0]?.body.objections).toEqual(answers[1]?.body.objections);
  return answers[0]?.body.objections;
}

describe("a deactivated group", () => {
  test("is listed only for clients that ask for deactivated groups", async () => {
    const id = await make();
    expect((await deactivate("ada", id)).status).toBe(200);
    expect(await listed()).not.toContain(id);
    expect(await listed(withDeactivated)).toContain(id);
    const register = async (capabilities: Record<string, boolean>) => {
      const { body } = await harness.as("dev").post("/register", {
        fetch_event_types: ["realm_user_groups"],
        client_capabilities: { notification_settings_null: true, ...capabilities },
      });
      return body.realm_user_groups.map((group: { id: number }) => group.id);
    };
    expect(await register({})).not.toContain(id);
    expect(await register(withDeactivated)).toContain(id);
  });

  test("gives nobody a permission until it is reactivated", async () => {
    const id = await make();
    const isIn = () => isMember(harness.state, id, harness.user("dev").user);
    expect(isIn()).toBe(true);
    await deactivate("ada", id);
    expect(isIn()).toBe(false);
    expect((await change(id, { deactivated: false })).status).toBe(200);
    expect(isIn()).toBe(true);
  });

  test("can't be named in settings or become a subgroup", async () => {
    const [id, other] = [await make(), await make()];
    await deactivate("ada", id);
    const named = { direct_members: ids("elin"), direct_subgroups: [id] };
    const answers = [
      await change(other, { can_join_group: { new: id } }),
      await change(other, { can_join_group: { new: named } }),
      await harness.as("ada").patch("/realm", { can_create_groups: { new: id } }),
      await harness.as("ada").post(`/user_groups/${other}/subgroups`, { add: [id] }),
      await harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: "new" }],
        can_send_message_group: id,
      }),
    ];
    for (const { status, body } of answers) expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  });

  test("can't be mentioned", async () => {
    const id = await make({ name: "sleepers" });
    await deactivate("ada", id);
    const message = { type: "direct", to: ids("dev"), content: "@*sleepers*" };
    const { body } = await harness.as("ada").post("/messages", message);
    const { body: fetched } = await harness.as("ada").get(`/messages/${body.id}`);
    expect(fetched.message.content).toBe("<p>@<em>sleepers</em></p>");
  });

  test("can be changed, and reactivated by the same request", async () => {
    const id = await make();
    await deactivate("ada", id);
    expect((await change(id, { name: "Quiet" })).status).toBe(200);
    expect((await change(id, { description: "x", can_leave_group: { new: everyone } })).status).toBe(200);
    expect(await listed()).not.toContain(id);
    expect((await change(id, { deactivated: true })).body.msg).toContain("can only be false");
    expect((await change(id, { deactivated: false, description: "x" })).status).toBe(200);
    expect((await change(id, { deactivated: false })).status).toBe(200);
    expect((await change(id, { deactivated: true })).body.msg).toContain("can only be false");
    expect(await listed()).toContain(id);
  });

  test("can't be deactivated again, but can be deleted", async () => {
    const id = await make();
    await deactivate("ada", id);
    const { status, body } = await deactivate("ada", id);
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect((await remove("ada", id)).status).toBe(200);
    expect(await listed(withDeactivated)).not.toContain(id);
    expect((await remove("ada", id)).body.msg).toBe("Invalid user group");
  });
});

describe("only the managers of a group", () => {
  test.each([
    ["deactivate", deactivate],
    ["delete", remove],
  ])("%s it", async (_, end) => {
    const id = await make({ can_manage_group: { direct_members: ids("elin"), direct_subgroups: [] } });
    for (const name of ["ben", "cleo", "dev", "gus", "echo"] as const) {
      expect((await end(name, id)).status, name).toBe(400);
    }
    expect((await end("zed", id)).body.msg).toBe("Invalid user group");
    expect((await end("ada", everyone)).body.msg).toBe("Insufficient permission");
    expect(await listed()).toEqual(expect.arrayContaining([id, everyone]));
    expect((await end("elin", id)).status).toBe(200);
    expect(await listed()).not.toContain(id);
  });
});

describe("a group in use can't be deactivated or deleted, and the error names the uses", () => {
  test("when it is a subgroup of other groups", async () => {
    const id = await make();
    const [one, two] = [await make({ subgroups: [id] }), await make({ subgroups: [id] })];
    expect(await objectionsTo(id)).toEqual([{ type: "subgroup", supergroup_ids: [one, two] }]);
    await deactivate("ada", one);
    expect(await objectionsTo(id)).toEqual([{ type: "subgroup", supergroup_ids: [one, two] }]);
    await remove("ada", one);
    await remove("ada", two);
    expect((await deactivate("ada", id)).status).toBe(200);
  });

  test("when settings of the organization name it, alone or among others", async () => {
    const id = await make();
    const among = { direct_members: ids("elin"), direct_subgroups: [id] };
    const set = (value: unknown) =>
      harness.as("ada").patch("/realm", {
        can_add_custom_emoji_group: { new: value },
        can_create_bots_group: { new: value === id ? among : value },
      });
    expect((await set(id)).status).toBe(200);
    expect(await objectionsTo(id)).toEqual([
      { type: "realm", settings: ["can_add_custom_emoji_group", "can_create_bots_group"] },
    ]);
    const { body } = await harness.as("ada").get("/user_groups");
    await set(body.user_groups.find((group: { name: string }) => group.name === "role:members").id);
    expect((await deactivate("ada", id)).status).toBe(200);
  });

  test("when settings of channels name it", async () => {
    const id = await make();
    const channel = await harness.channel("by few", ["ada"], {
      groupSettings: { can_send_message_group: id, can_administer_channel_group: id },
    });
    expect(await objectionsTo(id)).toEqual([
      {
        type: "channel",
        channel_id: channel.id,
        settings: ["can_administer_channel_group", "can_send_message_group"],
      },
    ]);
  });

  test("when settings of groups name it, its own or those of other groups", async () => {
    const id = await make();
    await change(id, { can_manage_group: { new: { direct_members: ids("ada"), direct_subgroups: [id] } } });
    const other = await make({ can_mention_group: id, can_leave_group: id });
    expect(await objectionsTo(id)).toEqual([
      { type: "user_group", group_id: id, settings: ["can_manage_group"] },
      { type: "user_group", group_id: other, settings: ["can_leave_group", "can_mention_group"] },
    ]);
    await remove("ada", other);
    await change(id, { can_manage_group: { new: { direct_members: ids("ada"), direct_subgroups: [] } } });
    expect((await remove("ada", id)).status).toBe(200);
  });
});

test("deleting a group frees its name, and its subgroups can then be deactivated", async () => {
  const inner = await make();
  const id = await make({ name: "Gone tomorrow", subgroups: [inner], members: ids("dev", "elin") });
  expect((await remove("ada", id)).status).toBe(200);
  expect((await deactivate("ada", inner)).status).toBe(200);
  await make({ name: "gone tomorrow" });
});
