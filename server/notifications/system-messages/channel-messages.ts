/**
 * The messages of the notification bot about channels. They go to a topic of each channel, to the channel
 * that announces new ones, and to people.
 */

import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { FolderId } from "../../../api/ids.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { listFolderNames } from "../../channels/folders/actions.ts";
import type { Outcome } from "../../channels/subscriptions/subscribe.ts";
import { type SubscribeMessages, subscribeMessages } from "../../channels/subscriptions/subscribe-by-name.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { topicsPolicyOf } from "../../channels/topics-policy.ts";
import { changedPermissions, isPrivacyChanged } from "../../channels/update/changes.ts";
import {
  channelLink,
  code,
  peopleOf,
  person,
  personKnownTo,
  privacy,
  quote,
} from "../../messages/model/markdown-text.ts";
import { type Post, postMessages } from "../../messages/send/post.ts";
import { settingOf } from "../../organization/setting.ts";
import type { User } from "../../people/user.ts";
import { viewerOf } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { pushTo } from "../../platform/std/multimap.ts";

const EVENTS_TOPIC = "channel events";
const ANNOUNCEMENTS_TOPIC = "new channels";

/** Posts the viewer's changes to channels and subscriptions. Changes without a viewer post nothing. */
export const channelMessages: BeforeCommitHook = {
  projections: [channels.name, subscribers.name],
  async run(tx, patches) {
    const viewer = viewerOf(tx);
    if (!viewer) return;
    const request = subscribeMessages.of(tx);
    if (request) await postAboutSubscribing(tx, viewer, request);
    for (const after of patchesOf(patches, channels).flatMap(({ put }) => put)) {
      const before = tx.state.get(channels).byId.get(after.id);
      if (before) await postAboutChange(tx, viewer, before, after);
    }
  },
};

async function postAboutSubscribing(
  tx: Change,
  viewer: Viewer,
  { outcomes, isAnnounced, areTold }: SubscribeMessages,
): Promise<void> {
  const { byId } = tx.state.get(channels);
  const made = outcomes.filter(({ channel }) => !byId.has(channel.id));
  await postCreationNotices(tx, viewer, made, isAnnounced);
  if (!areTold) return;
  const existing = outcomes.filter(({ channel }) => byId.has(channel.id));
  const posts = [...joinedChannels(viewer, existing)].map(([target, joined]) => ({
    to: { userIds: [target.id] },
    content: welcome(personKnownTo(tx.state, target, viewer.user), joined),
    onBehalfOf: viewer.user,
    changedChannels: joined,
  }));
  await postMessages(tx, posts);
}

async function postCreationNotices(
  tx: Change,
  viewer: Viewer,
  made: readonly Outcome[],
  isAnnounced: boolean,
): Promise<void> {
  const { id } = viewer.user;
  const isIn = made.some(({ changed }) => changed.some((user) => user.id === id));
  const created = made.map(({ channel }) => channel);
  const notices = created.map((channel) => inChannel(viewer, channel, creationNotice(viewer, channel)));
  const posts = tellsInChannels(tx.state)
    ? notices.map((notice) => ({ ...notice, ...(isIn && { knownTo: id }) }))
    : [];
  const announcement = isAnnounced ? announce(tx.state, viewer, created) : undefined;
  await postMessages(tx, announcement ? [...posts, announcement] : posts);
}

async function postAboutChange(tx: Change, viewer: Viewer, before: Channel, after: Channel): Promise<void> {
  if (!tellsInChannels(tx.state)) return;
  const { state } = tx;
  const sentences: string[] = [];
  if (before.isArchived !== after.isArchived) {
    sentences.push(after.isArchived ? "archived this channel." : "took this channel out of the archive.");
  }
  if (before.name !== after.name) {
    sentences.push(`renamed this channel from ${code(before.name)} to ${code(after.name)}.`);
  }
  if (before.description !== after.description) {
    const texts = comparison(before.description, after.description);
    sentences.push(`changed the description of this channel.\n\n${texts}`);
  }
  if (isPrivacyChanged(before, after)) {
    sentences.push(`changed who can read this channel.\n\n${change(privacy(before), privacy(after))}`);
  }
  if (before.messageRetentionDays !== after.messageRetentionDays) {
    const days = change(retention(before), retention(after));
    sentences.push(`changed how long messages are kept here.\n\n${days}`);
  }
  if (before.topicsPolicy !== after.topicsPolicy) {
    const policies = change(topics(state, before), topics(state, after));
    sentences.push(`changed which topics messages here may have.\n\n${policies}`);
  }
  if (before.folderId !== after.folderId) {
    const names = await listFolderNames(tx, state.organizationId);
    const nameOf = (id: FolderId | null) => (id === null ? null : (names.get(id) ?? null));
    sentences.push(`${folderMove(nameOf(before.folderId), nameOf(after.folderId))}.`);
  }
  for (const { permission, from, to } of changedPermissions(state, before, after)) {
    const what = lowerFirst(permission.description);
    const people = change(peopleOf(state, from), peopleOf(state, to));
    sentences.push(`changed a permission of this channel: ${what}\n\n${people}`);
  }
  for (const sentence of sentences) {
    await postMessages(tx, [inChannel(viewer, after, `${person(viewer.user)} ${sentence}`)]);
  }
}

function tellsInChannels(state: OrganizationState): boolean {
  return settingOf(state, organizationSettings.sendChannelEventsMessages);
}

function inChannel({ user }: Viewer, channel: Channel, content: string): Post {
  return { to: { channel, topic: EVENTS_TOPIC }, content, onBehalfOf: user, changedChannels: [channel] };
}

function creationNotice({ user }: Viewer, channel: Channel): string {
  const made = `${person(user)} made this channel. It is ${privacy(channel)}.`;
  return channel.description === "" ? made : `${made}\n\n${quote(channel.description)}`;
}

/**
 * Only channels that are open to everyone are announced: its members decide who learns of a private
 * channel.
 */
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
    onBehalfOf: user,
    changedChannels: open,
    ...(hears && { knownTo: user.id }),
  };
}

/** The people whom the viewer subscribed, with their channels. Bots get no message. */
function joinedChannels({ user }: Viewer, outcomes: readonly Outcome[]): Map<User, Channel[]> {
  const channelsOf = new Map<User, Channel[]>();
  for (const { channel, changed } of outcomes) {
    for (const target of changed) {
      if (target.id === user.id || target.botType !== null) continue;
      pushTo(channelsOf, target, channel);
    }
  }
  return channelsOf;
}

function welcome(who: string, joined: readonly Channel[]): string {
  const [only] = joined;
  return joined.length === 1
    ? `${who} subscribed you to the channel ${channelLink(only as Channel)}.`
    : `${who} subscribed you to these channels:\n\n${list(joined)}`;
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
