/**
 * Finds the people who may have to get new messages by mail. It asks the database twice for a batch of
 * messages, however many subscribers their channels have. What it finds is decided again before a mail is
 * made.
 */
import type { ChannelId, MessageId, TopicId, UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { mutedUsers } from "../../attention/muted-users/muted-users.ts";
import { type TopicPolicy, topicPolicies } from "../../attention/user-topics/policy.ts";
import { findPoliciesOfTopics } from "../../attention/user-topics/topic-policies.ts";
import { findMailChoices, type MailChoice } from "../../channels/subscriptions/mail-choices.ts";
import { mutedChannels } from "../../channels/subscriptions/muted-channels.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import type { MessagePayload } from "../../messages/delivery/message-log.ts";
import { hasFlag, messageFacts, PERSONAL_MENTIONS, personalFlags } from "../../messages/model/message.ts";
import { presentFlags } from "../../messages/model/present.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { type User, users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { canGetMail, mailReasonOf } from "./reason.ts";
import type { MissedMessage } from "./store.ts";

/** Older messages are no news. A server that was away for long does not mail them. */
export const NEWS_HOURS = 24;

/** What people chose about the places of some messages, by keys of `keyOf`. */
export interface Choices {
  byChannel: ReadonlyMap<string, MailChoice>;
  byTopic: ReadonlyMap<string, TopicPolicy>;
  all: readonly MailChoice[];
  policies: readonly { userId: UserId; topicId: TopicId; policy: TopicPolicy }[];
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
  return {
    byChannel: new Map(all.map((choice) => [keyOf(choice.channelId, choice.userId), choice])),
    byTopic: new Map(policies.map((each) => [keyOf(each.topicId, each.userId), each.policy])),
    all,
    policies,
  };
}

/** Whether and why the person is to get the message by mail, if they have not read it. */
export function reasonFor(
  state: OrganizationState,
  user: User,
  message: Parameters<typeof presentFlags>[1] & Pick<MessagePayload["message"], "senderId"> & Placed,
  personal: number,
  { byChannel, byTopic }: Choices,
) {
  if (message.senderId === user.id || state.get(mutedUsers).mutersOf(message.senderId)?.has(user.id)) {
    return undefined;
  }
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
  sent: readonly MessagePayload[],
): Promise<MissedMessage[]> {
  const oldest = Date.now() / 1000 - NEWS_HOURS * 3600;
  const recent = sent.filter(({ message }) => message.sentAt > oldest);
  const choices = await findChoices(
    state,
    tx,
    recent.map(({ message }) => message),
  );
  return recent.flatMap((payload) => missedBy(state, payload, choices));
}

function missedBy(state: OrganizationState, payload: MessagePayload, choices: Choices): MissedMessage[] {
  const { message } = payload;
  const personal = new Map(payload.personal);
  const { byId } = state.get(users);
  const sentAt = new Date(message.sentAt * 1000);
  const missed: MissedMessage[] = [];
  for (const userId of candidatesFor(state, payload, choices)) {
    const user = byId.get(userId);
    const own = personal.get(userId) ?? 0;
    if (!canGetMail(user) || hasFlag(own, personalFlags.readOnArrival)) continue;
    if (!reasonFor(state, user, message, own, choices)) continue;
    const seconds = userSettingOf(user, userSettings.emailNotificationsBatchingPeriodSeconds);
    const dueAt = new Date(sentAt.getTime() + seconds * 1000);
    missed.push({ userId, messageId: message.id as MessageId, dueAt, sentAt });
  }
  return missed;
}

/** Nobody else can have a reason. A message that mentions everyone may concern all subscribers. */
function candidatesFor(
  state: OrganizationState,
  { message, userIds, personal }: MessagePayload,
  { all, policies }: Choices,
): Iterable<UserId> {
  if (userIds) return userIds as readonly UserId[];
  const subscribed = state.get(subscribers).of(message.recipientId as ChannelId);
  if (hasFlag(message.facts, messageFacts.mentionsChannel) || message.mentionedGroupIds) return subscribed;
  return new Set<UserId>([
    ...personal.filter(([, bits]) => hasFlag(bits, PERSONAL_MENTIONS)).map(([id]) => id as UserId),
    ...policies
      .filter(({ topicId, policy }) => topicId === message.topicId && policy === topicPolicies.followed)
      .map(({ userId }) => userId),
    ...all
      .filter(({ channelId, email }) => channelId === message.recipientId && email)
      .map(({ userId }) => userId),
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
