// Every function of zulip-js, called on an unmodified client, with the whole reply that it gets.
import { beforeAll, expect, test } from "vitest";
import { operationsThatComeLater } from "../contract/surface.ts";
import { useZulipJs } from "../harness/zulip-js.ts";
import { build, type Json, start, usedDirectory } from "./parley.ts";

const zulip = useZulipJs();

beforeAll(build);

const number = expect.any(Number);
const success = { result: "success", msg: "" };
const missing = { result: "error", code: "NOT_FOUND", msg: expect.any(String) };
const picture = expect.stringMatching(/^\/user_avatars\/drawn\/[0-9a-f-]+c\d+\.png$/);
const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);

test("each of the 35 functions of zulip-js gets the whole reply that it is made for", async () => {
  const server = await start(["demo"], { env: { PARLEY_DATA_DIR: await usedDirectory("demo") } });
  const config = { username: "ada@demo.test", password: "demo-password", realm: server.url };
  const called = new Set<string>();
  const client = await zulip(config);
  const ada = recording(client, called);

  expect(await ada.accounts.retrieve()).toEqual({
    ...success,
    api_key: client.config.apiKey,
    email: "ada@demo.test",
    user_id: number,
  });

  await checkServerAndPeople(ada, server.url);
  const channel = await checkChannels(ada);
  await checkMessages(ada, channel);
  await checkWhatIsGone(ada);

  expect(await ada.users.me.subscriptions.remove({ subscriptions: JSON.stringify([channel.name]) })).toEqual({
    ...success,
    removed: [channel.name],
    not_removed: [],
  });
  expect(await ada.streams.deleteById({ stream_id: channel.stream_id })).toEqual(success);

  const all = functionsOf(client);
  expect(all).toHaveLength(35);
  // That function never returns; `zulip-js.test.ts` has a program that calls it.
  expect(all.filter((name) => !called.has(name))).toEqual(["callOnEachEvent"]);
  await server.stop();
});

async function checkServerAndPeople(ada: Json, url: string): Promise<void> {
  const version = expect.stringContaining("parley");
  const level = 420;
  const ways = ["ldap", "remoteuser", "github", "azuread", "gitlab", "apple", "google", "saml"];
  expect(await ada.server.settings()).toEqual({
    ...success,
    authentication_methods: {
      password: true,
      email: true,
      dev: true,
      "openid connect": false,
      ...Object.fromEntries(ways.map((way) => [way, false])),
    },
    external_authentication_methods: [],
    service_feature_level: level,
    service_version: version,
    service_merge_base: version,
    zulip_feature_level: level,
    zulip_version: version,
    zulip_merge_base: version,
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_uri: url,
    realm_url: url,
    realm_name: "Demo",
    realm_icon: `${url}/logo.svg`,
    realm_description: "",
    realm_web_public_access_enabled: true,
  });

  const account = {
    date_joined: date,
    is_active: true,
    is_guest: false,
    is_bot: false,
    timezone: "UTC",
    avatar_url: picture,
    avatar_version: 1,
  };
  expect(await ada.users.me.getProfile()).toEqual({
    ...success,
    ...account,
    user_id: number,
    full_name: "Ada Osei",
    email: "ada@demo.test",
    delivery_email: "ada@demo.test",
    is_owner: true,
    is_admin: true,
    role: 100,
    max_message_id: number,
    profile_data: {},
  });

  const faye = { email: "faye@demo.test", full_name: "Faye Lind" };
  const created = await ada.users.create({ ...faye, password: "a good start" });
  expect(created).toEqual({ ...success, user_id: number });
  const list = await ada.users.retrieve({ client_gravatar: false });
  expect(list).toEqual({ ...success, members: expect.any(Array) });
  expect(list.members.find(({ user_id }: Json) => user_id === created.user_id)).toEqual({
    ...account,
    ...faye,
    user_id: created.user_id,
    delivery_email: faye.email,
    is_owner: false,
    is_admin: false,
    bot_type: null,
    bot_owner_id: null,
    role: 400,
  });

  expect(await ada.users.me.alertWords.retrieve()).toEqual({ ...success, alert_words: [] });
  const words = { alert_words: ["soup"] };
  expect(await ada.callEndpoint("users/me/alert_words", "POST", words)).toEqual({ ...success, ...words });
}

