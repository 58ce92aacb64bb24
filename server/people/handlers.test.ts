import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roles } from "../../api/roles.ts";
import { createHarness, type Harness, HOST } from "../../test/harness/harness.ts";
import { runStateChange } from "../platform/log/change.ts";
import { deactivateUser } from "./actions.ts";
import { notificationBotOf } from "./notification-bot.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "dev"]);
});
afterAll(() => harness.close());

describe("the caller's own account", () => {
  test("has the fields of the specification, and no others", async () => {
    const { body } = await harness.as("dev").get("/users/me");
    expect(body).toEqual({
      result: "success",
      msg: "",
      avatar_url: expect.stringMatching(/^\/user_avatars\/drawn\//),
      avatar_version: 1,
      email: "dev@demo.test",
      full_name: "Dev Rao",
      is_admin: false,
      is_owner: false,
      role: roles.member,
      is_guest: false,
      is_bot: false,
      is_active: true,
      timezone: "UTC",
      date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+00:00$/),
      max_message_id: expect.any(Number),
      user_id: harness.user("dev").id,
      delivery_email: "dev@demo.test",
      profile_data: {},
    });
  });

  test.each([
    ["ada", { role: roles.owner, is_owner: true, is_admin: true, is_guest: false }],
    ["ben", { role: roles.administrator, is_owner: false, is_admin: true, is_guest: false }],
    ["cleo", { role: roles.moderator, is_owner: false, is_admin: false, is_guest: false }],
    ["gus", { role: roles.guest, is_owner: false, is_admin: false, is_guest: true }],
  ] as const)("of %s tells the role", async (name, expected) => {
    expect((await harness.as(name).get("/users/me")).body).toMatchObject(expected);
  });

  test("of a bot has no profile", async () => {
    const { body } = await harness.as("echo").get("/users/me");
    expect(body.is_bot).toBe(true);
    expect(body).not.toHaveProperty("profile_data");
  });

  test("names the newest message, of the caller's organization only", async () => {
    const before = (await harness.as("zed").get("/users/me")).body.max_message_id;
    expect(before).toBe(-1);
    const { body: sent } = await harness
      .as("dev")
      .post("/messages", { type: "channel", to: "general", topic: "x", content: "y" });
    expect((await harness.as("ada").get("/users/me")).body.max_message_id).toBe(sent.id);
    expect((await harness.as("zed").get("/users/me")).body.max_message_id).toBe(before);
  });

  test("can't be read without credentials", async () => {
    const { status, body } = await harness.nobody().get("/users/me");
    expect([status, body.code]).toEqual([401, "UNAUTHORIZED"]);
  });
});

describe("the list of users", () => {
  test("has all users of the organization, also bots and deactivated ones", async () => {
    await runStateChange(harness.state, (tx) => deactivateUser(tx, harness.user("elin").user));
    const { body } = await harness.as("gus").get("/users");
    const byEmail = new Map(body.members.map((member: { email: string }) => [member.email, member]));
    expect([...byEmail.keys()].sort()).toEqual(
      ["ada", "ben", "cleo", "dev", "elin", "gus", "echo-bot"].map((name) => `${name}@demo.test`).sort(),
    );
    expect(byEmail.get("elin@demo.test")).toMatchObject({ is_active: false });
    expect(byEmail.get("echo-bot@demo.test")).toMatchObject({
      is_bot: true,
      bot_type: 1,
      bot_owner_id: harness.user("ben").id,
    });
    expect(byEmail.get("dev@demo.test")).not.toHaveProperty("profile_data");
  });

  test("leaves out pictures that clients can make, unless asked for them", async () => {
    await harness.as("ada").patch("/realm", { default_avatar_source: "G" });
    const [byDefault] = (await harness.as("dev").get("/users")).body.members;
    expect(byDefault.avatar_url).toBeNull();
    const [told] = (await harness.as("dev").get("/users", { client_gravatar: false })).body.members;
    expect(told.avatar_url).toMatch(/^https:\/\//);
    await harness.as("ada").patch("/realm", { default_avatar_source: "J" });
  });

  test("has profiles if asked for, for people only", async () => {
    const { body } = await harness.as("dev").get("/users", { include_custom_profile_fields: true });
    for (const member of body.members) expect("profile_data" in member).toBe(!member.is_bot);
  });

  test("can be limited to some users, and leaves out unknown ids", async () => {
    const ids = [harness.user("dev").id, harness.user("zed").id, harness.user("dev").id, 999_999];
    const { body } = await harness.as("ada").get("/users", { user_ids: ids });
    expect(body.members.map(({ user_id }: { user_id: number }) => user_id)).toEqual([harness.user("dev").id]);
  });

  test("can't be read without an account, even in an organization with public access", async () => {
    await harness.as("ada").patch("/realm", { enable_spectator_access: true });
    expect((await harness.nobody().get("/users")).status).toBe(401);
  });
});

describe("one user", () => {
  const one = (name: "dev" | "gus", who: number | string, params = {}) =>
    harness.as(name).get(`/users/${encodeURIComponent(who)}`, params);

  test("is found by id and by email, with the fields of the list", async () => {
    const { id, email } = harness.user("ben");
    const { body } = await harness.as("gus").get("/users", { user_ids: [id] });
    expect((await one("gus", id)).body.user).toEqual(body.members[0]);
    expect((await one("gus", email.toUpperCase())).body.user).toEqual(body.members[0]);
    expect((await one("gus", `user${id}@${HOST}`)).body.user).toEqual(body.members[0]);
  });

  test("can be a bot, a deactivated person or an account of the service", async () => {
    expect((await one("dev", harness.user("echo").id)).body.user).toMatchObject({ is_bot: true });
    expect((await one("dev", harness.user("elin").id)).body.user).toMatchObject({ is_active: false });
    expect((await one("dev", notificationBotOf(harness.state).id)).status).toBe(200);
  });

  test("has a picture and a profile if asked for", async () => {
    const asked = { client_gravatar: false, include_custom_profile_fields: true };
    const { user } = (await one("dev", harness.user("ben").id, asked)).body;
    expect(user).toMatchObject({
      avatar_url: expect.stringMatching(/^\/user_avatars\/drawn\//),
      profile_data: {},
    });
  });

  test.each([
    ["an id that nobody has", () => 999_999],
    ["an id of another organization", () => harness.user("zed").id],
    ["an email that nobody has", () => "nobody@demo.test"],
    ["an email of another organization", () => "zed@other.test"],
    ["an address that stands for an id that nobody has", () => `user999999@${HOST}`],
    ["an address of that form at another host", () => `user${harness.user("ben").id}@other.test`],
  ])("is not found by %s", async (_, who) => {
    const { status, body } = await one("dev", who());
    expect([status, body.code, body.msg]).toEqual([400, "BAD_REQUEST", "No such user"]);
  });
});
