import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { botTypes } from "../../../api/integrations/bots.ts";
import { MAX_BOT_STORAGE_KEYS, MAX_BOT_STORAGE_LENGTH, MAX_BOTS } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "dev"]);
  await harness.channel("leads", ["ada"], { isPrivate: true });
});
afterAll(() => harness.close());

let made = 0;
interface Made {
  user_id: number;
  api_key: string;
}

async function make(owner: CastName, given: object = {}): Promise<Made> {
  const bot = { full_name: `Bot ${++made}`, short_name: `bot${made}`, ...given };
  return (await expectSuccess(harness.as(owner).post("/bots", bot))) as unknown as Made;
}

const outgoing = { bot_type: 3, payload_url: "https://build.example.com/chat" };
const userOf = (id: number) => harness.state.get(users).find(id);

/** A call with the credentials of a bot. */
async function asBot(bot: Made, method: "GET" | "POST" | "PUT" | "DELETE", path: string, fields = {}) {
  const pairs = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const query = new URLSearchParams(pairs).toString();
  const basic = Buffer.from(`${userOf(bot.user_id)?.email}:${bot.api_key}`).toString("base64");
  const response = await harness.app.inject({
    method,
    url: `/api/v1${path}?${query}`,
    headers: { host: HOST, authorization: `Basic ${basic}` },
  });
  return { status: response.statusCode, body: response.json() };
}

describe("a new bot", () => {
  test("belongs to the caller, has a member's role, and its key works", async () => {
    const bot = await make("dev", { short_name: "ci", full_name: "Build Bot" });
    expect(userOf(bot.user_id)).toMatchObject({
      email: `ci-bot@${HOST}`,
      role: roles.member,
      botType: botTypes.generic,
      botOwnerId: harness.user("dev").id,
    });
    expect((await asBot(bot, "GET", "/users/me")).body).toMatchObject({ full_name: "Build Bot" });
  });

  test("is listed for its owner alone, with its key and what the server calls", async () => {
    const bot = await make("cleo", { ...outgoing, default_sending_stream: "general", interface_type: 2 });
    const { bots } = await expectSuccess(harness.as("cleo").get("/bots"));
    expect(bots).toMatchObject([
      {
        user_id: bot.user_id,
        api_key: bot.api_key,
        bot_type: 3,
        default_sending_stream: "general",
        services: [
          { base_url: outgoing.payload_url, interface: 2, token: expect.stringMatching(/^[A-Za-z0-9]{32}$/) },
        ],
      },
    ]);
    const others = await expectSuccess(harness.as("elin").get("/bots"));
    expect(others.bots).toEqual([]);
  });

  test("takes its address as JSON or as plain text", async () => {
    const bot = await make("ben", { bot_type: 3, payload_url: JSON.stringify(outgoing.payload_url) });
    const { bots } = await expectSuccess(harness.as("ben").get("/bots"));
    const found = bots.find(({ user_id }: Made) => user_id === bot.user_id);
    expect(found.services[0].base_url).toBe(outgoing.payload_url);
  });

  test.each([
    ["of the embedded kind", { bot_type: 4 }, "not enabled"],
    ["of an unknown kind", { bot_type: 5 }, "bot_type"],
    ["that the server should call nowhere", { bot_type: 3 }, "Missing 'payload_url'"],
    ["with an address of a file", { ...outgoing, payload_url: "file:///etc/passwd" }, "not a web address"],
    ["with a password in its address", { ...outgoing, payload_url: "https://a:b@c.example/" }, "not a web"],
    ["with a text as address", { ...outgoing, payload_url: "somewhere" }, "not a web address"],
    ["with an unknown way to be called", { ...outgoing, interface_type: 3 }, "interface_type"],
    ["with an unknown channel", { default_sending_stream: "nowhere" }, "Invalid channel name"],
    ["with a channel that the caller can't see", { default_sending_stream: "leads" }, "Invalid channel name"],
    ["with an address that is taken", { short_name: "echo" }, "already in use"],
    ["with a name of one letter", { full_name: "B" }, "2 to 100"],
  ])("%s is refused, and nothing is left of it", async (_, flaw, message) => {
    const { size } = harness.state.get(users);
    const bot = { full_name: "Flawed Bot", short_name: "flawed", ...flaw };
    expect(await refusal(harness.as("dev").post("/bots", bot))).toContain(message);
    expect(harness.state.get(users).size).toBe(size);
  });

  test("is refused to bots and guests", async () => {
    const bot = { full_name: "Another Bot", short_name: "another" };
    expect(await refusal(harness.as("echo").post("/bots", bot))).toContain("does not accept bot");
    expect(await refusal(harness.as("gus").post("/bots", bot))).toContain("permission");
  });

  test("needs the permission, and one that only sends messages needs less", async () => {
    const admins = harness.state.get(users).size;
    await expectSuccess(
      harness
        .as("ada")
        .patch("/realm", { can_create_bots_group: { new: await groupId("role:administrators") } }),
    );
    expect(
      await refusal(harness.as("elin").post("/bots", { full_name: "No Bot", short_name: "no" })),
    ).toContain("permission");
    await make("elin", { bot_type: 2 });
    await expectSuccess(
      harness.as("ada").patch("/realm", {
        can_create_write_only_bots_group: { new: await groupId("role:administrators") },
      }),
    );
    const hook = { full_name: "No Hook", short_name: "nohook", bot_type: 2 };
    expect(await refusal(harness.as("elin").post("/bots", hook))).toContain("permission");
    await expectSuccess(
      harness.as("ada").patch("/realm", {
        can_create_bots_group: { new: await groupId("role:members") },
        can_create_write_only_bots_group: { new: await groupId("role:members") },
      }),
    );
    expect(harness.state.get(users).size).toBe(admins + 1);
  });

  test("can't be made by POST /users, and one person has a bounded number", async () => {
    const { bots } = await expectSuccess(harness.as("elin").get("/bots"));
    const missing = MAX_BOTS - bots.length;
    await harness.services.database.query(sql`
      update users set bot_owner_id = bot_owner_id where organization_id = ${harness.state.organizationId}`);
    const all = harness.state.get(users);
    const template = userOf(bots[0].user_id);
    if (!template) throw new Error("there is no bot");
    for (let index = 0; index < missing; index++) {
      all.put({ ...template, id: (5_000_000 + index) as UserId, email: `x${index}-bot@${HOST}` });
    }
    const one = { full_name: "Too Many", short_name: "toomany" };
    expect(await refusal(harness.as("elin").post("/bots", one))).toContain(`at most ${MAX_BOTS}`);
    for (let index = 0; index < missing; index++) {
      const ghost = userOf(5_000_000 + index);
      if (ghost) all.put({ ...ghost, isActive: false });
    }
  });
});

