import { describe, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { botTypes } from "../../../api/integrations/bots.ts";
import { MAX_BOTS } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type Made, outgoing, useBots } from "../../../test/harness/bots.ts";
import { HOST } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";

const ownBots = useBots();
const { make, userOf, asBot } = ownBots;

describe("a new bot", () => {
  test("belongs to the caller, has a member's role, and its key works", async () => {
    const bot = await make("dev", { short_name: "ci", full_name: "Build Bot" });
    expect(userOf(bot.user_id)).toMatchObject({
      email: `ci-bot@${HOST}`,
      role: roles.member,
      botType: botTypes.generic,
      botOwnerId: ownBots.harness.user("dev").id,
    });
    expect((await asBot(bot, "GET", "/users/me")).body).toMatchObject({ full_name: "Build Bot" });
  });

  test("is listed for its owner alone, with its key and what the server calls", async () => {
    const bot = await make("cleo", { ...outgoing, default_sending_stream: "general", interface_type: 2 });
    const { bots } = await expectSuccess(ownBots.harness.as("cleo").get("/bots"));
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
    const others = await expectSuccess(ownBots.harness.as("elin").get("/bots"));
    expect(others.bots).toEqual([]);
  });

  test("takes its address as JSON or as plain text", async () => {
    const bot = await make("ben", { bot_type: 3, payload_url: JSON.stringify(outgoing.payload_url) });
    const { bots } = await expectSuccess(ownBots.harness.as("ben").get("/bots"));
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
    const { size } = ownBots.harness.state.get(users);
    const bot = { full_name: "Flawed Bot", short_name: "flawed", ...flaw };
    expect(await refusal(ownBots.harness.as("dev").post("/bots", bot))).toContain(message);
    expect(ownBots.harness.state.get(users).size).toBe(size);
  });

  test("is refused to bots and guests", async () => {
    const bot = { full_name: "Another Bot", short_name: "another" };
    expect(await refusal(ownBots.harness.as("echo").post("/bots", bot))).toContain("does not accept bot");
    expect(await refusal(ownBots.harness.as("gus").post("/bots", bot))).toContain("permission");
  });

  test("needs the permission, and one that only sends messages needs less", async () => {
    const admins = ownBots.harness.state.get(users).size;
    await expectSuccess(
      ownBots.harness
        .as("ada")
        .patch("/realm", { can_create_bots_group: { new: await groupId("role:administrators") } }),
    );
    expect(
      await refusal(ownBots.harness.as("elin").post("/bots", { full_name: "No Bot", short_name: "no" })),
    ).toContain("permission");
    await make("elin", { bot_type: 2 });
    await expectSuccess(
      ownBots.harness.as("ada").patch("/realm", {
        can_create_write_only_bots_group: { new: await groupId("role:administrators") },
      }),
    );
    const hook = { full_name: "No Hook", short_name: "nohook", bot_type: 2 };
    expect(await refusal(ownBots.harness.as("elin").post("/bots", hook))).toContain("permission");
    await expectSuccess(
      ownBots.harness.as("ada").patch("/realm", {
        can_create_bots_group: { new: await groupId("role:members") },
        can_create_write_only_bots_group: { new: await groupId("role:members") },
      }),
    );
    expect(ownBots.harness.state.get(users).size).toBe(admins + 1);
  });

  test("can't be made by POST /users, and one person has a bounded number", async () => {
    const { bots } = await expectSuccess(ownBots.harness.as("elin").get("/bots"));
    const missing = MAX_BOTS - bots.length;
    await ownBots.harness.services.database.query(sql`
      update users set bot_owner_id = bot_owner_id where organization_id = ${ownBots.harness.state.organizationId}`);
    const all = ownBots.harness.state.get(users);
    const template = userOf(bots[0].user_id);
    if (!template) throw new Error("there is no bot");
    for (let index = 0; index < missing; index++) {
      all.put({ ...template, id: (5_000_000 + index) as UserId, email: `x${index}-bot@${HOST}` });
    }
    const one = { full_name: "Too Many", short_name: "toomany" };
    expect(await refusal(ownBots.harness.as("elin").post("/bots", one))).toContain(`at most ${MAX_BOTS}`);
    for (let index = 0; index < missing; index++) {
      const ghost = userOf(5_000_000 + index);
      if (ghost) all.put({ ...ghost, isActive: false });
    }
  });
});

async function groupId(name: string): Promise<number> {
  const { user_groups } = await expectSuccess(ownBots.harness.as("ada").get("/user_groups"));
  return user_groups.find((group: { name: string }) => group.name === name).id;
}

