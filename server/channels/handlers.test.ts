import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { channelPermissionList } from "../../api/channels/channel-permissions.ts";
import { eventNames, everybody, followAll } from "../../test/harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../../test/harness/harness.ts";
import { groups } from "../groups/group.ts";
import { channels } from "./channel.ts";
import { subscribers } from "./subscriptions/subscribers.ts";

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

const join = (name: CastName, channel: string, more: Record<string, unknown> = {}) =>
  harness.as(name).post("/users/me/subscriptions", { subscriptions: [{ name: channel }], ...more });
const find = (name: string) => harness.state.get(channels).findByName(name);
const isIn = (channel: string, name: CastName) => {
  const found = find(channel);
  return found !== undefined && harness.state.get(subscribers).has(found.id, harness.user(name).user.id);
};
const id = (name: CastName) => harness.user(name).id;
const system = (name: Parameters<ReturnType<typeof groupsOf>["system"]>[0]) => groupsOf().system(name).id;
const groupsOf = () => harness.state.get(groups);

describe("POST /users/me/subscriptions", () => {
  test("makes a channel that does not exist, and subscribes the caller", async () => {
    const { status, body } = await harness.as("dev").post("/users/me/subscriptions", {
      subscriptions: [{ name: `  ${fresh} `, description: "one\ntwo *three*" }],
    });
    expect(status).toBe(200);
    expect(body.subscribed).toEqual({ [id("dev")]: [fresh] });
    expect(body.already_subscribed).toEqual({});
    expect(body.unauthorized).toBeUndefined();
    expect(find(fresh)).toMatchObject({
      name: fresh,
      description: "one two *three*",
      renderedDescription: "<p>one two <em>three</em></p>",
      isPrivate: false,
      isHistoryShared: true,
      topicsPolicy: "inherit",
      creatorId: id("dev"),
    });
  });

  test("says who was subscribed already, and finds a channel whatever the case of its name", async () => {
    await harness.channel(fresh, ["dev"]);
    const { body } = await join("dev", fresh.toUpperCase(), { principals: [id("dev"), id("elin")] });
    expect(body.subscribed).toEqual({ [id("elin")]: [fresh] });
    expect(body.already_subscribed).toEqual({ [id("dev")]: [fresh] });
  });

  test("takes principals by email too, and then does not subscribe the caller", async () => {
    const { status } = await join("dev", fresh, { principals: ["ELIN@demo.test"] });
    expect(status).toBe(200);
    expect(isIn(fresh, "elin")).toBe(true);
    expect(isIn(fresh, "dev")).toBe(false);
  });

  test("takes an empty list of principals for the caller, as DELETE does", async () => {
    expect((await join("dev", fresh, { principals: [] })).body.subscribed).toEqual({ [id("dev")]: [fresh] });
    const params = { subscriptions: [fresh], principals: [] };
    expect((await harness.as("dev").delete("/users/me/subscriptions", params)).body.removed).toEqual([fresh]);
  });

  test("takes a topics policy as a plain word or as JSON", async () => {
    for (const topics_policy of ["empty_topic_only", '"empty_topic_only"']) {
      await join("dev", `${fresh} ${topics_policy.length}`, { topics_policy });
      expect(find(`${fresh} ${topics_policy.length}`)).toMatchObject({ topicsPolicy: "empty_topic_only" });
    }
  });

  test("names each channel once in the response, even if the request repeats it", async () => {
    const subscriptions = [{ name: fresh }, { name: fresh.toUpperCase() }];
    const { body } = await harness.as("dev").post("/users/me/subscriptions", { subscriptions });
    expect(Object.values(body.subscribed as Record<string, string[]>)[0]).toHaveLength(1);
  });

  test("changes nothing when one principal is unknown, deactivated, or of another organization", async () => {
    for (const principals of [[id("dev"), 99999], ["nobody@demo.test"], ["zed@other.test"], [id("zed")]]) {
      const { status, body } = await join("dev", fresh, { principals });
      expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    }
    expect(find(fresh)).toBeUndefined();
  });

  test.each([
    ["", "an empty name"],
    ["   ", "a name of spaces"],
    ["x".repeat(61), "a name that is too long"],
    ["tab\there", "an unprintable character"],
    ["line\u2028break", "a separator of lines"],
  ])("refuses %j: %s", async (name) => {
    const { status, body } = await join("ada", name);
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(find(name.trim())).toBeUndefined();
  });

  test("counts the length of a name in characters", async () => {
    const name = `${"🌱".repeat(59)}${count % 10}`;
    expect((await join("ada", name)).status).toBe(200);
  });

  test("refuses guests", async () => {
    const { status, body } = await join("gus", fresh);
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(find(fresh)).toBeUndefined();
  });

  test("needs credentials", async () => {
    const { status } = await harness
      .nobody()
      .post("/users/me/subscriptions", { subscriptions: [{ name: fresh }] });
    expect(status).toBe(401);
  });

  test("lets another organization have a channel with the same name", async () => {
    await harness.channel(fresh, ["dev"], { isPrivate: true });
    const { status, body } = await join("zed", fresh);
    expect([status, body.subscribed]).toEqual([200, { [id("zed")]: [fresh] }]);
    expect(isIn(fresh, "zed")).toBe(false);
  });
});

