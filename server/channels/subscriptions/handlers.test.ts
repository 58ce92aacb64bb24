import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { createUser, deactivateUser } from "../../people/actions.ts";
import { notificationBotOf } from "../../people/notification-bot.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { channels } from "../channel.ts";
import { subscribers } from "./subscribers.ts";

let harness: Harness;
let count = 0;
let fresh = "";
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(() => {
  fresh = `channel ${++count}`;
});

const id = (name: CastName) => harness.user(name).id;
const find = (name: string) => harness.state.get(channels).findByName(name);
const isIn = (channel: string, name: CastName) => {
  const found = find(channel);
  return found !== undefined && harness.state.get(subscribers).has(found.id, harness.user(name).user.id);
};
const refusal = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const bad = [400, "BAD_REQUEST"];

describe("POST /channels/create", () => {
  const create = (name: CastName, params: Record<string, unknown> = {}) =>
    harness.as(name).post("/channels/create", { name: fresh, subscribers: [], ...params });

  test("makes a channel with its subscribers, and the caller only if named", async () => {
    const settings = { description: "one\ntwo", invite_only: true, topics_policy: "allow_empty_topic" };
    const { status, body } = await create("ada", { subscribers: [id("dev"), id("gus")], ...settings });
    expect(status).toBe(200);
    expect(find(fresh)).toMatchObject({ id: body.id, description: "one two", isPrivate: true });
    expect([isIn(fresh, "dev"), isIn(fresh, "gus"), isIn(fresh, "ada")]).toEqual([true, true, false]);
  });

  test("can make a channel without subscribers", async () => {
    expect((await create("dev")).status).toBe(200);
    expect(harness.state.get(subscribers).of(harness.channelId(fresh)).size).toBe(0);
  });

  test("refuses a name in use, whatever its case, even by a channel that the caller may not know of", async () => {
    await harness.channel(fresh, ["ada"], { isPrivate: true });
    for (const name of [fresh, fresh.toUpperCase(), ` ${fresh} `]) {
      expect(refusal(await create("dev", { name }))).toEqual([409, "CHANNEL_ALREADY_EXISTS"]);
    }
  });

  test("refuses a name that the database considers equal to one in use", async () => {
    await harness.channel("i", ["ada"]);
    expect(refusal(await create("dev", { name: "\u0130" }))).toEqual([409, "CHANNEL_ALREADY_EXISTS"]);
  });

  test.each([
    ["an empty name", { name: " " }],
    ["a name that is too long", { name: "x".repeat(61) }],
    ["a description that is too long", { description: "x".repeat(1025) }],
    ["a subscriber that there is not", { subscribers: [999_999] }],
    ["privacy that contradicts itself", { invite_only: true, is_web_public: true }],
    ["an unknown folder", { folder_id: 999_999 }],
  ])("refuses %s", async (_, params) => {
    expect(refusal(await create("ada", params))).toEqual(bad);
    expect(find(fresh)).toBeUndefined();
  });

  test("refuses deactivated subscribers and people of another organization, and then makes nothing", async () => {
    const person = {
      email: "quinn@demo.test",
      fullName: "Quinn Lee",
      role: roles.member,
      passwordHash: null,
    };
    const quinn = await runStateChange(harness.state, (tx) =>
      createUser(tx, harness.services.keyring, person),
    );
    await runStateChange(harness.state, (tx) => deactivateUser(tx, quinn));
    for (const target of [id("zed"), quinn.id]) {
      expect(refusal(await create("ada", { subscribers: [id("dev"), target] }))).toEqual(bad);
    }
    expect(find(fresh)).toBeUndefined();
  });

  test("refuses guests, and members who may not make channels or add people", async () => {
    expect(refusal(await create("gus"))).toEqual(bad);
    const setting = (value: number) => ({ can_create_public_channel_group: { new: value } });
    const { body } = await harness.as("ada").get("/user_groups");
    const group = (name: string) => body.user_groups.find((each: { name: string }) => each.name === name).id;
    await harness.as("ada").patch("/realm", setting(group("role:moderators")));
    expect(refusal(await create("dev"))).toEqual(bad);
    await harness.as("ada").patch("/realm", setting(group("role:members")));
    await harness
      .as("ada")
      .patch("/realm", { can_add_subscribers_group: { new: group("role:administrators") } });
    const administered = { can_administer_channel_group: group("role:administrators") };
    expect(refusal(await create("dev", { subscribers: [id("elin")], ...administered }))).toEqual(bad);
    expect((await create("dev", { subscribers: [id("dev")], ...administered })).status).toBe(200);
    await harness.as("ada").patch("/realm", { can_add_subscribers_group: { new: group("role:members") } });
  });
});