async function groupId(name: string): Promise<number> {
  const { user_groups } = await expectSuccess(harness.as("ada").get("/user_groups"));
  return user_groups.find((group: { name: string }) => group.name === name).id;
}

describe("a bot is changed", () => {
  test("by its owner and by administrators, and by nobody else", async () => {
    const bot = await make("dev");
    const path = `/bots/${bot.user_id}`;
    await expectSuccess(harness.as("dev").patch(path, { full_name: "First Name" }));
    await expectSuccess(harness.as("ben").patch(path, { full_name: "Second Name" }));
    expect(userOf(bot.user_id)?.fullName).toBe("Second Name");
    expect(await refusal(harness.as("elin").patch(path, { full_name: "Third" }))).toContain("permission");
    expect(await refusal(harness.as("cleo").delete(path))).toContain("permission");
    expect(await refusal(harness.as("elin").post(`${path}/api_key/regenerate`))).toContain("permission");
    expect(await refusal(harness.as("zed").patch(path, { full_name: "Fourth" }))).toContain("No such bot");
    expect(userOf(bot.user_id)?.fullName).toBe("Second Name");
  });

  test("in its service, its defaults and its settings", async () => {
    const bot = await make("dev", { ...outgoing, config_data: { city: "Oslo" } });
    const changed = await expectSuccess(
      harness.as("dev").patch(`/bots/${bot.user_id}`, {
        service_payload_url: "https://other.example.com/",
        service_interface: 2,
        config_data: { lake: "Mjøsa" },
        default_events_register_stream: "general",
        default_all_public_streams: true,
      }),
    );
    expect(changed).toMatchObject({
      service_payload_url: "https://other.example.com/",
      service_interface: 2,
      config_data: { city: "Oslo", lake: "Mjøsa" },
      default_events_register_stream: "general",
      default_all_public_streams: true,
      bot_owner: "dev@demo.test",
    });
    const cleared = { default_events_register_stream: "" };
    const { default_events_register_stream } = await expectSuccess(
      harness.as("dev").patch(`/bots/${bot.user_id}`, cleared),
    );
    expect(default_events_register_stream).toBeNull();
    const generic = await make("dev");
    const url = { service_payload_url: "https://other.example.com/" };
    expect(await refusal(harness.as("dev").patch(`/bots/${generic.user_id}`, url))).toContain(
      "Only an outgoing",
    );
  });

  test("in its role by administrators alone, and an owner's role by owners alone", async () => {
    const bot = await make("dev");
    const path = `/bots/${bot.user_id}`;
    const asked = { role: roles.administrator };
    expect(await refusal(harness.as("dev").patch(path, asked))).toContain("administrator");
    expect(await refusal(harness.as("ben").patch(path, { role: roles.owner }))).toContain("owner");
    await expectSuccess(harness.as("ben").patch(path, asked));
    expect(userOf(bot.user_id)?.role).toBe(roles.administrator);
    const given = { bot_owner_id: harness.user("elin").id };
    expect(await refusal(harness.as("dev").patch(path, given))).toContain("administrator");
    await expectSuccess(harness.as("ada").patch(path, { role: roles.owner }));
    expect(await refusal(harness.as("ben").patch(path, { role: roles.member }))).toContain("owner");
    expect(await refusal(harness.as("ben").post(`${path}/api_key/regenerate`))).toContain("owner");
    const { realm_bots } = await expectSuccess(
      harness.as("ben").post("/register", { event_types: ["realm_bot"] }),
    );
    expect(realm_bots.map(({ user_id }: Made) => user_id)).not.toContain(bot.user_id);
  });

  test("in its role together with an owner who gets a lower one", async () => {
    const setRole = (role: number) =>
      expectSuccess(harness.as("ada").patch(`/users/${harness.user("cleo").id}`, { role }));
    await setRole(roles.administrator);
    const [high, plain] = [await make("cleo"), await make("cleo")];
    await expectSuccess(harness.as("cleo").patch(`/bots/${high.user_id}`, { role: roles.administrator }));
    await setRole(roles.moderator);
    expect(userOf(high.user_id)?.role).toBe(roles.moderator);
    expect(userOf(plain.user_id)?.role).toBe(roles.member);
    await setRole(roles.administrator);
    expect(userOf(high.user_id)?.role).toBe(roles.moderator);
    await setRole(roles.moderator);
  });

  test("in its owner, who must be an active person and no guest", async () => {
    const bot = await make("dev");
    const path = `/bots/${bot.user_id}`;
    const give = (id: number) => harness.as("dev").patch(path, { bot_owner_id: id });
    expect(await refusal(give(9_999_999))).toContain("no such user");
    expect(await refusal(give(harness.user("echo").id))).toContain("can't own other bots");
    expect(await refusal(give(harness.user("gus").id))).toContain("permission");
    expect(await refusal(give(harness.user("zed").id))).toContain("no such user");
    await expectSuccess(give(harness.user("elin").id));
    expect(userOf(bot.user_id)?.botOwnerId).toBe(harness.user("elin").id);
    expect(await refusal(give(harness.user("dev").id))).toContain("permission");
  });

  test("in its key, so that the old one no longer works", async () => {
    const bot = await make("dev");
    const path = `/bots/${bot.user_id}/api_key/regenerate`;
    const { api_key } = await expectSuccess(harness.as("dev").post(path));
    expect((await asBot(bot, "GET", "/users/me")).status).toBe(401);
    expect((await asBot({ ...bot, api_key }, "GET", "/users/me")).status).toBe(200);
  });
});

