import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../test/harness/harness.ts";
import { runStateChange } from "../platform/log/change.ts";
import { deactivateUser } from "./actions.ts";
import { notificationBotOf } from "./notification-bot.ts";
import type { User } from "./user.ts";

let harness: Harness;
let bot: User;
beforeAll(async () => {
  harness = await createHarness();
  bot = notificationBotOf(harness.state);
});
afterAll(() => harness.close());

test("the notification bot is listed apart from the organization's people and bots", async () => {
  const { body } = await harness.as("dev").post("/register");
  expect(body.cross_realm_bots).toMatchObject([
    { user_id: bot.id, is_bot: true, is_system_bot: true, is_active: true, full_name: "Notification Bot" },
  ]);
  const ids = (list: { user_id: number }[]) => list.map(({ user_id }) => user_id);
  expect(ids(body.realm_users)).not.toContain(bot.id);
  expect(ids(body.realm_non_active_users)).not.toContain(bot.id);
  const { body: listed } = await harness.as("dev").get("/users");
  expect(ids(listed.members)).not.toContain(bot.id);
  const { body: asked } = await harness
    .as("dev")
    .get("/users", { user_ids: [bot.id, harness.user("dev").id] });
  expect(ids(asked.members)).toEqual([harness.user("dev").id]);
});

test("it is in no group and can't be added to one", async () => {
  const { body } = await harness.as("ada").get("/user_groups");
  for (const { name, members } of body.user_groups) expect(members, name).not.toContain(bot.id);
  const named = { direct_members: [bot.id], direct_subgroups: [] };
  const { status } = await harness
    .as("ada")
    .patch("/realm", { can_mention_many_users_group: { new: named } });
  expect(status).toBe(400);
});

test("nobody can sign in as it", async () => {
  const { email: username } = bot;
  const development = await harness.nobody().post("/dev_fetch_api_key", { username });
  expect([development.status, development.body.code]).toEqual([401, "AUTHENTICATION_FAILED"]);
  const { status } = await harness.nobody().post("/fetch_api_key", { username, password: "" });
  expect(status).toBe(401);
});

test("it can't be subscribed or deactivated", async () => {
  const subscriptions = [{ name: "kitchen" }];
  for (const principal of [bot.id, bot.email]) {
    const { status, body } = await harness
      .as("ada")
      .post("/users/me/subscriptions", { subscriptions, principals: [principal] });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
  }
  const deactivating = runStateChange(harness.state, (tx) => deactivateUser(tx, bot));
  await expect(deactivating).rejects.toThrow("No such user");
});

test("people can send it direct messages, also by its email address", async () => {
  for (const to of [[bot.id], [bot.email]]) {
    const { status, body } = await harness
      .as("gus")
      .post("/messages", { type: "direct", to, content: "Thanks!" });
    expect(status, JSON.stringify(body)).toBe(200);
  }
  const narrow = [{ operator: "dm", operand: [bot.id] }];
  const { body } = await harness
    .as("gus")
    .get("/messages", { anchor: "newest", num_before: 9, num_after: 0, narrow });
  expect(body.messages).toHaveLength(2);
});

test("each organization has its own", async () => {
  const other = notificationBotOf(harness.otherState);
  expect(other.id).not.toBe(bot.id);
  expect(other.email).toBe("notification-bot@other.test");
});
