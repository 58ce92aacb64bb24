import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { userRoleChanged } from "../../api/events/users.ts";
import { type Role, roles } from "../../api/roles.ts";
import type { QueuedEvent } from "../../client/contract.ts";
import { deactivateUser } from "../../server/people/actions.ts";
import { users } from "../../server/people/user.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { everyone } from "../../server/platform/log/log-entry.ts";
import { patchOf } from "../../server/platform/log/projection.ts";
import { expectSuccess } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, type Form, followAll, forms } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** Clients without `include_deactivated_groups`. */
const older: { forms: Form[] } = { forms: [forms.plain, forms.modern] };

const ids = (people: readonly CastName[]) => people.map((name) => harness.user(name).id);

async function make(
  name: string,
  people: readonly CastName[] = [],
  more: Record<string, unknown> = {},
): Promise<number> {
  const group = { name, description: `The ${name}`, members: ids(people), ...more };
  const { status, body } = await harness.as("ada").post("/user_groups/create", group);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.group_id;
}

const change = (id: number, what: Record<string, unknown>) =>
  expectSuccess(harness.as("ada").patch(`/user_groups/${id}`, what));
const members = (id: number, what: Record<string, unknown>) =>
  expectSuccess(harness.as("ada").post(`/user_groups/${id}/members`, what));
const subgroups = (id: number, what: Record<string, unknown>) =>
  expectSuccess(harness.as("ada").post(`/user_groups/${id}/subgroups`, what));
const deactivate = (id: number) => expectSuccess(harness.as("ada").post(`/user_groups/${id}/deactivate`));
const reactivate = (id: number) => change(id, { deactivated: false });
const remove = (id: number) => expectSuccess(harness.as("ada").delete(`/user_groups/${id}`));

/** Changes rows and memory as a change of a user's role does. */
const giveRole = (name: CastName, role: Role) =>
  runStateChange(harness.state, async (tx) => {
    const { user } = harness.user(name);
    await tx.query(sql`
      update users set role = ${role} where organization_id = ${harness.state.organizationId} and id = ${user.id}`);
    const patch = patchOf(users, { put: [{ ...user, role }] });
    tx.append(userRoleChanged, { person: { user_id: user.id, role } }, everyone, patch);
  });

const systemGroup = async (name: string) => {
  const { body } = await harness.as("ada").get("/user_groups");
  return body.user_groups.find((group: { name: string }) => group.name === name).id as number;
};

describe("everyone in the organization gets an event", () => {
  test("for a new group, with its people, subgroups and settings", async () => {
    const inner = await make("inner", ["gus"]);
    const heard = await followAll(harness, everybody, () =>
      make("outer", ["dev", "echo"], {
        subgroups: [inner],
        can_mention_group: { direct_members: ids(["elin"]), direct_subgroups: [inner] },
      }),
    );
    expect(eventNames(heard.gus)).toEqual(["user_group/add"]);
    expect(heard.zed).toEqual([]);
  });

  test("for a new name, description and settings together", async () => {
    const id = await make("readers", ["dev"]);
    const what = {
      name: "Writers",
      description: "They write",
      can_join_group: { new: await make("joiners") },
    };
    const heard = await followAll(harness, everybody, () => change(id, what));
    expect(eventNames(heard.dev)).toEqual(["user_group/update"]);
    expect(Object.keys(heard.dev?.[0]?.data as object).sort()).toEqual([
      "can_join_group",
      "description",
      "name",
    ]);
  });

  test("for people who are added or removed", async () => {
    const id = await make("travellers", ["dev", "elin"]);
    const heard = await followAll(harness, everybody, () =>
      members(id, { add: ids(["cleo", "gus"]), delete: ids(["dev"]) }),
    );
    expect(eventNames(heard.elin)).toEqual(["user_group/add_members", "user_group/remove_members"]);
  });

  test("for subgroups that are added or removed", async () => {
    const [id, one, other] = [await make("nest"), await make("egg"), await make("bird")];
    await followAll(harness, everybody, () => subgroups(id, { add: [one] }));
    const heard = await followAll(harness, everybody, () =>
      members(id, { add_subgroups: [other], delete_subgroups: [one] }),
    );
    expect(eventNames(heard.gus)).toEqual(["user_group/add_subgroups", "user_group/remove_subgroups"]);
  });

  test("for a group that is deleted", async () => {
    const id = await make("short-lived", ["dev"]);
    const heard = await followAll(harness, everybody, () => remove(id));
    expect(eventNames(heard.gus)).toEqual(["user_group/remove"]);
  });

  test("and nobody in another organization does", () =>
    expectSilence(harness, { hears: "gus", silent: ["zed"] }, () => make("secretive", ["dev"])));
});