test("each client that applies the events ends with the state that a fresh snapshot holds", async () => {
  await harness.channel(fresh, ["dev"]);
  const heard = await followAll(harness, everybody, () =>
    harness.as("dev").post("/users/me/subscriptions", {
      subscriptions: [{ name: fresh }, { name: `${fresh} private`, color: "#abcdef" }],
      principals: [id("dev"), id("elin"), id("gus"), id("echo")],
      invite_only: true,
      can_subscribe_group: system("moderators"),
    }),
  );
  expect(eventNames(heard.cleo)).toEqual(["stream/create", "subscription/peer_add", "subscription/peer_add"]);
  expect(eventNames(heard.gus)).toEqual([
    "stream/create",
    "stream/create",
    "subscription/add",
    "subscription/add",
    "message",
    "message",
  ]);
});

describe("a private channel", () => {
  test("can't be joined, even by an administrator", async () => {
    await harness.channel(fresh, ["dev"], { isPrivate: true });
    for (const name of ["elin", "ben", "cleo"] as const) {
      const { status, body } = await join(name, fresh);
      expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
      expect(body.msg).toBe(`Unable to access channel (${fresh}).`);
      expect(isIn(fresh, name)).toBe(false);
    }
  });

  test("is listed as unauthorized when that is not fatal, and the other channels are joined", async () => {
    await harness.channel(fresh, ["dev"], { isPrivate: true });
    const { status, body } = await harness.as("elin").post("/users/me/subscriptions", {
      subscriptions: [{ name: fresh }, { name: `${fresh} open` }],
      authorization_errors_fatal: false,
    });
    expect(status).toBe(200);
    expect(body.unauthorized).toEqual([fresh]);
    expect(body.subscribed).toEqual({ [id("elin")]: [`${fresh} open`] });
  });

  test("lets its subscribers subscribe others", async () => {
    await harness.channel(fresh, ["dev"], { isPrivate: true });
    expect((await join("dev", fresh, { principals: [id("elin"), id("gus")] })).status).toBe(200);
    expect(isIn(fresh, "gus")).toBe(true);
  });

  test("can_subscribe_group lets people join it, and can_add_subscribers_group lets them add others", async () => {
    await join("dev", fresh, {
      invite_only: true,
      can_subscribe_group: { direct_members: [id("elin")], direct_subgroups: [] },
      can_add_subscribers_group: system("moderators"),
    });
    expect((await join("elin", fresh)).status).toBe(200);
    expect((await join("cleo", fresh, { principals: [id("gus")] })).status).toBe(200);
    expect((await join("echo", fresh)).status).toBe(400);
  });

  test("takes messages from people who could join it only if it shares its history", async () => {
    const can_subscribe_group = { direct_members: [id("dev")], direct_subgroups: [] };
    const settings = { invite_only: true, can_subscribe_group };
    const say = async (name: CastName, to: string) =>
      (await harness.as(name).post("/messages", { type: "channel", to, topic: "lunch", content: "Soup?" }))
        .status;
    await join("ada", fresh, { ...settings, history_public_to_subscribers: true });
    await join("ada", `${fresh} protected`, settings);
    expect([await say("dev", fresh), await say("elin", fresh)]).toEqual([200, 400]);
    expect(await say("dev", `${fresh} protected`)).toBe(400);
    await join("dev", `${fresh} protected`);
    expect(await say("dev", `${fresh} protected`)).toBe(200);
  });

  test("does not share its history unless asked to", async () => {
    await join("dev", fresh, { invite_only: true });
    await join("dev", `${fresh} open`, { invite_only: true, history_public_to_subscribers: true });
    expect(find(fresh)?.isHistoryShared).toBe(false);
    expect(find(`${fresh} open`)?.isHistoryShared).toBe(true);
  });
});

