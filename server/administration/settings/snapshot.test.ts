import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "dev", "gus"], { isDefault: true });
});
afterAll(() => harness.close());

test("the limits are the ones that the server applies", async () => {
  const { body } = await harness.as("dev").post("/register", { fetch_event_types: ["realm"] });
  expect(body).toMatchObject({
    max_message_length: 10_000,
    max_topic_length: 60,
    max_stream_name_length: 60,
    max_stream_description_length: 1024,
    password_min_length: 8,
    password_max_length: 100,
    realm_empty_topic_display_name: "general chat",
  });
  const message = { type: "channel", to: "general", topic: "x".repeat(61), content: "y".repeat(10_001) };
  const { body: sent } = await harness.as("dev").post("/messages", message);
  const { body: read } = await harness.as("dev").get(`/messages/${sent.id}`, { apply_markdown: false });
  expect([...read.message.content]).toHaveLength(body.max_message_length);
  expect([...read.message.subject]).toHaveLength(body.max_topic_length);
});

test("each user learns their own role and abilities", async () => {
  const mine = async (name: "ada" | "cleo" | "dev" | "gus") =>
    (await harness.as(name).post("/register", { fetch_event_types: ["realm_user"] })).body;
  const may = (is: boolean) => ({
    can_create_public_streams: is,
    can_create_private_streams: is,
    can_invite_others_to_realm: is,
  });
  expect(await mine("ada")).toMatchObject({
    is_owner: true,
    is_admin: true,
    is_moderator: true,
    is_guest: false,
    ...may(true),
  });
  expect(await mine("cleo")).toMatchObject({ is_owner: false, is_admin: false, is_moderator: true });
  expect(await mine("dev")).toMatchObject({
    is_moderator: false,
    is_guest: false,
    email: "dev@demo.test",
    ...may(true),
  });
  expect(await mine("gus")).toMatchObject({
    is_guest: true,
    full_name: "Gus Pike",
    can_create_streams: false,
    ...may(false),
  });
});

test("web-public channels can be created if the server, the organization and the permission all allow it", async () => {
  const may = async () =>
    (await harness.as("ada").post("/register", { fetch_event_types: ["realm_user"] })).body
      .can_create_web_public_streams;
  expect(await may()).toBe(false);
  await harness.as("ada").patch("/realm", { enable_spectator_access: true });
  expect(await may()).toBe(true);
  await harness.as("ada").patch("/realm", { enable_spectator_access: false });
});

test("older clients get permissions as numbers", async () => {
  const policies = async () =>
    (await harness.as("dev").post("/register", { fetch_event_types: ["realm"] })).body;
  expect(await policies()).toMatchObject({
    realm_create_public_stream_policy: 1,
    realm_create_web_public_stream_policy: 7,
    realm_wildcard_mention_policy: 5,
  });
  const { body } = await harness.as("ada").get("/user_groups");
  const moderators = body.user_groups.find(({ name }: { name: string }) => name === "role:moderators").id;
  const mixed = { direct_members: [harness.user("dev").id], direct_subgroups: [] };
  await harness.as("ada").patch("/realm", {
    can_mention_many_users_group: { new: moderators },
    can_create_public_channel_group: { new: mixed },
  });
  expect(await policies()).toMatchObject({
    realm_create_public_stream_policy: 6,
    realm_wildcard_mention_policy: 7,
  });
});

test("a client without an account gets the organization, but nobody in it", async () => {
  expect((await harness.nobody().post("/register")).status).toBe(401);
  await harness.as("ada").patch("/realm", { enable_spectator_access: true });
  const { body } = await harness.nobody().post("/register");
  expect(body).toMatchObject({
    queue_id: null,
    realm_name: "Demo",
    realm_allow_message_editing: false,
    realm_presence_disabled: true,
    realm_users: [],
    realm_non_active_users: [],
    cross_realm_bots: [],
    realm_default_streams: [],
    realm_default_stream_groups: [],
    subscriptions: [],
    is_guest: true,
    is_admin: false,
    email: "",
    can_create_streams: false,
  });
  expect(JSON.stringify(body)).not.toContain("@demo.test");
  await harness.as("ada").patch("/realm", { enable_spectator_access: false });
});
