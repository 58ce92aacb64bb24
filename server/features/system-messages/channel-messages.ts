/** What the notification bot says of channels: in the channel's own topic for it, where new channels are announced, and to people. */
import { MAX_BULK_SUBSCRIPTION_MESSAGES } from "../../../api/limits.ts";
import { organizationSettings } from "../../../api/organization-settings.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type Channel, channels } from "../channels/channel.ts";
import type { ChannelNotices } from "../channels/notices.ts";
import type { Outcome } from "../channels/subscriptions/subscribe.ts";
import { subscribers } from "../channels/subscriptions/subscribers.ts";
import { topicsPolicyOf } from "../channels/topics-policy.ts";
import { keepAsRead } from "../flags/keep-as-read.ts";
import { channelLink, code, peopleOf, person, privacy, quote } from "../messages/model/markdown-text.ts";
import { type Post, postMessages } from "../messages/send/post.ts";
import { settingOf } from "../organization/setting.ts";
import type { User } from "../users/user.ts";
import type { Viewer } from "../users/viewer.ts";

const EVENTS_TOPIC = "channel events";
const ANNOUNCEMENTS_TOPIC = "new channels";

export const channelNotices: ChannelNotices = {
  async channelsCreated(tx, viewer, created, { isAnnounced, isIn }) {
    const knownTo = viewer.user.id;
    const posts: Post[] = [];
    if (tellsInChannels(tx.state))
      for (const channel of created)
        posts.push({ ...inChannel(channel, creationNotice(viewer, channel)), ...(isIn && { knownTo }) });
    const announcement = isAnnounced ? announce(tx.state, viewer, created) : undefined;
    if (announcement) posts.push(announcement);
    await postMessages(tx, posts, keepAsRead);
  },
  async subscribedByOther(tx, viewer, outcomes, created) {
    const subscribed = new Set(outcomes.flatMap(({ changed }) => changed));
    if (subscribed.size > MAX_BULK_SUBSCRIPTION_MESSAGES) return false;
    const channelsOf = told(
      viewer,
      outcomes.filter(({ channel }) => !created.includes(channel)),
    );
    const posts = [...channelsOf].map(([target, joined]) => ({
      to: { userIds: [target.id] },
      content: welcome(viewer, joined),
    }));
    await postMessages(tx, posts);
    return true;
  },
  channelRenamed: (tx, viewer, channel, oldName) =>
    tell(
      tx,
      channel,
      `${person(viewer.user)} renamed this channel from ${code(oldName)} to ${code(channel.name)}.`,
    ),
  descriptionChanged: (tx, viewer, channel, oldDescription) =>
    tell(
      tx,
      channel,
      `${person(viewer.user)} changed the description of this channel.\n\n${comparison(oldDescription, channel.description)}`,
    ),
  privacyChanged: (tx, viewer, channel, before) =>
    tell(
      tx,
      channel,
      `${person(viewer.user)} changed who can read this channel.\n\n${change(privacy(before), privacy(channel))}`,
    ),
  permissionChanged: (tx, viewer, channel, { permission, from, to }) =>
    tell(
      tx,
      channel,
      `${person(viewer.user)} changed a permission of this channel: ${lowerFirst(permission.description)}\n\n${change(peopleOf(tx.state, from), peopleOf(tx.state, to))}`,
    ),
  topicsPolicyChanged: (tx, viewer, channel, before) =>
    tell(
      tx,
      channel,
      `${person(viewer.user)} changed which topics messages here may have.\n\n${change(topics(tx.state, before), topics(tx.state, channel))}`,
    ),
  retentionChanged: (tx, viewer, channel, before) =>
    tell(
      tx,
      channel,
      `${person(viewer.user)} changed how long messages are kept here.\n\n${change(retention(before), retention(channel))}`,
    ),
  folderChanged: (tx, viewer, channel, { from, to }) =>
    tell(tx, channel, `${person(viewer.user)} ${folderMove(from, to)}.`),
  archived: (tx, viewer, channel) => tell(tx, channel, `${person(viewer.user)} archived this channel.`),
  unarchived: (tx, viewer, channel) =>
    tell(tx, channel, `${person(viewer.user)} took this channel out of the archive.`),
};