describe("a deactivated group", () => {
  let id: number;
  beforeAll(async () => {
    id = await make("resting", ["dev", "elin"]);
  });
  const heardBy = async (options: typeof older | undefined, verb: () => Promise<unknown>) =>
    eventNames((await followAll(harness, everybody, verb, options)).cleo as QueuedEvent[]);

  test("is sent as a change to clients that know deactivated groups", async () => {
    expect(await heardBy(undefined, () => deactivate(id))).toEqual(["user_group/update"]);
    expect(await heardBy(undefined, () => reactivate(id))).toEqual(["user_group/update"]);
  });

  test("is removed and added again for other clients", async () => {
    expect(await heardBy(older, () => deactivate(id))).toEqual(["user_group/remove"]);
    expect(await heardBy(older, () => change(id, { name: "Renamed at rest" }))).toEqual([]);
    expect(await heardBy(older, () => change(id, { deactivated: false, description: "Back" }))).toEqual([
      "user_group/add",
    ]);
  });

  test("can be renamed, and clients that know deactivated groups get the event", async () => {
    await deactivate(id);
    expect(await heardBy(undefined, () => change(id, { name: "Asleep" }))).toEqual(["user_group/update"]);
    await reactivate(id);
  });

  test("can get new people and settings, sent to clients that know deactivated groups", async () => {
    const [dormant, inner] = [await make("hibernating", ["dev"]), await make("burrow")];
    await deactivate(dormant);
    const verb = async () => {
      await members(dormant, { add: ids(["gus"]), delete: ids(["dev"]) });
      await subgroups(dormant, { add: [inner] });
      await subgroups(dormant, { delete: [inner] });
      await change(dormant, { description: "They sleep", can_join_group: { new: inner } });
    };
    const heard = await followAll(harness, everybody, verb, { forms: [forms.modern, forms.plain] });
    expect(eventNames(heard.cleo)).toEqual([
      "user_group/add_members",
      "user_group/remove_members",
      "user_group/add_subgroups",
      "user_group/remove_subgroups",
      "user_group/update",
    ]);
    expect(await heardBy(older, () => members(dormant, { delete: ids(["gus"]) }))).toEqual([]);
    expect(await heardBy(older, () => reactivate(dormant))).toEqual(["user_group/add"]);
  });

  test("is deleted without an event for other clients", async () => {
    await deactivate(id);
    expect(await heardBy(older, () => remove(id))).toEqual([]);
    const another = await make("another", ["dev"]);
    await deactivate(another);
    expect(await heardBy(undefined, () => remove(another))).toEqual(["user_group/remove"]);
  });

  test("loses people whose accounts are deactivated, without an event for other clients", async () => {
    const dormant = await make("dormant", ["dev", "elin"]);
    await deactivate(dormant);
    const stay = everybody.filter((name) => name !== "elin");
    const heard = await followAll(
      harness,
      stay,
      () => runStateChange(harness.state, (tx) => deactivateUser(tx, harness.user("elin").user)),
      older,
    );
    const groupIds = heard.ada?.filter(({ type }) => type === "user_group").map(({ group_id }) => group_id);
    expect(groupIds).not.toEqual([]);
    expect(groupIds).not.toContain(dormant);
  });
});

