/**
 * What other people do while somebody reads or writes, and what that person does on another device: something
 * for each kind of event that a page hears. The reader is ben, the others are ada and elin.
 */
import { roles } from "../../../api/roles.ts";
import { expectSuccess } from "../../harness/answers.ts";
import type { Caller, Harness } from "../../harness/harness.ts";
import { MULTIPART, multipartBody } from "../../harness/multipart.ts";
import { picture } from "../../harness/pictures.ts";
import { authorizationOf, uploaded } from "../../harness/uploads.ts";

/** Where the reader is, and what lies elsewhere. */
export interface Scene {
  harness: Harness;
  channelId: number;
  elsewhereId: number;
  /** On the screen: one with a reaction of the reader's, one of the reader's own. */
  messageId: number;
  /** In another channel. Others edit, move and delete these. */
  othersIds: number[];
}

// biome-ignore lint/suspicious/noExplicitAny: each answer is checked against its declaration first.
type Body = any;
type Act = (scene: Scene & { ada: Caller; ben: Caller; elin: Caller }) => Promise<unknown>;

/** In an hour, as the API takes it. */
const soon = () => Math.floor(Date.now() / 1000) + 3600;
let count = 0;
/** A name that nothing else has. */
const fresh = (text: string) => `${text} ${++count}`;

async function made<T = number>(answer: ReturnType<Caller["post"]>, key: string): Promise<T> {
  return ((await expectSuccess(answer)) as Body)[key];
}

const done = (answer: ReturnType<Caller["post"]>) => expectSuccess(answer);