function tellsInChannels(state: OrganizationState): boolean {
  return settingOf(state, organizationSettings.sendChannelEventsMessages);
}

async function tell(tx: Change, channel: Channel, content: string): Promise<void> {
  if (tellsInChannels(tx.state)) await postMessages(tx, [inChannel(channel, content)]);
}

function inChannel(channel: Channel, content: string): Post {
  return { to: { channel, topic: EVENTS_TOPIC }, content, changedChannels: [channel] };
}

function creationNotice({ user }: Viewer, channel: Channel): string {
  const made = `${person(user)} made this channel. It is ${privacy(channel)}.`;
  return channel.description === "" ? made : `${made}\n\n${quote(channel.description)}`;
}

/** Announced is what is open to everyone: that there is a private channel is for those in it to tell. */
function announce(state: OrganizationState, { user }: Viewer, created: readonly Channel[]): Post | undefined {
  const place = state
    .get(channels)
    .find(settingOf(state, organizationSettings.newStreamAnnouncementsStreamId));
  const open = created.filter(({ isPrivate }) => !isPrivate);
  if (!place || place.isArchived || open.length === 0) return undefined;
  const [only] = open;
  const content =
    open.length === 1
      ? `${person(user)} made a new channel: ${channelLink(only as Channel)}.`
      : `${person(user)} made new channels:\n\n${list(open)}`;
  const hears = state.get(subscribers).has(place.id, user.id);
  return {
    to: { channel: place, topic: ANNOUNCEMENTS_TOPIC },
    content,
    changedChannels: open,
    ...(hears && { knownTo: user.id }),
  };
}

/** The people whom someone else subscribed, with their channels. Bots need not be told. */
function told({ user }: Viewer, outcomes: readonly Outcome[]): Map<User, Channel[]> {
  const channelsOf = new Map<User, Channel[]>();
  for (const { channel, changed } of outcomes) {
    for (const target of changed) {
      if (target.id === user.id || target.botType !== null) continue;
      const joined = channelsOf.get(target);
      if (joined) joined.push(channel);
      else channelsOf.set(target, [channel]);
    }
  }
  return channelsOf;
}

function welcome({ user }: Viewer, joined: readonly Channel[]): string {
  const [only] = joined;
  return joined.length === 1
    ? `${person(user)} subscribed you to the channel ${channelLink(only as Channel)}.`
    : `${person(user)} subscribed you to these channels:\n\n${list(joined)}`;
}

function list(named: readonly Channel[]): string {
  return named.map((channel) => `* ${channelLink(channel)}`).join("\n");
}

function change(from: string, to: string): string {
  return `* Before: ${from}\n* Now: ${to}`;
}

function comparison(from: string, to: string): string {
  const part = (text: string) => (text === "" ? "*No description.*" : quote(text));
  return `Before:\n\n${part(from)}\n\nNow:\n\n${part(to)}`;
}

function topics(state: OrganizationState, channel: Channel): string {
  const words = {
    allow_empty_topic: "named topics and the empty one",
    disable_empty_topic: "named topics only",
    empty_topic_only: "the empty topic only",
  };
  const policy = words[topicsPolicyOf(state, channel)];
  return channel.topicsPolicy === "inherit" ? `as in the whole organization (${policy})` : policy;
}

function retention({ messageRetentionDays: days }: Channel): string {
  if (days === null) return "as in the whole organization";
  if (days === -1) return "forever";
  return days === 1 ? "1 day" : `${days} days`;
}

function folderMove(from: string | null, to: string | null): string {
  if (to === null) return `took this channel out of the folder ${code(from ?? "")}`;
  return from === null
    ? `put this channel into the folder ${code(to)}`
    : `moved this channel from the folder ${code(from)} to ${code(to)}`;
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