describe("a group that a private channel names", () => {
  let outer: number;
  let inner: number;
  let channelId: number;
  const viewers = everybody.filter((name) => name !== "elin");
  const concerns = ({ type }: QueuedEvent) => type === "stream" || type === "subscription";
  const channelEvents = (events: readonly QueuedEvent[] | undefined) => eventNames(events?.filter(concerns));

  beforeAll(async () => {
    outer = await make("staff");
    inner = await make("interns");
    const channel = await harness.channel("vault", ["ada", "echo"], {
      isPrivate: true,
      groupSettings: { can_add_subscribers_group: outer },
    });
    channelId = channel.id;
    await harness.channel("lobby", ["ada"]);
  });

  test("shows the channel and its subscribers to people who join the group, and to no others", async () => {
    const heard = await followAll(harness, viewers, () => members(outer, { add: ids(["dev"]) }));
    expect(channelEvents(heard.dev)).toEqual(["stream/create", "subscription/peer_add"]);
    expect(channelEvents(heard.cleo)).toEqual([]);
    const { body } = await harness.as("dev").get(`/streams/${channelId}`);
    expect(body.stream).toMatchObject({ name: "vault", subscriber_count: 2 });
  });

  test("hides the channel from people who leave the group", async () => {
    const heard = await followAll(harness, viewers, () => members(outer, { delete: ids(["dev"]) }));
    expect(channelEvents(heard.dev)).toEqual(["stream/delete"]);
    expect(heard.dev?.find(concerns)).toMatchObject({ stream_ids: [channelId] });
    expect(channelEvents(heard.cleo)).toEqual([]);
  });

  test("includes its subgroups' members, also when subgroups are added, changed or removed", async () => {
    await members(inner, { add: ids(["dev"]) });
    const came = await followAll(harness, viewers, () => subgroups(outer, { add: [inner] }));
    expect(channelEvents(came.dev)).toEqual(["stream/create", "subscription/peer_add"]);
    const changed = await followAll(harness, viewers, () =>
      members(inner, { add: ids(["cleo"]), delete: ids(["dev"]) }),
    );
    expect(channelEvents(changed.dev)).toEqual(["stream/delete"]);
    expect(channelEvents(changed.cleo)).toEqual(["stream/create", "subscription/peer_add"]);
    const went = await followAll(harness, viewers, () => subgroups(outer, { delete: [inner] }));
    expect(channelEvents(went.cleo)).toEqual(["stream/delete"]);
  });

  test("shows guests nothing, and administrators nothing new", async () => {
    const heard = await followAll(harness, viewers, () =>
      members(outer, { add: ids(["gus", "ben", "dev"]) }),
    );
    expect(channelEvents(heard.dev)).not.toEqual([]);
    expect(channelEvents(heard.gus)).toEqual([]);
    expect(channelEvents(heard.ben)).toEqual([]);
    await members(outer, { delete: ids(["gus", "ben", "dev"]) });
  });

  test("shows the channel to former subscribers", async () => {
    const path = "/users/me/subscriptions";
    const subscription = { subscriptions: [{ name: "vault" }], principals: ids(["cleo"]) };
    await expectSuccess(harness.as("ada").post(path, subscription));
    await expectSuccess(harness.as("cleo").delete(path, { subscriptions: ["vault"] }));
    const heard = await followAll(harness, viewers, () => members(outer, { add: ids(["cleo"]) }));
    expect(channelEvents(heard.cleo)).toEqual(["stream/create", "subscription/peer_add"]);
    const left = await followAll(harness, viewers, () => members(outer, { delete: ids(["cleo"]) }));
    expect(channelEvents(left.cleo)).toEqual(["stream/delete"]);
  });

  test("changes nothing for subscribers", async () => {
    await followAll(harness, viewers, async () => {
      await members(outer, { add: ids(["echo"]) });
      await members(outer, { delete: ids(["echo"]) });
    });
    const { body } = await harness.as("echo").get(`/streams/${channelId}`);
    expect(body.stream.name).toBe("vault");
  });

  test.each([
    [roles.guest, "a member becomes a guest", ["stream/delete"]],
    [roles.member, "a guest becomes a member", ["stream/create", "subscription/peer_add"]],
    [roles.administrator, "a member becomes an administrator", ["stream/create", "subscription/peer_add"]],
    [roles.member, "an administrator becomes a member", ["stream/delete"]],
  ])("decides together with a person's role who knows of the channel (%i: %s)", async (role, _, expected) => {
    const heard = await followAll(harness, viewers, () => giveRole("dev", role), { forms: [forms.modern] });
    expect(new Set(channelEvents(heard.dev))).toEqual(new Set(expected));
    expect(channelEvents(heard.cleo)).toEqual([]);
  });

  test("matters only while the private channel names it", async () => {
    const set = (what: Record<string, unknown>) =>
      expectSuccess(harness.as("ada").patch(`/streams/${channelId}`, what));
    await members(inner, { delete: ids(["cleo"]), add: ids(["dev"]) });
    const named = await followAll(harness, viewers, () => set({ can_add_subscribers_group: { new: inner } }));
    expect(channelEvents(named.dev)).toContain("stream/create");
    expect(channelEvents(named.cleo)).not.toContain("stream/create");
    const opened = await followAll(harness, viewers, () => set({ is_private: false }));
    expect(channelEvents(opened.cleo)).toContain("stream/create");
    expect(channelEvents(opened.dev)).not.toContain("stream/create");
    const closed = await followAll(harness, viewers, () => set({ is_private: true }));
    expect(channelEvents(closed.cleo)).toContain("stream/delete");
    expect(channelEvents(closed.dev)).not.toContain("stream/delete");
    const left = await followAll(harness, viewers, () => set({ can_add_subscribers_group: { new: outer } }));
    expect(channelEvents(left.dev)).toContain("stream/delete");
  });

  test("shows the channel to people who become full members by another waiting period", async () => {
    const named = { can_subscribe_group: await systemGroup("role:fullmembers") };
    await harness.channel("seniors", ["ada"], { isPrivate: true, groupSettings: named });
    const wait = (days: number) =>
      expectSuccess(harness.as("ada").patch("/realm", { waiting_period_threshold: days }));
    const heard = await followAll(harness, viewers, () => wait(3));
    expect(channelEvents(heard.dev)).toEqual(["stream/delete"]);
    expect(channelEvents(heard.cleo)).toEqual([]);
    const again = await followAll(harness, viewers, () => wait(0));
    expect(channelEvents(again.dev)).toEqual(["stream/create", "subscription/peer_add"]);
  });
});