describe("web-public channels", () => {
  test("can't be made on a server that has them turned off", async () => {
    const closed = await createHarness({ PARLEY_WEB_PUBLIC_STREAMS: "off" });
    await closed.as("ada").patch("/realm", { enable_spectator_access: true });
    const subscriptions = [{ name: fresh }];
    const answer = await closed
      .as("ada")
      .post("/users/me/subscriptions", { subscriptions, is_web_public: true });
    await closed.close();
    expect(refusal(answer)).toEqual(bad);
  });
});

describe("PATCH /users/me/subscriptions", () => {
  const change = (name: CastName, params: Record<string, unknown>) =>
    harness.as(name).patch("/users/me/subscriptions", params);

  test("subscribes to some channels and unsubscribes from others", async () => {
    await harness.channel(fresh, ["dev"]);
    const { status, body } = await change("dev", {
      add: [{ name: `${fresh} b` }, { name: fresh }],
      delete: [fresh],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      subscribed: { [id("dev")]: [`${fresh} b`] },
      already_subscribed: { [id("dev")]: [fresh] },
      removed: [fresh],
      not_removed: [],
    });
    expect([isIn(fresh, "dev"), isIn(`${fresh} b`, "dev")]).toEqual([false, true]);
  });

  test("does nothing when one part fails", async () => {
    await harness.channel(fresh, ["dev"]);
    const add = [{ name: `${fresh} b` }];
    expect(refusal(await change("dev", { add, delete: ["no such channel"] }))).toEqual(bad);
    expect(find(`${fresh} b`)).toBeUndefined();
    await harness.channel(`${fresh} c`, ["ada"], { isPrivate: true });
    expect(refusal(await change("dev", { add: [{ name: `${fresh} c` }], delete: [fresh] }))).toEqual(bad);
    expect(isIn(fresh, "dev")).toBe(true);
  });

  test("is an error if it has nothing to do", async () => {
    expect(refusal(await change("dev", {}))).toEqual(bad);
    expect(refusal(await change("dev", { add: [], delete: [] }))).toEqual(bad);
  });

  test.each([" ", "x".repeat(61), "tab\there"])("refuses to make a channel named %j", async (name) => {
    expect(refusal(await change("dev", { add: [{ name }] }))).toEqual(bad);
  });
});

describe("personal settings of a subscription", () => {
  const choose = (name: CastName, channelId: number, property: string, value: unknown) =>
    harness.as(name).patch(`/users/me/subscriptions/${channelId}`, { property, value });

  const record = async (name: CastName, channelId: number) => {
    const { body } = await harness.as(name).get("/users/me/subscriptions");
    return body.subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === channelId);
  };

  test("are in the person's own subscriptions, and in nobody else's", async () => {
    const { id: channelId } = await harness.channel(fresh, ["dev", "elin"]);
    const before = await record("elin", channelId);
    const change = (property: string, value: unknown) => ({ stream_id: channelId, property, value });
    const subscription_data = [
      change("color", "#abc"),
      change("in_home_view", false),
      change("pin_to_top", true),
      change("push_notifications", true),
    ];
    const path = "/users/me/subscriptions/properties";
    expect((await harness.as("dev").post(path, { subscription_data })).status).toBe(200);
    expect(await record("dev", channelId)).toMatchObject({
      color: "#aabbcc",
      is_muted: true,
      in_home_view: false,
      pin_to_top: true,
      push_notifications: true,
      desktop_notifications: null,
    });
    expect(await record("elin", channelId)).toEqual(before);
  });

  test("are kept for when the person subscribes again", async () => {
    const { id: channelId } = await harness.channel(fresh, ["dev"]);
    await choose("dev", channelId, "is_muted", true);
    await harness.as("dev").delete("/users/me/subscriptions", { subscriptions: [fresh] });
    await harness.as("dev").post("/users/me/subscriptions", { subscriptions: [{ name: fresh }] });
    expect(await record("dev", channelId)).toMatchObject({ is_muted: true });
  });

  test("keep every one of several changes made at the same moment", async () => {
    const { id: channelId } = await harness.channel(fresh, ["dev"]);
    const properties = ["is_muted", "pin_to_top", "email_notifications", "audible_notifications"];
    await Promise.all(properties.map((property) => choose("dev", channelId, property, true)));
    const chosen = Object.fromEntries(properties.map((property) => [property, true]));
    expect(await record("dev", channelId)).toMatchObject(chosen);
  });

  test.each([
    ["color", true],
    ["color", "red"],
    ["color", "#12345"],
    ["color", null],
    ["is_muted", "yes"],
    ["is_muted", null],
    ["in_home_view", "no"],
    ["pin_to_top", null],
    ["email_notifications", "sometimes"],
    ["name", "kitchen"],
  ])("can't be %s as %j, and then nothing changes", async (property, value) => {
    const { id: channelId } = await harness.channel(fresh, ["dev"]);
    const before = await record("dev", channelId);
    const subscription_data = [
      { stream_id: channelId, property: "pin_to_top", value: true },
      { stream_id: channelId, property, value },
    ];
    const path = "/users/me/subscriptions/properties";
    expect(refusal(await harness.as("dev").post(path, { subscription_data }))).toEqual(bad);
    expect(refusal(await choose("dev", channelId, property, value))).toEqual(bad);
    expect(await record("dev", channelId)).toEqual(before);
  });

  test("can be changed only while the person is subscribed", async () => {
    const { id: channelId } = await harness.channel(fresh, ["dev"]);
    const { id: hidden } = await harness.channel(`${fresh} b`, ["ada"], { isPrivate: true });
    const message = async (target: number) => (await choose("elin", target, "is_muted", true)).body.msg;
    expect(await message(channelId)).toContain("not subscribed");
    expect(await message(hidden)).toBe(await message(999_999));
  });
});