export const causes: Record<string, Act> = {
  "a message here": ({ elin, channelId }) =>
    done(elin.post("/messages", { type: "channel", to: channelId, topic: "ropes", content: fresh("Here") })),
  "a message elsewhere": ({ elin, elsewhereId }) =>
    done(elin.post("/messages", { type: "channel", to: elsewhereId, topic: fresh("new"), content: "There" })),
  "a direct message": ({ ada, harness }) =>
    done(ada.post("/messages", { type: "direct", to: [harness.user("ben").id], content: "You?" })),
  "a mention": ({ elin, elsewhereId }) =>
    done(elin.post("/messages", { type: "channel", to: elsewhereId, topic: "t", content: "@**Ben Ito**" })),
  "a reaction": async ({ elin, ada, messageId }) => {
    await done(elin.post(`/messages/${messageId}/reactions`, { emoji_name: "heart" }));
    await done(ada.post(`/messages/${messageId}/reactions`, { emoji_name: "tada" }));
    await done(elin.delete(`/messages/${messageId}/reactions`, { emoji_name: "heart" }));
    await done(ada.delete(`/messages/${messageId}/reactions`, { emoji_name: "tada" }));
  },
  "an edit": ({ elin, othersIds: [id] }) => done(elin.patch(`/messages/${id}`, { content: fresh("Edited") })),
  "a move": ({ ada, othersIds: [, id] }) =>
    done(ada.patch(`/messages/${id}`, { topic: fresh("moved"), propagate_mode: "change_all" })),
  "a deletion": ({ ada, othersIds }) => done(ada.delete(`/messages/${othersIds.pop()}`)),
  "a flag": async ({ ben, othersIds: [id] }) => {
    await done(ben.post("/messages/flags", { messages: [id], op: "add", flag: "starred" }));
    await done(ben.post("/messages/flags", { messages: [id], op: "remove", flag: "starred" }));
  },
  "a vote": async ({ elin, elsewhereId }) => {
    const poll = { type: "channel", to: elsewhereId, topic: "poll", content: "/poll Soup?\nleek" };
    const message_id = await made(elin.post("/messages", poll), "id");
    const content = JSON.stringify({ type: "new_option", idx: 1, option: "pea" });
    await done(elin.post("/submessage", { message_id, msg_type: "widget", content }));
  },
  typing: async ({ elin, channelId }) => {
    for (const op of ["start", "stop"])
      await done(elin.post("/typing", { type: "channel", op, stream_id: channelId, topic: "ropes" }));
  },
  "typing in an edit": async ({ elin, othersIds: [id] }) => {
    for (const op of ["start", "stop"]) await done(elin.post(`/messages/${id}/typing`, { op }));
  },
  "messages for later": async ({ ben, elsewhereId }) => {
    const message = { type: "channel", to: elsewhereId, topic: "later", content: "Later" };
    const at = { scheduled_delivery_timestamp: soon() };
    const id = await made(ben.post("/scheduled_messages", { ...message, ...at }), "scheduled_message_id");
    await done(ben.patch(`/scheduled_messages/${id}`, { content: "Later still" }));
    await done(ben.delete(`/scheduled_messages/${id}`));
  },
  reminders: async ({ ben, messageId }) => {
    const reminder = { message_id: messageId, scheduled_delivery_timestamp: soon() };
    await done(ben.delete(`/reminders/${await made(ben.post("/reminders", reminder), "reminder_id")}`));
  },
  "a channel that comes and goes": async ({ ada, harness }) => {
    const names = { principals: [harness.user("ada").id, harness.user("ben").id] };
    const channel = { subscriptions: [{ name: fresh("secret") }], invite_only: true, ...names };
    await done(ada.post("/users/me/subscriptions", channel));
    await done(
      ada.delete("/users/me/subscriptions", {
        subscriptions: channel.subscriptions.map(({ name }) => name),
        principals: [harness.user("ben").id],
      }),
    );
  },
  "a channel's description": ({ ada, channelId }) =>
    done(ada.patch(`/streams/${channelId}`, { description: fresh("Ropes and knots") })),
  "a channel's name": ({ ada, elsewhereId }) =>
    done(ada.patch(`/streams/${elsewhereId}`, { new_name: fresh("elsewhere") })),
  "subscribers here": async ({ ada, channelId, harness }) => {
    const name = (await ada.get(`/streams/${channelId}`)).body.stream.name as string;
    const principals = [harness.user("cleo").id];
    await done(ada.post("/users/me/subscriptions", { subscriptions: [{ name }], principals }));
    await done(ada.delete("/users/me/subscriptions", { subscriptions: [name], principals }));
  },
  "a subscription's colour": ({ ben, elsewhereId }) =>
    done(
      ben.post("/users/me/subscriptions/properties", {
        subscription_data: [{ stream_id: elsewhereId, property: "color", value: "#c2c2c2" }],
      }),
    ),
  "default channels": async ({ ada, elsewhereId }) => {
    await done(ada.post("/default_streams", { stream_id: elsewhereId }));
    const group = { group_name: fresh("crew"), description: "All", stream_names: [] };
    await done(ada.post("/default_stream_groups/create", group));
    await done(ada.delete("/default_streams", { stream_id: elsewhereId }));
  },
  folders: async ({ ada }) => {
    await done(ada.post("/channel_folders/create", { name: fresh("Folder") }));
    const id = await made(
      ada.post("/channel_folders/create", { name: fresh("Folder") }),
      "channel_folder_id",
    );
    await done(ada.patch(`/channel_folders/${id}`, { name: fresh("Folder") }));
    const { channel_folders } = (await expectSuccess(ada.get("/channel_folders"))) as Body;
    const order = (channel_folders as { id: number }[]).map((folder) => folder.id).reverse();
    await done(ada.patch("/channel_folders", { order }));
  },
  "a topic's policy": async ({ ben, elsewhereId }) => {
    for (const visibility_policy of [3, 0])
      await done(ben.post("/user_topics", { stream_id: elsewhereId, topic: "t", visibility_policy }));
  },
  "a new person": async ({ ada }) => {
    const email = `${fresh("new").replace(" ", "")}@demo.test`;
    const id = await made(
      ada.post("/users", { email, full_name: fresh("New"), password: "long enough 1" }),
      "user_id",
    );
    await done(ada.patch(`/users/${id}`, { role: roles.moderator }));
    await done(ada.delete(`/users/${id}`));
  },
  "another name": ({ elin }) => done(elin.patch("/settings", { full_name: fresh("Elin Berg") })),
  bots: async ({ ben }) => {
    const bot = { full_name: fresh("Bot"), short_name: fresh("bot").replace(" ", "") };
    const id = await made(ben.post("/bots", bot), "user_id");
    await done(ben.patch(`/bots/${id}`, { full_name: fresh("Bot") }));
    await done(ben.delete(`/bots/${id}`));
  },
  "muted people": async ({ ben, harness }) => {
    await done(ben.post(`/users/me/muted_users/${harness.user("gus").id}`));
    await done(ben.delete(`/users/me/muted_users/${harness.user("gus").id}`));
  },
  presence: async ({ harness }) => done(harness.as("cleo").post("/users/me/presence", { status: "active" })),
  "a status": ({ elin }) => done(elin.post("/users/me/status", { status_text: fresh("Away") })),
  "alert words": ({ ben }) => done(ben.post("/users/me/alert_words", { alert_words: [fresh("word")] })),
  snippets: async ({ ben }) => {
    const id = await made(ben.post("/saved_snippets", { title: "A", content: "b" }), "saved_snippet_id");
    await done(ben.patch(`/saved_snippets/${id}`, { title: "C" }));
    await done(ben.delete(`/saved_snippets/${id}`));
  },
  views: async ({ ben }) => {
    await done(
      ben.post("/navigation_views", { fragment: "narrow/has/link", is_pinned: true, name: "Links" }),
    );
    await done(ben.patch("/navigation_views/narrow%2Fhas%2Flink", { name: "All links" }));
    await done(ben.delete("/navigation_views/narrow%2Fhas%2Flink"));
  },
  drafts: async ({ ben, elsewhereId }) => {
    const draft = { type: "stream", to: [elsewhereId], topic: "draft", content: "Begun" };
    const [id] = await made<number[]>(ben.post("/drafts", { drafts: [draft] }), "ids");
    await done(ben.patch(`/drafts/${id}`, { draft: { ...draft, content: "Begun again" } }));
    await done(ben.delete(`/drafts/${id}`));
  },
  hints: ({ ben }) =>
    done(ben.post("/users/me/onboarding_steps", { onboarding_step: "intro_inbox_view_modal" })),
  groups: async ({ ada, harness }) => {
    const group = { name: fresh("crew"), description: "", members: [harness.user("ada").id] };
    const id = await made(ada.post("/user_groups/create", group), "group_id");
    const other = await made(ada.post("/user_groups/create", { ...group, name: fresh("crew") }), "group_id");
    await done(ada.patch(`/user_groups/${id}`, { description: "All of them" }));
    const members = [harness.user("ben").id];
    await done(ada.post(`/user_groups/${id}/members`, { add: members }));
    await done(ada.post(`/user_groups/${id}/members`, { delete: members }));
    await done(ada.post(`/user_groups/${id}/subgroups`, { add: [other] }));
    await done(ada.post(`/user_groups/${id}/subgroups`, { delete: [other] }));
    await done(ada.delete(`/user_groups/${other}`));
  },
  "settings of another device": async ({ ben }) => {
    for (const enter_sends of [true, false]) await done(ben.patch("/settings", { enter_sends }));
  },
  "the organization": async ({ ada }) => {
    await done(ada.patch("/realm", { description: fresh("Harbour") }));
    await done(ada.patch("/realm", { message_content_edit_limit_seconds: 3600 + ++count }));
    for (const enter_sends of [true, false])
      await done(ada.patch("/realm/user_settings_defaults", { enter_sends }));
  },
  "profile fields": ({ ada }) =>
    done(ada.post("/realm/profile_fields", { name: fresh("Field"), hint: "", field_type: 1 })),
  linkifiers: ({ ada }) =>
    done(
      ada.post("/realm/filters", {
        pattern: `#z${++count}-(?P<id>[0-9]+)`,
        url_template: "https://example.com/{id}",
      }),
    ),
  playgrounds: ({ ada }) =>
    done(
      ada.post("/realm/playgrounds", {
        ...{ name: fresh("Play"), pygments_language: "Python" },
        url_template: "https://example.com/{code}",
      }),
    ),
  emoji: async ({ harness }) =>
    harness.app.inject({
      method: "POST",
      url: `/api/v1/realm/emoji/knot_${++count}`,
      headers: {
        ...{ host: "demo.test", authorization: authorizationOf(harness, "ada"), "user-agent": "Test/1" },
        "content-type": MULTIPART,
      },
      payload: multipartBody([
        {
          name: "file",
          fileName: "knot.png",
          content: await picture("png", 20, 20),
          contentType: "image/png",
        },
      ]),
    }),
  domains: async ({ ada }) => {
    const domain = `d${++count}.example.com`;
    await done(ada.post("/realm/domains", { domain, allow_subdomains: false }));
    await done(ada.patch(`/realm/domains/${domain}`, { allow_subdomains: true }));
    await done(ada.delete(`/realm/domains/${domain}`));
  },
  exports: async ({ ada, elin }) => {
    // It is refused while an earlier one is being made.
    await ada.post("/export/realm", { export_type: 1 });
    for (const allow_private_data_export of [true, false])
      await done(elin.patch("/settings", { allow_private_data_export }));
  },
  invitations: ({ ada }) => done(ada.post("/invites/multiuse", {})),
  files: async ({ harness, ben, elsewhereId }) => {
    const url = await uploaded(harness, "ben", "Knots", `file${++count}.txt`);
    const content = `[file](${url})`;
    await done(ben.post("/messages", { type: "channel", to: elsewhereId, topic: "files", content }));
    const { attachments } = (await expectSuccess(ben.get("/attachments"))) as Body;
    await done(ben.delete(`/attachments/${(attachments as { id: number }[]).at(-1)?.id}`));
  },
};