describe("a deactivated bot", () => {
  test("can't call, and an administrator takes it back into use", async () => {
    const bot = await make("dev");
    await expectSuccess(harness.as("dev").delete(`/bots/${bot.user_id}`));
    expect((await asBot(bot, "GET", "/users/me")).status).toBe(401);
    expect(await refusal(harness.as("dev").delete(`/bots/${bot.user_id}`))).toContain("deactivated");
    await expectSuccess(harness.as("ben").post(`/users/${bot.user_id}/reactivate`));
    expect((await asBot(bot, "GET", "/users/me")).status).toBe(401);
    const { api_key } = await expectSuccess(harness.as("dev").post(`/bots/${bot.user_id}/api_key`));
    expect((await asBot({ ...bot, api_key }, "GET", "/users/me")).status).toBe(200);
  });

  test("comes back only by somebody who could make it", async () => {
    const bot = await make("dev");
    await expectSuccess(harness.as("dev").delete(`/bots/${bot.user_id}`));
    const only = async (name: string) =>
      expectSuccess(
        harness.as("ada").patch("/realm", { can_create_bots_group: { new: await groupId(name) } }),
      );
    await only("role:owners");
    expect(await refusal(harness.as("ben").post(`/users/${bot.user_id}/reactivate`))).toContain("permission");
    await only("role:members");
    await expectSuccess(harness.as("ben").post(`/users/${bot.user_id}/reactivate`));
  });
});