describe("permissions of the organization", () => {
  const restrict = (name: string, group: number) =>
    harness.as("ada").patch("/realm", { [name]: { new: group } });

  test("decide who creates public and private channels", async () => {
    for (const [name, more] of [
      ["can_create_public_channel_group", {}],
      ["can_create_private_channel_group", { invite_only: true }],
    ] as const) {
      expect((await restrict(name, system("moderators"))).status).toBe(200);
      const refused = await join("dev", `${fresh} ${name}`, more);
      expect([refused.status, refused.body.code]).toEqual([400, "BAD_REQUEST"]);
      expect((await join("cleo", `${fresh} ${name}`, more)).status).toBe(200);
      await restrict(name, system("members"));
    }
  });

  test("decide who creates web-public channels", async () => {
    await harness.as("ada").patch("/realm", { enable_spectator_access: true });
    const make = (name: "ben" | "cleo") => join(name, `${fresh} ${name}`, { is_web_public: true });
    expect((await make("cleo")).status).toBe(400);
    await restrict("can_create_web_public_channel_group", system("moderators"));
    expect((await make("cleo")).status).toBe(200);
    await restrict("can_create_web_public_channel_group", system("owners"));
    expect((await make("ben")).status).toBe(400);
    await harness.as("ada").patch("/realm", { enable_spectator_access: false });
  });

  test("decide who subscribes others, unless the channel's own permission does", async () => {
    await harness.channel(fresh, []);
    await restrict("can_add_subscribers_group", system("administrators"));
    const refused = await join("dev", fresh, { principals: [id("elin")] });
    expect(refused.body.msg).toBe(`Unable to access channel (${fresh}).`);
    expect((await join("dev", fresh)).status).toBe(200);
    // The maker of a channel is its administrator.
    expect((await join("dev", `${fresh} own`, { principals: [id("elin")] })).status).toBe(200);
    // Administrators may subscribe others to every channel that they can read.
    await restrict("can_add_subscribers_group", system("nobody"));
    expect((await join("ben", fresh, { principals: [id("elin")] })).body.subscribed).toEqual({
      [id("elin")]: [fresh],
    });
    await harness.channel(`${fresh} private`, ["ada"], { isPrivate: true });
    expect((await join("ben", `${fresh} private`, { principals: [id("elin")] })).status).toBe(400);
    await restrict("can_add_subscribers_group", system("members"));
  });

  test("let only administrators set default channels, and only owners set retention", async () => {
    expect((await join("dev", fresh, { is_default_stream: true })).status).toBe(400);
    expect((await join("ben", fresh, { is_default_stream: true })).status).toBe(200);
    expect(find(fresh)?.isDefault).toBe(true);
    const refused = await join("ben", `${fresh} b`, { message_retention_days: 30 });
    expect([refused.status, refused.body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    await join("ada", `${fresh} b`, { message_retention_days: 30 });
    await join("ada", `${fresh} c`, { message_retention_days: "unlimited" });
    await join("dev", `${fresh} d`, { message_retention_days: "realm_default" });
    expect(["b", "c", "d"].map((each) => find(`${fresh} ${each}`)?.messageRetentionDays)).toEqual([
      30,
      -1,
      null,
    ]);
  });
});

describe("a new channel", () => {
  test("can be web-public only if the organization allows spectators and the viewer may make such channels", async () => {
    const ask = (name: CastName) => join(name, fresh, { is_web_public: true });
    expect((await ask("ada")).status).toBe(400);
    await harness.as("ada").patch("/realm", { enable_spectator_access: true });
    expect((await ask("dev")).status).toBe(400);
    expect((await ask("ada")).status).toBe(200);
    expect(find(fresh)).toMatchObject({ isWebPublic: true, isPrivate: false, isHistoryShared: true });
    await harness.as("ada").patch("/realm", { enable_spectator_access: false });
  });

  test.each([
    [{ invite_only: true, is_web_public: true }],
    [{ history_public_to_subscribers: false }],
    [{ invite_only: true, is_default_stream: true }],
    [{ folder_id: 99999 }],
    [{ topics_policy: "whatever" }],
    [{ message_retention_days: 0 }],
    [{ can_send_message_group: 99999 }],
    [{ can_send_message_group: { direct_members: [99999], direct_subgroups: [] } }],
    [{ can_send_message_group: "everyone" }],
  ])("with %j is refused", async (more) => {
    const { status, body } = await join("ada", fresh, more);
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(find(fresh)).toBeUndefined();
  });

  test("keeps the groups that it was given, and a single group as its id", async () => {
    await join("dev", fresh, {
      can_send_message_group: { direct_members: [], direct_subgroups: [system("moderators")] },
      can_remove_subscribers_group: {
        direct_members: [id("elin"), id("elin")],
        direct_subgroups: [system("owners")],
      },
      can_subscribe_group: { direct_members: [], direct_subgroups: [] },
    });
    const { body } = await harness.as("dev").get(`/streams/${find(fresh)?.id}`);
    expect(body.stream).toMatchObject({
      can_send_message_group: system("moderators"),
      can_remove_subscribers_group: { direct_members: [id("elin")], direct_subgroups: [system("owners")] },
      can_subscribe_group: system("nobody"),
      can_administer_channel_group: { direct_members: [id("dev")], direct_subgroups: [] },
      can_add_subscribers_group: system("nobody"),
      stream_post_policy: 4,
      is_announcement_only: false,
    });
  });

  test.each(channelPermissionList.map((permission) => [permission.name, permission] as const))(
    "takes the groups that %s allows, and no others",
    async (name, permission) => {
      const ask = (group: Parameters<typeof system>[0]) =>
        join("ada", `${fresh} ${group}`, { [name]: system(group) });
      expect((await ask("members")).status).toBe(200);
      expect((await ask("nobody")).status).toBe(permission.allowsNobody ? 200 : 400);
      expect((await ask("everyone")).status).toBe(permission.allowsEveryone ? 200 : 400);
      expect((await ask("internet")).status).toBe(permission.allowsInternet ? 200 : 400);
    },
  );
});

describe("DELETE /users/me/subscriptions", () => {
  const leave = (name: CastName, names: string[], principals?: unknown[]) =>
    harness
      .as(name)
      .delete("/users/me/subscriptions", { subscriptions: names, ...(principals && { principals }) });

  test("names the channels that someone was removed from, and the channels where nobody was subscribed", async () => {
    await harness.channel(fresh, ["dev"]);
    await harness.channel(`${fresh} other`, []);
    const { body } = await leave("dev", [fresh.toUpperCase(), `${fresh} other`]);
    expect(body).toMatchObject({ removed: [fresh], not_removed: [`${fresh} other`] });
    expect(isIn(fresh, "dev")).toBe(false);
  });

  test("is open to guests, for themselves", async () => {
    await harness.channel(fresh, ["gus"]);
    expect((await leave("gus", [fresh])).body.removed).toEqual([fresh]);
  });

  test("treats a channel that the caller may not know of as missing, and then changes nothing", async () => {
    await harness.channel(fresh, ["dev"]);
    await harness.channel(`${fresh} hidden`, ["ada"], { isPrivate: true });
    const hidden = await leave("dev", [fresh, `${fresh} hidden`]);
    const absent = await leave("dev", [fresh, `${fresh} absent`]);
    expect([hidden.status, hidden.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(hidden.body.msg.replace("hidden", "absent")).toBe(absent.body.msg);
    expect(isIn(fresh, "dev")).toBe(true);
  });

  test("for others requires an administrator, the channel's permission, or ownership of the bot", async () => {
    const all = ["dev", "elin", "echo"] as const;
    await join("cleo", fresh, {
      principals: all.map(id),
      can_remove_subscribers_group: system("moderators"),
    });
    const refused = await leave("dev", [fresh], [id("elin")]);
    expect([refused.status, refused.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(isIn(fresh, "elin")).toBe(true);
    expect((await leave("cleo", [fresh], [id("elin")])).body.removed).toEqual([fresh]);
    expect((await leave("ben", [fresh], ["echo-bot@demo.test"])).body.removed).toEqual([fresh]);
    expect((await leave("ada", [fresh], [id("dev")])).body.removed).toEqual([fresh]);
  });
});
