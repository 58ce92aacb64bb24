import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("general", ["ada", "dev", "gus"], { isDefault: true });
});
afterAll(() => harness.close());

/** The request of zulip-terminal, and the keys that it can't start without. */
const terminal = {
  fetch_event_types: [
    "realm",
    "presence",
    "subscription",
    "message",
    "starred_messages",
    "update_message_flags",
    "muted_topics",
    "realm_user",
    "realm_user_groups",
    "user_settings",
    "realm_emoji",
    "custom_profile_fields",
    "zulip_version",
  ],
  keys: "queue_id last_event_id max_message_id zulip_version user_id email full_name realm_name realm_message_retention_days subscriptions realm_users cross_realm_bots presences starred_messages muted_topics realm_user_groups realm_emoji unread_msgs user_settings realm_allow_message_editing realm_message_content_edit_limit_seconds realm_allow_edit_history custom_profile_fields",
};

/** The keys that the mobile app has no default for. */
const mobile =
  "queue_id last_event_id zulip_feature_level zulip_version zulip_merge_base alert_words custom_profile_fields max_stream_name_length max_topic_length server_presence_ping_interval_seconds server_presence_offline_threshold_seconds server_typing_started_expiry_period_milliseconds server_typing_started_wait_period_milliseconds server_typing_stopped_wait_period_milliseconds muted_users presences realm_emoji realm_user_groups recent_private_conversations subscriptions unread_msgs starred_messages streams user_status user_settings user_topics realm_wildcard_mention_policy realm_name realm_waiting_period_threshold realm_message_content_edit_limit_seconds realm_message_content_delete_limit_seconds realm_allow_message_editing realm_enable_read_receipts realm_icon_url realm_presence_disabled realm_default_external_accounts max_file_upload_size_mib server_emoji_data_url event_queue_longpoll_timeout_seconds realm_users realm_non_active_users cross_realm_bots";

describe("real clients get the keys that they can't start without", () => {
  test("zulip-terminal", async () => {
    const { fetch_event_types, keys } = terminal;
    const { body } = await harness
      .as("dev")
      .post("/register", { fetch_event_types, include_subscribers: true });
    for (const key of keys.split(" ")) expect(body, key).toHaveProperty(key);
    expect(body.realm_users).toContainEqual(
      expect.objectContaining({ user_id: body.user_id, is_bot: false }),
    );
    expect(body.user_settings).toMatchObject({
      send_private_typing_notifications: true,
      twenty_four_hour_time: false,
      pm_content_in_desktop_notifications: true,
    });
  });

  test("the mobile app", async () => {
    const { body } = await harness.as("gus").post("/register", { slim_presence: true });
    for (const key of mobile.split(" ")) expect(body, key).toHaveProperty(key);
    expect(body.zulip_feature_level).toBe(420);
  });
});

test("only the requested sections are returned", async () => {
  const { body } = await harness.as("dev").post("/register", { fetch_event_types: ["alert_words"] });
  expect(
    Object.keys(body).filter((key) => !/^(service|zulip)_|^(result|msg|queue_id|last_event_id)$/.test(key)),
  ).toEqual(["alert_words"]);
});

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
