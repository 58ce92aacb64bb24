// Each place that shows people, as a guest sees it who may not know of everybody.
import { beforeAll, describe, expect, test } from "vitest";
import { UNKNOWN_USER_NAME, UNKNOWN_USER_PICTURE } from "../../../api/people/unknown-user.ts";
import { roles } from "../../../api/roles.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import type { Answer, CastName } from "../../../test/harness/harness.ts";
import { found, known, unknown, useLimitedGuests } from "../../../test/harness/limited-guests.ts";
import { listen } from "../../../test/harness/listener.ts";

const guests = useLimitedGuests();
const { id, say, show, ids, limit, secrets } = guests;

const MISSING = 99_999;

describe("every list", () => {
  const modern = { client_capabilities: { notification_settings_null: true, user_list_incomplete: true } };
  const lists: Record<string, () => Promise<Answer>> = {
    "the snapshot for a client that can do with a part of the users": () =>
      guests.harness
        .as("gus")
        .post("/register", { ...modern, include_subscribers: true, slim_presence: true }),
    "the snapshot for other clients": () =>
      guests.harness.as("gus").post("/register", { include_subscribers: true }),
    users: () => guests.harness.as("gus").get("/users", { include_custom_profile_fields: true }),
    "users of these ids": () =>
      guests.harness
        .as("gus")
        .get("/users", { user_ids: [...unknown, ...known].map(id), client_gravatar: false }),
    presence: () => guests.harness.as("gus").get("/realm/presence"),
    "messages of a channel": () =>
      guests.harness.as("gus").get("/messages", {
        narrow: [{ operator: "channel", operand: "kitchen" }],
        anchor: "newest",
        num_before: 100,
        num_after: 0,
      }),
    "messages of a web-public channel": () =>
      guests.harness.as("gus").get("/messages", {
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
      guests.harness.as("gus").post("/register", { client_capabilities: incomplete }),
    );
    expect(some.map((user: { user_id: number }) => user.user_id)).toEqual(
      known.map(id).sort((a, b) => a - b),
    );
    const { realm_users: all } = await expectSuccess(guests.harness.as("gus").post("/register"));
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
    await expectSuccess(guests.harness.as("ada").delete(`/users/${id("elin")}`));
    const snapshot = await expectSuccess(guests.harness.as("gus").post("/register"));
    const isElin = (user: { user_id: number }) => user.user_id === id("elin");
    expect(snapshot.realm_non_active_users.filter(isElin)).toEqual([]);
    expect(snapshot.realm_users.find(isElin)).toMatchObject({
      is_active: true,
      full_name: UNKNOWN_USER_NAME,
    });
    await expectSuccess(guests.harness.as("ada").post(`/users/${id("elin")}/reactivate`));
  });

  /** Calls that name a person, by id or by the address that the API shows. */
  const calls: Record<
    string,
    (user: { id: number; email: string }) => Promise<{ status: number; body: unknown }>
  > = {
    user: ({ id }) => guests.harness.as("gus").get(`/users/${id}`),
    "user by address": ({ email }) => guests.harness.as("gus").get(`/users/${email}`),
    "presence by id": ({ id }) => guests.harness.as("gus").get(`/users/${id}/presence`),
    "presence by address": ({ email }) => guests.harness.as("gus").get(`/users/${email}/presence`),
    status: ({ id }) => guests.harness.as("gus").get(`/users/${id}/status`),
    mute: ({ id }) => guests.harness.as("gus").post(`/users/me/muted_users/${id}`),
    unmute: ({ id }) => guests.harness.as("gus").delete(`/users/me/muted_users/${id}`),
    "direct message by id": ({ id }) =>
      guests.harness.as("gus").post("/messages", { type: "direct", to: [id], content: "Hello" }),
    "direct message by address": ({ email }) =>
      guests.harness.as("gus").post("/messages", { type: "direct", to: [email], content: "Hello" }),
    "scheduled message": ({ id }) =>
      guests.harness.as("gus").post("/scheduled_messages", {
        type: "direct",
        to: [id],
        content: "Hello",
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
      }),
    draft: ({ id }) =>
      guests.harness
        .as("gus")
        .post("/drafts", { drafts: [{ type: "private", to: [id], topic: "", content: "Hello" }] }),
    typing: ({ id }) => guests.harness.as("gus").post("/typing", { op: "start", to: [id] }),
    "subscription of somebody": ({ id }) =>
      guests.harness.as("gus").get(`/users/${id}/subscriptions/${ids.kitchen}`),
    "membership of somebody": ({ id }) =>
      guests.harness.as("gus").get(`/user_groups/${ids.group}/members/${id}`),
    "sender by id": ({ id }) => narrow("sender", id),
    "sender by address": ({ email }) => narrow("sender", email),
    "sender by id as text": ({ id }) => narrow("sender", String(id)),
    "direct messages with": ({ id }) => narrow("dm", [id]),
    "direct messages including": ({ id }) => narrow("dm-including", [id]),
  };
  const narrow = (operator: string, operand: unknown) =>
    guests.harness.as("gus").get("/messages", {
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
        const { email } = guests.harness.user(other);
        expect(await answerFor({ id: id(other), email }), other).toBe(missing);
        const hidden = { id: id(other), email: `user${id(other)}@demo.test` };
        expect(await answerFor(hidden), `${other}, by the placeholder's address`).toBe(missing);
      }
      if (name === "unmute")
        await expectSuccess(guests.harness.as("gus").post(`/users/me/muted_users/${id("dev")}`));
      expect(await answerFor({ id: id("dev"), email: guests.harness.user("dev").email })).not.toBe(missing);
      if (name === "mute")
        await expectSuccess(guests.harness.as("gus").delete(`/users/me/muted_users/${id("dev")}`));
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
    const history = await expectSuccess(guests.harness.as("gus").get(`/messages/${ids.ofElin}/history`));
    expect(found(JSON.stringify([reactions, history]), secrets())).toEqual([]);
  });

  test("read receipts leave out people of whom the guest may not know", async () => {
    const receipts = async (name: CastName) =>
      (await expectSuccess(guests.harness.as(name).get(`/messages/${ids.ofDev}/read_receipts`))).user_ids;
    expect(await receipts("dev")).toContain(id("elin"));
    expect(await receipts("gus")).not.toContain(id("elin"));
  });

  test("groups list the members alone of whom the guest may know", async () => {
    const members = async (name: CastName) => {
      const { user_groups } = await expectSuccess(guests.harness.as(name).get("/user_groups"));
      const { realm_user_groups } = await expectSuccess(guests.harness.as(name).post("/register"));
      const { members } = await expectSuccess(
        guests.harness.as(name).get(`/user_groups/${ids.group}/members`),
      );
      const ofGroup = (all: { id: number; members: number[] }[]) =>
        all.find((each) => each.id === ids.group)?.members;
      return [ofGroup(user_groups), ofGroup(realm_user_groups), members];
    };
    const all = [...unknown, "dev" as const].map(id).sort((a, b) => a - b);
    for (const list of await members("dev")) expect([...list].sort((a, b) => a - b)).toEqual(all);
    for (const list of await members("gus")) expect(list).toEqual([id("dev")]);
    const { user_groups } = await expectSuccess(guests.harness.as("gus").get("/user_groups"));
    expect(user_groups.flatMap((each: { members: number[] }) => each.members)).not.toContain(id("ada"));
  });

  test("a mention does not give away a name", async () => {
    const render = async (content: string) =>
      (await expectSuccess(guests.harness.as("gus").post("/messages/render", { content }))).rendered;
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
    await expectSuccess(guests.harness.as("gus").post("/reminders", reminder));
    const reminders = JSON.stringify(await expectSuccess(guests.harness.as("gus").get("/reminders")));
    expect(reminders).toContain("by somebody");
    expect(found(reminders, secrets())).toEqual([]);
  });

  test("the notification bot does not say who put the guest into a group", async () => {
    const gus = await listen(guests.harness.as("gus"));
    const path = `/user_groups/${ids.group}/members`;
    await expectSuccess(guests.harness.as("ada").post(path, { add: [id("gus")] }));
    const text = JSON.stringify(await gus.heard());
    expect(text).toContain("added you to the group");
    expect(found(text, secrets())).toEqual([]);
    await expectSuccess(guests.harness.as("ada").post(path, { delete: [id("gus")] }));
  });
});

test("a person who subscribes a guest, and whom the guest does not know, is somebody", async () => {
  await guests.harness.channel("garden", ["dev"]);
  const subscribe = (name: CastName) =>
    guests.harness
      .as("ada")
      .post("/users/me/subscriptions", { subscriptions: [{ name: "garden" }], principals: [id(name)] });
  const welcome = async (name: CastName) => {
    const listener = await listen(guests.harness.as(name));
    await expectSuccess(subscribe(name));
    const messages = (await listener.heard()).filter(({ type }) => type === "message");
    return messages.map(({ message }) => message.content).join();
  };
  expect(await welcome("elin")).toContain("Ada Osei");
  expect(await welcome("gus")).toMatch(/^Somebody subscribed you/);
});
