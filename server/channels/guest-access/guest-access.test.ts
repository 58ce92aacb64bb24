// Each place that shows people, as a guest sees it who may not know of everybody. gus shares a channel with
// dev, has direct messages with cleo, shared a channel with elin, and has nothing to do with ben.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UNKNOWN_USER_NAME, UNKNOWN_USER_PICTURE } from "../../../api/people/unknown-user.ts";
import { roles } from "../../../api/roles.ts";
import { PASSWORD } from "../../../test/harness/accounts.ts";
import { expectSuccess, sayIn, showIn } from "../../../test/harness/answers.ts";
import { type Answer, type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { runJobsEarly } from "../../../test/harness/jobs.ts";
import { type Listener, listen } from "../../../test/harness/listener.ts";
import { createUser } from "../../people/actions.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { queuesOf, removeQueue } from "../../platform/queues/organization-queues.ts";
import { MAX_ANNOUNCED } from "./access-changes.ts";

let harness: Harness;
const id = (name: CastName) => harness.user(name).id;
const say = sayIn(() => harness);
const show = showIn(() => harness);
const MISSING = 99_999;

const known: readonly CastName[] = ["gus", "dev", "cleo", "echo"];
const unknown: readonly CastName[] = ["ada", "ben", "elin"];

const ids: { kitchen: number; square: number; group: number; ofElin: number; ofDev: number } = {
  kitchen: 0,
  square: 0,
  group: 0,
  ofElin: 0,
  ofDev: 0,
};

async function limit(isLimited: boolean): Promise<void> {
  const { body } = await harness.as("ada").get("/user_groups");
  const name = isLimited ? "role:members" : "role:everyone";
  const group = body.user_groups.find((each: { name: string }) => each.name === name);
  await harness.as("ada").patch("/realm", { can_access_all_users_group: { new: group.id } });
}

beforeAll(async () => {
  harness = await createHarness();
  ids.kitchen = (await harness.channel("kitchen", ["dev", "elin", "gus"])).id;
  ids.square = (await harness.channel("square", ["ben", "elin"], { isWebPublic: true })).id;
  ids.ofElin = await say("elin", "kitchen", { content: "Leek soup" });
  ids.ofDev = await say("dev", "kitchen");
  await expectSuccess(harness.as("elin").post(`/messages/${ids.ofDev}/reactions`, { emoji_name: "octopus" }));
  for (const name of ["elin", "gus"] as const) {
    const read = { messages: [ids.ofDev], op: "add", flag: "read" };
    await expectSuccess(harness.as(name).post("/messages/flags", read));
  }
  await expectSuccess(harness.as("elin").patch(`/messages/${ids.ofElin}`, { content: "Pea soup" }));
  await say("cleo", [id("gus")], { type: "direct" });
  await say("ben", "square", { content: "Hello from the square" });
  await expectSuccess(harness.as("elin").delete("/users/me/subscriptions", { subscriptions: ["kitchen"] }));
  const members = [...unknown, "dev" as const].map(id);
  const group = { name: "cooks", description: "", members };
  ids.group = (await expectSuccess(harness.as("ada").post("/user_groups/create", group))).group_id;
  for (const name of ["ada", "ben", "cleo", "dev", "elin"] as const) {
    await expectSuccess(harness.as(name).post("/users/me/status", { status_text: `status of ${name}` }));
    await expectSuccess(harness.as(name).post("/users/me/presence", { status: "active" }));
  }
});
afterAll(() => harness.close());

/** What only those may read who may know of a person. */
const secretsOf = (name: CastName): string[] => {
  const { user } = harness.user(name);
  return [user.fullName, user.email, `status of ${name}`];
};

const secrets = () => unknown.flatMap(secretsOf);
const found = (text: string, among: readonly string[]) => among.filter((secret) => text.includes(secret));

describe("every list", () => {
  const modern = { client_capabilities: { notification_settings_null: true, user_list_incomplete: true } };
  const lists: Record<string, () => Promise<Answer>> = {
    "the snapshot for a client that can do with a part of the users": () =>
      harness.as("gus").post("/register", { ...modern, include_subscribers: true, slim_presence: true }),
    "the snapshot for other clients": () =>
      harness.as("gus").post("/register", { include_subscribers: true }),
    users: () => harness.as("gus").get("/users", { include_custom_profile_fields: true }),
    "users of these ids": () =>
      harness.as("gus").get("/users", { user_ids: [...unknown, ...known].map(id), client_gravatar: false }),
    presence: () => harness.as("gus").get("/realm/presence"),
    "messages of a channel": () =>
      harness.as("gus").get("/messages", {
        narrow: [{ operator: "channel", operand: "kitchen" }],
        anchor: "newest",
        num_before: 100,
        num_after: 0,
      }),
    "messages of a web-public channel": () =>
      harness.as("gus").get("/messages", {
        narrow: [{ operator: "channel", operand: "square" }],
        anchor: "newest",
        num_before: 100,
        num_after: 0,
        client_gravatar: false,
      }),
  };
  for (const [name, list] of Object.entries(lists)) {
    test(`${name} names nobody of whom the guest may not know, and does otherwise`, async () => {
      await limit(false);
      const before = JSON.stringify(await expectSuccess(list()));
      expect(found(before, secrets())).not.toEqual([]);
      await limit(true);
      const after = JSON.stringify(await expectSuccess(list()));
      expect(found(after, secrets())).toEqual([]);
    });
  }
});

describe("with limited guests", () => {
  beforeAll(() => limit(true));

  test("the snapshot has only known people, or a placeholder for each other", async () => {
    const incomplete = { notification_settings_null: true, user_list_incomplete: true };
    const { realm_users: some } = await expectSuccess(
      harness.as("gus").post("/register", { client_capabilities: incomplete }),
    );
    expect(some.map((user: { user_id: number }) => user.user_id)).toEqual(
      known.map(id).sort((a, b) => a - b),
    );
    const { realm_users: all } = await expectSuccess(harness.as("gus").post("/register"));
    expect(all.find((user: { user_id: number }) => user.user_id === id("ben"))).toEqual({
      user_id: id("ben"),
      full_name: UNKNOWN_USER_NAME,
      email: `user${id("ben")}@demo.test`,
      delivery_email: null,
      avatar_url: UNKNOWN_USER_PICTURE,
      avatar_version: 1,
      date_joined: "1970-01-01T00:00:00.000Z",
      is_active: true,
      is_owner: false,
      is_admin: false,
      is_guest: false,
      is_bot: false,
      bot_type: null,
      bot_owner_id: null,
      role: roles.member,
      timezone: "",
      profile_data: {},
    });
  });

  test("a deactivated person whom the guest does not know looks like an active one", async () => {
    await expectSuccess(harness.as("ada").delete(`/users/${id("elin")}`));
    const snapshot = await expectSuccess(harness.as("gus").post("/register"));
    const isElin = (user: { user_id: number }) => user.user_id === id("elin");
    expect(snapshot.realm_non_active_users.filter(isElin)).toEqual([]);
    expect(snapshot.realm_users.find(isElin)).toMatchObject({
      is_active: true,
      full_name: UNKNOWN_USER_NAME,
    });
    await expectSuccess(harness.as("ada").post(`/users/${id("elin")}/reactivate`));
  });

  /** Calls that name a person, by id or by the address that the API shows. */
  const calls: Record<
    string,
    (user: { id: number; email: string }) => Promise<{ status: number; body: unknown }>
  > = {
    user: ({ id }) => harness.as("gus").get(`/users/${id}`),
    "user by address": ({ email }) => harness.as("gus").get(`/users/${email}`),
    "presence by id": ({ id }) => harness.as("gus").get(`/users/${id}/presence`),
    "presence by address": ({ email }) => harness.as("gus").get(`/users/${email}/presence`),
    status: ({ id }) => harness.as("gus").get(`/users/${id}/status`),
    mute: ({ id }) => harness.as("gus").post(`/users/me/muted_users/${id}`),
    unmute: ({ id }) => harness.as("gus").delete(`/users/me/muted_users/${id}`),
    "direct message by id": ({ id }) =>
      harness.as("gus").post("/messages", { type: "direct", to: [id], content: "Hello" }),
    "direct message by address": ({ email }) =>
      harness.as("gus").post("/messages", { type: "direct", to: [email], content: "Hello" }),
    "scheduled message": ({ id }) =>
      harness.as("gus").post("/scheduled_messages", {
        type: "direct",
        to: [id],
        content: "Hello",
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
      }),
    draft: ({ id }) =>
      harness
        .as("gus")
        .post("/drafts", { drafts: [{ type: "private", to: [id], topic: "", content: "Hello" }] }),
    typing: ({ id }) => harness.as("gus").post("/typing", { op: "start", to: [id] }),
    "subscription of somebody": ({ id }) =>
      harness.as("gus").get(`/users/${id}/subscriptions/${ids.kitchen}`),
    "membership of somebody": ({ id }) => harness.as("gus").get(`/user_groups/${ids.group}/members/${id}`),
    "sender by id": ({ id }) => narrow("sender", id),
    "sender by address": ({ email }) => narrow("sender", email),
    "sender by id as text": ({ id }) => narrow("sender", String(id)),
    "direct messages with": ({ id }) => narrow("dm", [id]),
    "direct messages including": ({ id }) => narrow("dm-including", [id]),
  };
  const narrow = (operator: string, operand: unknown) =>
    harness.as("gus").get("/messages", {
      narrow: [{ operator, operand }],
      anchor: "newest",
      num_before: 10,
      num_after: 0,
    });

  for (const [name, call] of Object.entries(calls)) {
    test(`${name}: somebody unknown is like somebody who does not exist, and somebody known is not`, async () => {
      const answerFor = async (user: { id: number; email: string }) => {
        const { status, body } = await call(user);
        const text = JSON.stringify(body).replaceAll(user.email, "ADDRESS");
        return `${status} ${text.replace(new RegExp(`\\b${user.id}\\b`, "g"), "ID")}`;
      };
      const missing = await answerFor({ id: MISSING, email: "nobody@demo.test" });
      for (const other of ["ben", "elin"] as const) {
        const { email } = harness.user(other);
        expect(await answerFor({ id: id(other), email }), other).toBe(missing);
        const hidden = { id: id(other), email: `user${id(other)}@demo.test` };
        expect(await answerFor(hidden), `${other}, by the placeholder's address`).toBe(missing);
      }
      if (name === "unmute")
        await expectSuccess(harness.as("gus").post(`/users/me/muted_users/${id("dev")}`));
      expect(await answerFor({ id: id("dev"), email: harness.user("dev").email })).not.toBe(missing);
      if (name === "mute")
        await expectSuccess(harness.as("gus").delete(`/users/me/muted_users/${id("dev")}`));
    });
  }

  test("a message of somebody who left shows an unknown user with the id, to a guest alone", async () => {
    expect(await show("gus", ids.ofElin)).toMatchObject({
      sender_id: id("elin"),
      sender_full_name: UNKNOWN_USER_NAME,
      sender_email: `user${id("elin")}@demo.test`,
      avatar_url: UNKNOWN_USER_PICTURE,
    });
    expect(await show("dev", ids.ofElin)).toMatchObject({ sender_full_name: "Elin Berg" });
  });

  test("reactions and edit histories name people by their ids alone", async () => {
    const { reactions } = await show("gus", ids.ofDev);
    expect(reactions[0]).toMatchObject({ user_id: id("elin") });
    const history = await expectSuccess(harness.as("gus").get(`/messages/${ids.ofElin}/history`));
    expect(found(JSON.stringify([reactions, history]), secrets())).toEqual([]);
  });

  test("read receipts leave out people of whom the guest may not know", async () => {
    const receipts = async (name: CastName) =>
      (await expectSuccess(harness.as(name).get(`/messages/${ids.ofDev}/read_receipts`))).user_ids;
    expect(await receipts("dev")).toContain(id("elin"));
    expect(await receipts("gus")).not.toContain(id("elin"));
  });

  test("groups list the members alone of whom the guest may know", async () => {
    const members = async (name: CastName) => {
      const { user_groups } = await expectSuccess(harness.as(name).get("/user_groups"));
      const { realm_user_groups } = await expectSuccess(harness.as(name).post("/register"));
      const { members } = await expectSuccess(harness.as(name).get(`/user_groups/${ids.group}/members`));
      const ofGroup = (all: { id: number; members: number[] }[]) =>
        all.find((each) => each.id === ids.group)?.members;
      return [ofGroup(user_groups), ofGroup(realm_user_groups), members];
    };
    const all = [...unknown, "dev" as const].map(id).sort((a, b) => a - b);
    for (const list of await members("dev")) expect([...list].sort((a, b) => a - b)).toEqual(all);
    for (const list of await members("gus")) expect(list).toEqual([id("dev")]);
    const { user_groups } = await expectSuccess(harness.as("gus").get("/user_groups"));
    expect(user_groups.flatMap((each: { members: number[] }) => each.members)).not.toContain(id("ada"));
  });

  test("a mention does not give away a name", async () => {
    const render = async (content: string) =>
      (await expectSuccess(harness.as("gus").post("/messages/render", { content }))).rendered;
    expect(await render(`@_**|${id("ben")}**`)).not.toContain("Ben Ito");
    expect(await render("@_**Ben Ito**")).not.toContain("user-mention");
    expect(await render("@_**Dev Rao**")).toContain("user-mention");
    const sent = await say("gus", "kitchen", { content: `@_**|${id("ben")}**` });
    expect((await show("dev", sent)).content).not.toContain("Ben Ito");
  });

  test("a reminder does not name the sender", async () => {
    const reminder = {
      message_id: ids.ofElin,
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
    };
    await expectSuccess(harness.as("gus").post("/reminders", reminder));
    const reminders = JSON.stringify(await expectSuccess(harness.as("gus").get("/reminders")));
    expect(reminders).toContain("by somebody");
    expect(found(reminders, secrets())).toEqual([]);
  });

  test("the notification bot does not say who put the guest into a group", async () => {
    const gus = await listen(harness.as("gus"));
    const path = `/user_groups/${ids.group}/members`;
    await expectSuccess(harness.as("ada").post(path, { add: [id("gus")] }));
    const text = JSON.stringify(await gus.heard());
    expect(text).toContain("added you to the group");
    expect(found(text, secrets())).toEqual([]);
    await expectSuccess(harness.as("ada").post(path, { delete: [id("gus")] }));
  });
});

describe("events about people of whom the guest may not know", () => {
  beforeAll(() => limit(true));

  const verbs: Record<string, () => Promise<Answer>> = {
    "a new name": () => harness.as("ada").patch(`/users/${id("ben")}`, { full_name: "Benno Ito" }),
    "a role": () => harness.as("ada").patch(`/users/${id("ben")}`, { role: roles.moderator }),
    "a time zone": () => harness.as("ben").patch("/settings", { timezone: "Europe/Oslo" }),
    "a hidden address": () => harness.as("ben").patch("/settings", { email_address_visibility: 5 }),
    "a shown address": () => harness.as("ben").patch("/settings", { email_address_visibility: 1 }),
    "a status": () => harness.as("ben").post("/users/me/status", { status_text: "status of ben again" }),
    "a group": () =>
      harness
        .as("ada")
        .post("/user_groups/create", { name: "smiths", description: "", members: [id("ben")] }),
    "a deactivation": () => harness.as("ada").delete(`/users/${id("ben")}`),
    "a reactivation": () => harness.as("ada").post(`/users/${id("ben")}/reactivate`),
    "a new account": () =>
      harness.as("ada").post("/users", {
        email: "nils@demo.test",
        full_name: "Nils Ito",
        password: PASSWORD,
      }),
  };
  for (const [name, verb] of Object.entries(verbs)) {
    test(`${name}: the guest gets nothing of it, and a member does`, async () => {
      const incomplete = { notification_settings_null: true, user_list_incomplete: true };
      const listeners: Listener[] = [
        await listen(harness.as("gus"), { client_capabilities: incomplete }),
        await listen(harness.as("gus"), {}),
      ];
      const dev = await listen(harness.as("dev"), {});
      await expectSuccess(verb());
      expect(await dev.heard()).not.toEqual([]);
      for (const [index, listener] of listeners.entries()) {
        // Guests see the ids of the subscribers of a web-public channel. ben's bot is deactivated with ben.
        const events = (await listener.heard()).filter(
          ({ type, op, person, user_ids, stream_ids }) =>
            !(type === "subscription" && stream_ids.every((each: number) => each === ids.square)) &&
            !(type === "user_group" && user_ids?.every((each: number) => each === id("echo"))) &&
            !(type === "user_group" && op === "add") &&
            person?.user_id !== id("echo"),
        );
        const isPlaceholder = (event: { person?: { full_name?: string } }) =>
          index === 1 && event.person?.full_name === UNKNOWN_USER_NAME;
        expect(events.filter((event) => !isPlaceholder(event))).toEqual([]);
      }
    });
  }

  test("presence reaches only those who may know of the person", async () => {
    const { body } = await harness
      .as("gus")
      .post("/users/me/presence", { status: "active", last_update_id: -1 });
    expect(Object.keys(body.presences).map(Number)).toContain(id("dev"));
    expect(Object.keys(body.presences).map(Number)).not.toContain(id("ben"));
  });

  test("a reaction comes with an unknown user, and so does a message", async () => {
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name: "kitchen" }] }),
    );
    const gus = await listen(harness.as("gus"));
    const sent = await say("ada", "kitchen");
    await expectSuccess(harness.as("elin").post(`/messages/${sent}/reactions`, { emoji_name: "heart" }));
    await expectSuccess(harness.as("ada").delete("/users/me/subscriptions", { subscriptions: ["kitchen"] }));
    // Not read yet: the queue is read when ada is unknown again.
    const events = await gus.heard();
    const reaction = events.find(({ type }) => type === "reaction");
    expect(reaction).toMatchObject({ user_id: id("elin"), user: { full_name: UNKNOWN_USER_NAME } });
    expect(events.at(-1)).toMatchObject({ type: "realm_user", op: "remove" });
  });

  test("a queue that is read from the log again names nobody who is unknown by now", async () => {
    const gus = await listen(harness.as("gus"));
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name: "kitchen" }] }),
    );
    await say("ada", "kitchen");
    await expectSuccess(harness.as("ada").delete("/users/me/subscriptions", { subscriptions: ["kitchen"] }));
    for (const queue of [...queuesOf(harness.state).byId.values()]) removeQueue(harness.state, queue);
    const text = JSON.stringify(await gus.heard());
    expect(text).toContain(UNKNOWN_USER_NAME);
    expect(found(text, secretsOf("ada"))).toEqual([]);
  });

  test("typing in a channel by somebody unknown is not shown", async () => {
    const capable = { notification_settings_null: true, stream_typing_notifications: true };
    const [gus, dev] = [
      await listen(harness.as("gus"), { client_capabilities: capable }),
      await listen(harness.as("dev"), { client_capabilities: capable }),
    ];
    const typing = { type: "stream", op: "start", stream_id: ids.kitchen, topic: "lunch" };
    await expectSuccess(harness.as("elin").post("/typing", typing));
    expect((await dev.heard()).map(({ type }) => type)).toEqual(["typing"]);
    expect(await gus.heard()).toEqual([]);
  });
});