describe("the list of subscribers", () => {
  test("leaves out deactivated accounts", async () => {
    const person = { email: "rae@demo.test", fullName: "Rae Orr", role: roles.member, passwordHash: null };
    const rae = await runStateChange(harness.state, (tx) => createUser(tx, harness.services.keyring, person));
    const { id: channelId } = await harness.channel(fresh, ["dev", "gus"]);
    const subscriptions = [{ name: fresh }];
    await harness.as("ada").post("/users/me/subscriptions", { subscriptions, principals: [rae.id] });
    const list = async () => (await harness.as("elin").get(`/streams/${channelId}/members`)).body.subscribers;
    expect(await list()).toEqual([id("dev"), id("gus"), rae.id]);
    await runStateChange(harness.state, (tx) => deactivateUser(tx, rae));
    expect(await list()).toEqual([id("dev"), id("gus")]);
  });

  test("can be asked for one person", async () => {
    const { id: channelId } = await harness.channel(fresh, ["dev"]);
    const ask = (target: number) => harness.as("elin").get(`/users/${target}/subscriptions/${channelId}`);
    expect((await ask(id("dev"))).body.is_subscribed).toBe(true);
    expect((await ask(id("echo"))).body.is_subscribed).toBe(false);
    for (const target of [id("zed"), notificationBotOf(harness.state).id, 999_999]) {
      expect(refusal(await ask(target))).toEqual(bad);
    }
  });

  test("is refused for a channel that the caller may not know of, as are its id and email address", async () => {
    const { id: hidden } = await harness.channel(fresh, ["ada"], { isPrivate: true });
    const { id: open } = await harness.channel(`${fresh} b`, ["ada"]);
    const as = harness.as("dev");
    const answers = async (channelId: number) =>
      Promise.all([
        as.get(`/streams/${channelId}/members`),
        as.get(`/streams/${channelId}/email_address`),
        as.get(`/users/${id("dev")}/subscriptions/${channelId}`),
      ]);
    for (const answer of [...(await answers(hidden)), ...(await answers(999_999))]) {
      expect([refusal(answer), answer.body.msg]).toEqual([bad, "Invalid channel ID"]);
    }
    expect(refusal(await as.get("/get_stream_id", { stream: fresh }))).toEqual(bad);
    expect(refusal(await as.get("/get_stream_id", { stream: "no such channel" }))).toEqual(bad);
    expect((await as.get("/get_stream_id", { stream: `${fresh} B` })).body.stream_id).toBe(open);
    expect(refusal(await harness.as("gus").get("/get_stream_id", { stream: `${fresh} b` }))).toEqual(bad);
  });
});

describe("a channel's email address", () => {
  test("is empty on a server that takes no mail, for every sender that the caller may name", async () => {
    const { id: channelId } = await harness.channel(fresh, ["ben"]);
    const ask = (name: CastName, sender_id?: number) =>
      harness.as(name).get(`/streams/${channelId}/email_address`, { sender_id });
    for (const sender of [undefined, id("ben"), id("echo"), notificationBotOf(harness.state).id]) {
      expect((await ask("ben", sender)).body.email).toBe("");
    }
    for (const sender of [id("ada"), id("zed"), 999_999])
      expect(refusal(await ask("ben", sender))).toEqual(bad);
    expect(refusal(await ask("dev", id("echo")))).toEqual(bad);
  });
});