async function checkChannels(ada: Json): Promise<{ stream_id: number; name: string }> {
  const name = "zulip-js & friends";
  const { user_id } = await ada.users.me.getProfile();
  const subscriptions = JSON.stringify([{ name, description: "*All* of them" }]);
  expect(await ada.users.me.subscriptions.add({ subscriptions })).toEqual({
    ...success,
    subscribed: { [user_id]: [name] },
    already_subscribed: {},
    new_subscription_messages_sent: true,
  });
  const found = await ada.streams.getStreamId(name);
  expect(found).toEqual({ ...success, stream_id: number });
  const { stream_id } = found;

  const channel = {
    stream_id,
    name,
    description: "*All* of them",
    rendered_description: "<p><em>All</em> of them</p>",
    date_created: number,
    creator_id: user_id,
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    is_archived: false,
    folder_id: null,
    topics_policy: "inherit",
    message_retention_days: null,
    stream_post_policy: 1,
    is_announcement_only: false,
    first_message_id: number,
    is_recently_active: true,
    stream_weekly_traffic: null,
    subscriber_count: 1,
    can_add_subscribers_group: number,
    can_administer_channel_group: { direct_members: [user_id], direct_subgroups: [] },
    can_delete_any_message_group: number,
    can_delete_own_message_group: number,
    can_move_messages_out_of_channel_group: number,
    can_move_messages_within_channel_group: number,
    can_remove_subscribers_group: number,
    can_resolve_topics_group: number,
    can_send_message_group: number,
    can_subscribe_group: number,
  };
  const personal = {
    color: expect.stringMatching(/^#[0-9a-f]{6}$/),
    is_muted: false,
    in_home_view: true,
    pin_to_top: false,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
  };
  const isIt = (each: Json) => each.stream_id === stream_id;
  const all = await ada.streams.retrieve();
  expect(all).toEqual({ ...success, streams: expect.any(Array) });
  expect(all.streams.filter(isIt)).toEqual([channel]);
  const own = await ada.streams.subscriptions.retrieve();
  expect(own).toEqual({ ...success, subscriptions: expect.any(Array) });
  expect(own.subscriptions.filter(isIt)).toEqual([{ ...channel, ...personal }]);
  return { stream_id, name };
}

async function checkMessages(ada: Json, { stream_id, name }: { stream_id: number; name: string }) {
  const { user_id } = await ada.users.me.getProfile();
  const queue = await ada.queues.register({ event_types: ["message", "typing"] });
  const { queue_id, last_event_id } = queue;
  expect(queue).toMatchObject({ ...success, queue_id: expect.any(String), last_event_id: number });
  // The topic is new, and who starts a topic follows it. The word is the alert word of before.
  const sent = await ada.messages.send({ to: name, type: "stream", subject: "soup", content: "**Soup**?" });
  expect(sent).toEqual({ ...success, id: number, automatic_new_visibility_policy: 3 });
  const { id } = sent;

  const message = {
    id,
    type: "stream",
    subject: "soup",
    stream_id,
    display_recipient: name,
    recipient_id: number,
    sender_id: user_id,
    sender_email: "ada@demo.test",
    sender_full_name: "Ada Osei",
    sender_realm_str: expect.any(String),
    client: "node-fetch",
    is_me_message: false,
    timestamp: number,
    reactions: [],
    submessages: [],
    topic_links: [],
  };
  const asSent = { avatar_url: picture, content: "**Soup**?", content_type: "text/x-markdown" };
  expect(await ada.events.retrieve({ queue_id, last_event_id })).toEqual({
    ...success,
    queue_id,
    events: [{ id: number, type: "message", flags: ["has_alert_word"], message: { ...message, ...asSent } }],
  });
  expect(await ada.typing.send({ to: [user_id], op: "start" })).toEqual(success);
  expect(await ada.queues.deregister({ queue_id })).toEqual(success);
  expect(await ada.messages.render("**Soup**?")).toEqual({
    ...success,
    rendered: "<p><strong>Soup</strong>?</p>",
  });

  const update = { message_id: id, content: "*Stew*?" };
  expect(await ada.messages.update(update)).toEqual({ ...success, detached_uploads: [] });
  const before = { prev_content: "**Soup**?", prev_rendered_content: "<p><strong>Soup</strong>?</p>" };
  const edited = {
    ...message,
    content: "<p><em>Stew</em>?</p>",
    content_type: "text/html",
    last_edit_timestamp: number,
    edit_history: [{ user_id, timestamp: number, ...before }],
    flags: [],
  };
  const narrow = [{ operator: "stream", operand: name }];
  expect(await ada.messages.retrieve({ anchor: id, num_before: 0, num_after: 0, narrow })).toEqual({
    ...success,
    messages: [{ ...edited, avatar_url: picture }],
    anchor: id,
    found_anchor: true,
    found_oldest: false,
    found_newest: false,
    history_limited: false,
  });
  expect(await ada.messages.getById({ message_id: id })).toEqual({
    ...success,
    message: { ...edited, avatar_url: picture },
    raw_content: "*Stew*?",
  });
  const version = { topic: "soup", user_id, timestamp: number };
  expect(await ada.messages.getHistoryById({ message_id: id })).toEqual({
    ...success,
    message_history: [
      { ...version, content: "**Soup**?", rendered_content: "<p><strong>Soup</strong>?</p>" },
      {
        ...version,
        ...before,
        content: "*Stew*?",
        rendered_content: "<p><em>Stew</em>?</p>",
        content_html_diff: expect.stringContaining("Stew"),
      },
    ],
  });

  const flag = { messages: [id], flag: "starred" };
  expect(await ada.messages.flags.add(flag)).toEqual({ ...success, messages: [id] });
  expect(await ada.messages.flags.remove(flag)).toEqual({ ...success, messages: [id] });
  const reaction = { message_id: id, emoji_name: "octopus" };
  expect(await ada.reactions.add(reaction)).toEqual(success);
  expect(await ada.reactions.remove(reaction)).toEqual(success);
  expect(await ada.reactions.add(reaction)).toEqual(success);
  expect(await ada.messages.deleteReactionById(reaction)).toEqual(success);
  expect(await ada.streams.topics.retrieve({ stream_id })).toEqual({
    ...success,
    topics: [
      { name: "soup", max_id: id },
      { name: "channel events", max_id: number },
    ],
  });
  expect(await ada.messages.deleteById({ message_id: id })).toEqual(success);
  expect(await ada.messages.getById({ message_id: id })).toMatchObject({
    result: "error",
    code: "BAD_REQUEST",
  });
}

/** The API has had no pointer and no such list for long. The client must be able to read the answers. */
async function checkWhatIsGone(ada: Json): Promise<void> {
  expect(await ada.users.me.pointer.retrieve()).toEqual(missing);
  expect(await ada.users.me.pointer.update(1)).toEqual(missing);
  expect(await ada.filters.retrieve()).toEqual({
    result: "error",
    msg: "Method Not Allowed",
    allowed_methods: ["POST"],
  });
  const emoji = await ada.emojis.retrieve();
  if ("Custom emoji" in operationsThatComeLater) expect(emoji).toEqual(missing);
  else expect(emoji).toEqual({ ...success, emoji: expect.any(Object) });
}

/** The client, which writes down the names of the functions that are called. */
function recording(client: Json, called: Set<string>, path = ""): Json {
  return new Proxy(client, {
    get(target, key) {
      const value = target[key];
      const name = `${path}${String(key)}`;
      if (typeof value === "function") {
        return (...parameters: unknown[]) => {
          called.add(name);
          return value(...parameters);
        };
      }
      return value instanceof Object ? recording(value, called, `${name}.`) : value;
    },
  });
}

function functionsOf(client: Json, path = ""): string[] {
  return Object.entries<Json>(client).flatMap(([key, value]) => {
    if (typeof value === "function") return [`${path}${key}`];
    return value instanceof Object ? functionsOf(value, `${path}${key}.`) : [];
  });
}