describe("an incoming webhook bot", () => {
  test("sends messages, and can call nothing else", async () => {
    const bot = await make("dev", { bot_type: 2 });
    const message = { type: "channel", to: "general", topic: "builds", content: "Passed." };
    expect((await asBot(bot, "POST", "/messages", message)).status).toBe(200);
    const calls = [
      ["GET", "/users/me"],
      ["GET", "/messages"],
      ["POST", "/register"],
      ["GET", "/bot_storage"],
      ["GET", "/users"],
      ["POST", "/users/me/subscriptions"],
    ] as const;
    for (const [method, path] of calls) {
      const { status, body } = await asBot(bot, method, path);
      expect([path, status, body.code]).toEqual([path, 401, "UNAUTHORIZED"]);
      expect(body.msg).toContain("incoming webhook bots");
    }
  });
});

describe("a message that names no recipient", () => {
  const message = { type: "channel", topic: "builds", content: "Passed." };
  const missing = { status: 400, body: { code: "REQUEST_VARIABLE_MISSING", var_name: "to" } };

  test("goes to the default channel of a bot, an incoming webhook too", async () => {
    for (const kind of [{}, { bot_type: 2 }]) {
      const bot = await make("dev", { ...kind, default_sending_stream: "general" });
      const { status, body } = await asBot(bot, "POST", "/messages", message);
      expect(status).toBe(200);
      const { message: sent } = await expectSuccess(harness.as("dev").get(`/messages/${body.id}`));
      expect(sent).toMatchObject({ display_recipient: "general", subject: "builds", sender_id: bot.user_id });
    }
  });

  test("is refused without a default, of people, directly, and without a topic", async () => {
    const bot = await make("dev", { default_sending_stream: "general" });
    expect(await asBot(await make("dev"), "POST", "/messages", message)).toMatchObject(missing);
    expect(await asBot(bot, "POST", "/messages", { ...message, type: "direct" })).toMatchObject(missing);
    expect(await harness.as("dev").post("/messages", message)).toMatchObject(missing);
    const { topic: _, ...unnamed } = message;
    expect((await asBot(bot, "POST", "/messages", unnamed)).body).toMatchObject({ var_name: "topic" });
  });

  test("needs the permission of any other message", async () => {
    await harness.channel("rooftop", ["ada", "dev"], { isPrivate: true });
    const bot = await make("dev", { default_sending_stream: "rooftop" });
    await expectSuccess(harness.as("dev").delete("/users/me/subscriptions", { subscriptions: ["rooftop"] }));
    const refused = await asBot(bot, "POST", "/messages", message);
    const named = await asBot(bot, "POST", "/messages", { ...message, to: "rooftop" });
    expect(refused.status).toBe(400);
    expect(named.status).toBe(400);
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: "rooftop" }],
        principals: [bot.user_id],
      }),
    );
    expect((await asBot(bot, "POST", "/messages", message)).status).toBe(200);
  });
});

