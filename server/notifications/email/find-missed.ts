/**
 * Finds the people who may have to get new messages by mail. It asks the database twice for a batch of
 * messages, however many subscribers their channels have. What it finds is decided again before a mail is
 * made.
 */
import type { ChannelId, TopicId, UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { mutedUsers } from "../../attention/muted-users/muted-users.ts";
import { type TopicPolicy, topicPolicies } from "../../attention/user-topics/policy.ts";
import { findPoliciesOfTopics } from "../../attention/user-topics/topic-policies.ts";
import { findMailChoices, type MailChoice } from "../../channels/subscriptions/mail-choices.ts";
import { mutedChannels } from "../../channels/subscriptions/muted-channels.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { hasFlag, messageFacts, PERSONAL_MENTIONS, personalFlags } from "../../messages/model/message.ts";
import { presentFlags } from "../../messages/model/present.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { type User, users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import type { NewMessage } from "./news.ts";
import { canGetMail, mailReasonOf } from "./reason.ts";
import type { MissedMessage } from "./store.ts";

/** Older messages are no news. A server that was away for long does not mail them. */
export const NEWS_HOURS = 24;

/** What people chose about the places of some messages, by keys of `keyOf`. */
export interface Choices {
  byChannel: ReadonlyMap<string, MailChoice>;
  byTopic: ReadonlyMap<string, TopicPolicy>;
  /** Who follows a topic, and who wants a channel by mail. */
  followersOf: ReadonlyMap<TopicId, readonly UserId[]>;
  readersOf: ReadonlyMap<ChannelId, readonly UserId[]>;
}

type Placed = { recipientId: number; topicId: TopicId | null };

/** `userId`: only one person's choices. */
export async function findChoices(
  state: OrganizationState,
  tx: Queryable,
  messages: readonly Placed[],
  userId?: UserId,
): Promise<Choices> {
  const inChannels = messages.filter(({ topicId }) => topicId !== null);
  const channelIds = [...new Set(inChannels.map(({ recipientId }) => recipientId as ChannelId))];
  const topicIds = [...new Set(inChannels.map(({ topicId }) => topicId as TopicId))];
  const isNone = inChannels.length === 0;
  const all = isNone ? [] : await findMailChoices(state, tx, channelIds, userId);
  const policies = isNone ? [] : await findPoliciesOfTopics(state, tx, topicIds, userId);
  const followersOf = new Map<TopicId, UserId[]>();
  for (const { topicId, userId: id, policy } of policies) {
    if (policy === topicPolicies.followed) pushTo(followersOf, topicId, id);
  }
  const readersOf = new Map<ChannelId, UserId[]>();
  for (const { channelId, userId: id, email } of all) if (email) pushTo(readersOf, channelId, id);
  return {
    byChannel: new Map(all.map((choice) => [keyOf(choice.channelId, choice.userId), choice])),
    byTopic: new Map(policies.map((each) => [keyOf(each.topicId, each.userId), each.policy])),
    followersOf,
    readersOf,
  };
}

/** Whether and why the person is to get the message by mail, if they have not read it. */
export function reasonFor(
  state: OrganizationState,
  user: User,
  message: Parameters<typeof presentFlags>[1] & { senderId: UserId } & Placed,
  personal: number,
  choices: Choices,
) {
  return isFrom(state, user, message) ? undefined : reasonIn(state, user, message, personal, choices);
}

/** Whether it is their own message, or that of somebody whom they have muted. */
function isFrom(state: OrganizationState, { id }: User, { senderId }: { senderId: UserId }): boolean {
  return senderId === id || state.get(mutedUsers).mutersOf(senderId)?.has(id) === true;
}

/** Like `reasonFor`, without a look at the sender. */
function reasonIn(
  state: OrganizationState,
  user: User,
  message: Parameters<typeof presentFlags>[1] & Placed,
  personal: number,
  { byChannel, byTopic }: Choices,
) {
  const channelId = message.recipientId as ChannelId;
  const isDirect = message.topicId === null;
  if (!isDirect && !state.get(subscribers).has(channelId, user.id)) return undefined;
  const flags = presentFlags(state, message, user.id, personal, { isRead: false, isHistorical: false });
  return mailReasonOf(user, {
    isDirect,
    isMentioned: flags.includes("mentioned"),
    isMentionedWithAll: flags.includes("wildcard_mentioned"),
    isChannelMuted: state.get(mutedChannels).of(user.id).has(channelId),
    policy: byTopic.get(keyOf(message.topicId ?? 0, user.id)) ?? topicPolicies.none,
    choice: byChannel.get(keyOf(channelId, user.id)),
  });
}

/** For messages that were just sent. The sender and those who have read it by now are left out later. */
export async function findMissed(
  state: OrganizationState,
  tx: Queryable,
  sent: readonly NewMessage[],
): Promise<MissedMessage[]> {
  const oldest = Date.now() / 1000 - NEWS_HOURS * 3600;
  const recent = sent.filter(({ sentAt }) => sentAt > oldest);
  const choices = await findChoices(state, tx, recent);
  const missed: MissedMessage[] = [];
  const plain = new Map<TopicId, NewMessage[]>();
  for (const message of recent) {
    if (message.topicId !== null && isPlain(message)) pushTo(plain, message.topicId, message);
    else addMissed(state, message, choices, missed);
  }
  for (const messages of plain.values()) addMissedPlain(state, messages, choices, missed);
  return missed;
}

/** Whether it means the same to all who read its topic, apart from who sent it. */
function isPlain({ facts, mentionedGroupIds, personal }: NewMessage): boolean {
  return !hasFlag(facts, messageFacts.mentionsChannel) && !mentionedGroupIds && personal.length === 0;
}

/** One decision for each person and channel of a topic, however many messages there are. */
function addMissedPlain(
  state: OrganizationState,
  messages: readonly NewMessage[],
  choices: Choices,
  missed: MissedMessage[],
): void {
  let wanting: { recipientId: number; people: User[] } | undefined;
  for (const message of messages) {
    // A topic may have moved to another channel between two messages.
    if (wanting?.recipientId !== message.recipientId) {
      wanting = { recipientId: message.recipientId, people: whoWants(state, message, choices) };
    }
    for (const user of wanting.people)
      if (!isFrom(state, user, message)) missed.push(missedOf(user, message));
  }
}

function whoWants(state: OrganizationState, message: NewMessage, choices: Choices): User[] {
  const { byId } = state.get(users);
  return [...candidatesFor(state, message, choices)]
    .map((userId) => byId.get(userId))
    .filter((user) => canGetMail(user))
    .filter((user) => reasonIn(state, user, message, 0, choices) !== undefined);
}

function addMissed(
  state: OrganizationState,
  message: NewMessage,
  choices: Choices,
  missed: MissedMessage[],
): void {
  const personal = new Map(message.personal);
  const { byId } = state.get(users);
  for (const userId of candidatesFor(state, message, choices)) {
    const user = byId.get(userId);
    const own = personal.get(userId) ?? 0;
    if (!canGetMail(user) || hasFlag(own, personalFlags.readOnArrival)) continue;
    if (reasonFor(state, user, message, own, choices)) missed.push(missedOf(user, message));
  }
}

function missedOf(user: User, { id, sentAt }: NewMessage): MissedMessage {
  const seconds = userSettingOf(user, userSettings.emailNotificationsBatchingPeriodSeconds);
  const dueAt = new Date((sentAt + seconds) * 1000);
  return { userId: user.id, messageId: id, dueAt, sentAt: new Date(sentAt * 1000) };
}

/** Nobody else can have a reason. A message that mentions everyone may concern all subscribers. */
function candidatesFor(
  state: OrganizationState,
  message: NewMessage,
  { followersOf, readersOf }: Choices,
): Iterable<UserId> {
  const { userIds, personal } = message;
  if (userIds) return userIds;
  const channelId = message.recipientId as ChannelId;
  const subscribed = state.get(subscribers).of(channelId);
  if (hasFlag(message.facts, messageFacts.mentionsChannel) || message.mentionedGroupIds) return subscribed;
  return new Set<UserId>([
    ...personal.filter(([, bits]) => hasFlag(bits, PERSONAL_MENTIONS)).map(([id]) => id),
    ...(followersOf.get(message.topicId as TopicId) ?? []),
    ...(readersOf.get(channelId) ?? []),
    ...withAllChannels(state).filter((userId) => subscribed.has(userId)),
  ]);
}

const known = new WeakMap<OrganizationState, { version: number; ids: readonly UserId[] }>();

/** The people who get the messages of all their channels by mail. They are few. */
function withAllChannels(state: OrganizationState): readonly UserId[] {
  const all = state.get(users);
  const before = known.get(state);
  if (before?.version === all.version) return before.ids;
  const ids = [...all.all()]
    .filter((user) => canGetMail(user) && userSettingOf(user, userSettings.enableStreamEmailNotifications))
    .map(({ id }) => id);
  known.set(state, { version: all.version, ids });
  return ids;
}

function keyOf(placeId: number, userId: UserId): string {
  return `${placeId}.${userId}`;
}