describe("a deactivated bot", () => {
  test("can't call, and an administrator takes it back into use", async () => {
    const bot = await make("dev");
    await expectSuccess(ownBots.harness.as("dev").delete(`/bots/${bot.user_id}`));
    expect((await asBot(bot, "GET", "/users/me")).status).toBe(401);
    expect(await refusal(ownBots.harness.as("dev").delete(`/bots/${bot.user_id}`))).toContain("deactivated");
    await expectSuccess(ownBots.harness.as("ben").post(`/users/${bot.user_id}/reactivate`));
    expect((await asBot(bot, "GET", "/users/me")).status).toBe(401);
    const { api_key } = await expectSuccess(ownBots.harness.as("dev").post(`/bots/${bot.user_id}/api_key`));
    expect((await asBot({ ...bot, api_key }, "GET", "/users/me")).status).toBe(200);
  });

  test("comes back only by somebody who could make it", async () => {
    const bot = await make("dev");
    await expectSuccess(ownBots.harness.as("dev").delete(`/bots/${bot.user_id}`));
    const only = async (name: string) =>
      expectSuccess(
        ownBots.harness.as("ada").patch("/realm", { can_create_bots_group: { new: await groupId(name) } }),
      );
    await only("role:owners");
    expect(await refusal(ownBots.harness.as("ben").post(`/users/${bot.user_id}/reactivate`))).toContain(
      "permission",
    );
    await only("role:members");
    await expectSuccess(ownBots.harness.as("ben").post(`/users/${bot.user_id}/reactivate`));
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
      const { message: sent } = await expectSuccess(ownBots.harness.as("dev").get(`/messages/${body.id}`));
      expect(sent).toMatchObject({ display_recipient: "general", subject: "builds", sender_id: bot.user_id });
    }
  });

  test("is refused without a default, of people, directly, and without a topic", async () => {
    const bot = await make("dev", { default_sending_stream: "general" });
    expect(await asBot(await make("dev"), "POST", "/messages", message)).toMatchObject(missing);
    expect(await asBot(bot, "POST", "/messages", { ...message, type: "direct" })).toMatchObject(missing);
    expect(await ownBots.harness.as("dev").post("/messages", message)).toMatchObject(missing);
    const { topic: _, ...unnamed } = message;
    expect((await asBot(bot, "POST", "/messages", unnamed)).body).toMatchObject({ var_name: "topic" });
  });

  test("needs the permission of any other message", async () => {
    await ownBots.harness.channel("rooftop", ["ada", "dev"], { isPrivate: true });
    const bot = await make("dev", { default_sending_stream: "rooftop" });
    await expectSuccess(
      ownBots.harness.as("dev").delete("/users/me/subscriptions", { subscriptions: ["rooftop"] }),
    );
    const refused = await asBot(bot, "POST", "/messages", message);
    const named = await asBot(bot, "POST", "/messages", { ...message, to: "rooftop" });
    expect(refused.status).toBe(400);
    expect(named.status).toBe(400);
    await expectSuccess(
      ownBots.harness.as("ada").post("/users/me/subscriptions", {
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
      ownBots.harness.as("ada").post("/messages", { type: "channel", to: channel, topic: "news", content }),
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
    await ownBots.harness.channel("plaza", ["ada"]);
    await ownBots.harness.channel("garden", ["ada"]);
    const listener = await make("dev", { default_all_public_streams: true });
    expect(await heard(listener, {})).toEqual(["In the plaza", "In the garden"]);
    expect(await heard(listener, { all_public_streams: false })).toEqual([]);
    const narrowed = await make("dev", { default_events_register_stream: "garden" });
    await expectSuccess(
      ownBots.harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: "plaza" }, { name: "garden" }],
        principals: [narrowed.user_id],
      }),
    );
    expect(await heard(narrowed, {})).toEqual(["In the garden"]);
    expect(await heard(narrowed, { narrow: [] })).toEqual(["In the garden"]);
    expect(await heard(narrowed, { narrow: [["channel", "plaza"]] })).toEqual(["In the plaza"]);
  });
});

test("the log and the tables hold no key and no token of a bot", async () => {
  const ada = await listen(ownBots.harness.as("ada"), { event_types: ["realm_bot"] });
  const bot = await make("dev", outgoing);
  const [added] = (await ada.heard()) as { bot?: { api_key: string; services: { token: string }[] } }[];
  const secrets = [added?.bot?.api_key as string, added?.bot?.services[0]?.token as string];
  expect(secrets[0]).toBe(bot.api_key);
  const rows = await ownBots.harness.services.database.query<{ text: string }>(sql`
    select payload::text as text from events union all select b::text from bots b`);
  expect(rows.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
});