test("the permission takes the groups of everyone and of members, and no other", async () => {
  const { body } = await harness.as("ada").get("/user_groups");
  const set = async (name: string) => {
    const group = body.user_groups.find((each: { name: string }) => each.name === name);
    return (await harness.as("ada").patch("/realm", { can_access_all_users_group: { new: group.id } }))
      .status;
  };
  expect(await set("role:moderators")).toBe(400);
  expect(await set("role:nobody")).toBe(400);
  expect(await set("cooks")).toBe(400);
  expect(await set("role:everyone")).toBe(200);
  expect(await set("role:members")).toBe(200);
});

test("a person who subscribes a guest, and whom the guest does not know, is somebody", async () => {
  await harness.channel("garden", ["dev"]);
  const subscribe = (name: CastName) =>
    harness
      .as("ada")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "garden" }], principals: [id(name)] });
  const welcome = async (name: CastName) => {
    const listener = await listen(harness.as(name));
    await expectSuccess(subscribe(name));
    const messages = (await listener.heard()).filter(({ type }) => type === "message");
    return messages.map(({ message }) => message.content).join();
  };
  expect(await welcome("elin")).toContain("Ada Osei");
  expect(await welcome("gus")).toMatch(/^Somebody subscribed you/);
});

test("a message at its time makes its sender known too", async () => {
  const message = {
    type: "direct",
    to: [id("gus")],
    content: "Hello",
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
  };
  await expectSuccess(harness.as("ben").post("/scheduled_messages", message));
  const gus = await listen(harness.as("gus"));
  await runJobsEarly(harness.services);
  const events = await gus.heard();
  const added = events.findIndex(({ type, op }) => type === "realm_user" && op === "add");
  const sent = events.findIndex(({ message }) => message?.sender_id === id("ben"));
  expect(added).toBeGreaterThanOrEqual(0);
  expect(sent).toBeGreaterThan(added);
  await expectSuccess(harness.as("gus").get(`/users/${id("ben")}`));
});

test("the queues of a guest end when too many people become unknown at once", async () => {
  await limit(false);
  await runStateChange(harness.state, async (tx) => {
    for (let count = 0; count <= MAX_ANNOUNCED; count++) {
      const person = { email: `many${count}@demo.test`, fullName: `Many ${count}`, role: roles.member };
      await createUser(tx, harness.services.keyring, {
        ...person,
        passwordHash: null,
      });
    }
  });
  const gus = await listen(harness.as("gus"));
  const dev = await listen(harness.as("dev"));
  await limit(true);
  const poll = (name: CastName, { queueId, snapshot }: Listener) =>
    harness.as(name).get("/events", {
      queue_id: queueId,
      last_event_id: snapshot.last_event_id,
      dont_block: true,
    });
  expect((await poll("dev", dev)).status).toBe(200);
  expect((await poll("gus", gus)).body.code).toBe("BAD_EVENT_QUEUE_ID");
  const { realm_users } = await expectSuccess(harness.as("gus").post("/register"));
  expect(JSON.stringify(realm_users)).not.toContain("Many");
});
