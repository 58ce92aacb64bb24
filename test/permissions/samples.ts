/** The calls that the tables are about: the sample call of each endpoint, and the variants listed here. */
import type { SampleIds } from "../../api/endpoint.ts";
import { endpoints } from "../../api/index.ts";
import { messageFacts } from "../../server/messages/model/message.ts";
import { type Sql, sql } from "../../server/platform/db/sql.ts";
import type { Sample } from "./sample-call.ts";

const ownCopyOfAll = sql`
  insert into own_data_copies (organization_id, user_id, status, ended_at)
  select organization_id, id, 'done', now() from users`;

/** Variants of an endpoint's sample call that other rules apply to, by endpoint and title. */
const variants: Record<string, Record<string, (ids: SampleIds) => Record<string, unknown>>> = {
  sendMessage: {
    "to a person": (ids) => ({ type: "direct", to: [ids.userId], content: "Good morning." }),
  },
  editMessage: {
    "somebody else's text": (ids) => ({ message_id: ids.messageId, content: "Soup at noon?" }),
    "moving somebody else's to another topic": (ids) => ({ message_id: ids.messageId, topic: "dinner" }),
    "resolving the topic": (ids) => ({
      message_id: ids.messageId,
      topic: `✔ ${ids.topic}`,
      propagate_mode: "change_all",
    }),
  },
  deleteMessage: {
    "somebody else's": (ids) => ({ message_id: ids.messageId }),
  },
  updateMessageFlags: {
    "marking as read": (ids) => ({ messages: [ids.messageId], op: "add", flag: "read" }),
    "marking as unread": (ids) => ({ messages: [ids.messageId], op: "remove", flag: "read" }),
  },
  setTypingStatus: {
    "in a channel": (ids) => ({ type: "channel", op: "start", stream_id: ids.channelId, topic: ids.topic }),
  },
  updateChannel: {
    "making it public": (ids) => ({ stream_id: ids.channelId, is_private: false }),
    "making it private": (ids) => ({ stream_id: ids.channelId, is_private: true }),
    "sharing its history": (ids) => ({
      stream_id: ids.channelId,
      is_private: true,
      history_public_to_subscribers: true,
    }),
    "naming who may post": (ids) => ({
      stream_id: ids.channelId,
      can_send_message_group: { new: ids.groupId },
    }),
    "naming who may subscribe": (ids) => ({
      stream_id: ids.channelId,
      can_subscribe_group: { new: ids.groupId },
    }),
    "how long messages are kept": (ids) => ({ stream_id: ids.channelId, message_retention_days: 30 }),
    "making it a default channel": (ids) => ({ stream_id: ids.channelId, is_default_stream: true }),
    "which topics it has": (ids) => ({ stream_id: ids.channelId, topics_policy: "disable_empty_topic" }),
    "putting it in a folder": (ids) => ({ stream_id: ids.channelId, folder_id: ids.folderId }),
  },
  subscribe: {
    "somebody else": (ids) => ({ subscriptions: [{ name: ids.channelName }], principals: [ids.userId] }),
    "to a new private channel": (ids) => ({ subscriptions: [{ name: ids.freshName }], invite_only: true }),
    "to a new web-public channel": (ids) => ({
      subscriptions: [{ name: ids.freshName }],
      is_web_public: true,
    }),
  },
  registerQueue: {
    "for all public channels": () => ({ event_types: ["message"], all_public_streams: true }),
  },
  updateOrganization: {
    "what only owners may": (ids) => ({ can_manage_all_groups: { new: ids.groupId } }),
  },
  unsubscribe: {
    "somebody else": (ids) => ({ subscriptions: [ids.channelName], principals: [ids.userId] }),
  },
};

/**
 * What must exist for a sample call to make sense, as a statement on the fixture's copy. It can't change what
 * the server keeps in memory. A call that is not named here needs nothing.
 */
export const arrangements: Record<string, Sql> = {
  removeReaction: sql`
    insert into reactions (organization_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
    select m.organization_id, m.id, u.id, 'unicode_emoji', '1f419', 'octopus'
    from messages m join users u on u.organization_id = m.organization_id and u.email !~ '^(pat|helper)'`,
  // Otherwise the bot would be deactivated with its owner, who calls before it. The password is enough then.
  deactivateOwnUser: sql`
    with gone as (delete from passkeys)
    update users set bot_owner_id = olga.id from users olga
    where users.bot_owner_id is not null and olga.organization_id = users.organization_id
      and olga.email = 'olga@demo.test'`,
  // The owner's passkey would be asked for otherwise.
  eraseUser: sql`delete from passkeys`,
  unmuteUser: sql`
    insert into muted_users (organization_id, user_id, muted_user_id)
    select u.organization_id, u.id, target.id
    from users u join users target on target.organization_id = u.organization_id and target.id <> u.id`,
  removeApnsToken: sql`
    insert into device_tokens (organization_id, user_id, kind, token)
    select organization_id, id, 'apns', 'c0ffee' from users`,
  removeFcmToken: sql`
    insert into device_tokens (organization_id, user_id, kind, token)
    select organization_id, id, 'fcm', 'android-token' from users`,
  // Otherwise the first one would be pending, and the others refused.
  createExport: sql`alter table exports alter column status set default 'done'`,
  getOwnDataLink: ownCopyOfAll,
  deleteOwnDataCopy: ownCopyOfAll,
  addSubmessage: sql`
    with polls as (update messages set facts = facts | ${messageFacts.isWidget} returning organization_id, id, sender_id)
    insert into submessages (organization_id, message_id, sender_id, kind, content)
    select organization_id, id, sender_id, 'widget',
      '{"widget_type":"poll","extra_data":{"question":"Soup?","options":["leek"]}}' from polls`,
};

export const samples: readonly Sample[] = endpoints.flatMap((endpoint) => [
  { name: endpoint.name, endpoint, parameters: (ids) => endpoint.sample(ids) as Record<string, unknown> },
  ...Object.entries(variants[endpoint.name] ?? {}).map(([title, parameters]) => ({
    name: `${endpoint.name} (${title})`,
    endpoint,
    parameters,
  })),
]);