/** An administrator's page does not hear these from what others do. */
export const notCaused = [
  "heartbeat",
  "restart",
  "realm/deactivated",
  "push_device",
  // For guests, and for people who lose a channel or a bot.
  "stream/delete",
  "realm_user/remove",
  "realm_bot/delete",
  // Older forms, which a page does not ask for.
  "update_display_settings",
  "update_global_notifications",
];

export async function prepareScene(harness: Harness): Promise<Scene> {
  const { id: channelId } = await harness.channel("harbour", ["ada", "ben", "elin"]);
  const { id: elsewhereId } = await harness.channel("elsewhere", ["ada", "ben", "elin"]);
  const say = (to: number, topic: string, content: string) =>
    made(harness.as("elin").post("/messages", { type: "channel", to, topic, content }), "id");
  for (let number = 1; number <= 30; number++) await say(channelId, "ropes", `Knot ${number}\n\nwith more`);
  const messageId = await say(channelId, "ropes", "The last knot");
  await done(harness.as("ben").post(`/messages/${messageId}/reactions`, { emoji_name: "heart" }));
  const later = { type: "channel", to: elsewhereId, topic: "later", content: "Kept" };
  const draft = { type: "stream", to: [elsewhereId], topic: "kept", content: "Kept" };
  await done(harness.as("ben").post("/drafts", { drafts: [draft] }));
  await done(
    harness
      .as("ben")
      .post("/scheduled_messages", { ...later, scheduled_delivery_timestamp: soon() + 86_400 }),
  );
  await done(harness.as("ada").post("/invites/multiuse", {}));
  const othersIds: number[] = [];
  for (let number = 1; number <= 20; number++)
    othersIds.push(await say(elsewhereId, `topic ${number}`, "Old"));
  await done(
    harness.as("ada").post("/messages", { type: "direct", to: [harness.user("ben").id], content: "Hi" }),
  );
  await done(
    harness.as("elin").post("/messages", { type: "direct", to: [harness.user("ben").id], content: "Ho" }),
  );
  return { harness, channelId, elsewhereId, messageId, othersIds };
}

export function act(scene: Scene, name: string): Promise<unknown> {
  const { harness } = scene;
  const callers = { ada: harness.as("ada"), ben: harness.as("ben"), elin: harness.as("elin") };
  return (causes[name] as Act)({ ...scene, ...callers });
}