describe("an event queue of a bot", () => {
  const say = (channel: string, content: string) =>
    expectSuccess(
      harness.as("ada").post("/messages", { type: "channel", to: channel, topic: "news", content }),
    );
  const heard = async (bot: Made, registration: object) => {
    const { body } = await asBot(bot, "POST", "/register", { event_types: ["message"], ...registration });
    await say("plaza", "In the plaza");
    await say("garden", "In the garden");
    const poll = { queue_id: body.queue_id, last_event_id: body.last_event_id, dont_block: true };
    const { body: polled } = await asBot(bot, "GET", "/events", poll);
    return polled.events.map((event: { message: { content: string } }) => event.message.content);
  };

  test("has the bot's defaults where the call leaves them open", async () => {
    await harness.channel("plaza", ["ada"]);
    await harness.channel("garden", ["ada"]);
    const listener = await make("dev", { default_all_public_streams: true });
    expect(await heard(listener, {})).toEqual(["In the plaza", "In the garden"]);
    expect(await heard(listener, { all_public_streams: false })).toEqual([]);
    const narrowed = await make("dev", { default_events_register_stream: "garden" });
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: "plaza" }, { name: "garden" }],
        principals: [narrowed.user_id],
      }),
    );
    expect(await heard(narrowed, {})).toEqual(["In the garden"]);
    expect(await heard(narrowed, { narrow: [] })).toEqual(["In the garden"]);
    expect(await heard(narrowed, { narrow: [["channel", "plaza"]] })).toEqual(["In the plaza"]);
  });
});

describe("a bot's storage", () => {
  test("keeps texts for that bot alone", async () => {
    const [one, other] = [await make("dev"), await make("dev")];
    const put = await asBot(one, "PUT", "/bot_storage", { storage: { a: "1", b: "" } });
    expect(put.body).toMatchObject({ result: "success" });
    await asBot(one, "PUT", "/bot_storage", { storage: { a: "2" } });
    expect((await asBot(one, "GET", "/bot_storage")).body.storage).toEqual({ a: "2", b: "" });
    expect((await asBot(one, "GET", "/bot_storage", { keys: ["a"] })).body.storage).toEqual({ a: "2" });
    expect((await asBot(other, "GET", "/bot_storage")).body.storage).toEqual({});
    const missing = await asBot(one, "GET", "/bot_storage", { keys: ["a", "c"] });
    expect([missing.status, missing.body.msg]).toEqual([400, "Key does not exist."]);
    expect((await asBot(one, "DELETE", "/bot_storage", { keys: ["c", "a"] })).status).toBe(400);
    expect((await asBot(one, "DELETE", "/bot_storage", { keys: ["a"] })).status).toBe(200);
    expect((await asBot(one, "GET", "/bot_storage")).body.storage).toEqual({ b: "" });
    expect((await asBot(one, "DELETE", "/bot_storage")).status).toBe(200);
    expect((await asBot(one, "GET", "/bot_storage")).body.storage).toEqual({});
  });

  test("is bounded, and people have none", async () => {
    const bot = await make("dev");
    const { organizationId, database } = harness.state;
    await database.query(sql`
      insert into bot_storage (organization_id, user_id, key, value)
      select ${organizationId}, ${bot.user_id}, 'key' || n, '' from generate_series(1, ${MAX_BOT_STORAGE_KEYS}) n`);
    const one = await asBot(bot, "PUT", "/bot_storage", { storage: { another: "" } });
    expect(one.body.msg).toContain("no room");
    expect((await asBot(bot, "PUT", "/bot_storage", { storage: { key1: "x" } })).status).toBe(200);
    await database.query(sql`
      update bot_storage set value = repeat('x', ${MAX_BOT_STORAGE_LENGTH}) where user_id = ${bot.user_id} and key = 'key2'`);
    const two = await asBot(bot, "PUT", "/bot_storage", { storage: { key1: "y" } });
    expect(two.body.msg).toContain("no room");
    expect((await asBot(bot, "GET", "/bot_storage", { keys: ["key1"] })).body.storage).toEqual({ key1: "x" });
    expect(await refusal(harness.as("dev").get("/bot_storage"))).toContain("bots only");
    expect(await refusal(harness.as("dev").put("/bot_storage", { storage: {} }))).toContain("bots only");
    expect(await refusal(harness.as("dev").delete("/bot_storage"))).toContain("bots only");
  });
});

test("the log and the tables hold no key and no token of a bot", async () => {
  const ada = await listen(harness.as("ada"), { event_types: ["realm_bot"] });
  const bot = await make("dev", outgoing);
  const [added] = (await ada.heard()) as { bot?: { api_key: string; services: { token: string }[] } }[];
  const secrets = [added?.bot?.api_key as string, added?.bot?.services[0]?.token as string];
  expect(secrets[0]).toBe(bot.api_key);
  const rows = await harness.services.database.query<{ text: string }>(sql`
    select payload::text as text from events union all select b::text from bots b`);
  expect(rows.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
});
