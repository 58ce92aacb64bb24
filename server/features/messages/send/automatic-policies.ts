/**
 * What people come to want of a topic since somebody writes in it: the sender by what they do, and those who are mentioned
 * by that, be it by name or in a group (spec E1 `automatic_new_visibility_policy`). A mention of all in a channel or a topic
 * is nobody's in particular. For an ordinary message it is decided from memory that nothing comes of it.
 */
import type { GroupId, TopicId, UserId } from "../../../../api/ids.ts";
import { userSettings } from "../../../../api/user-settings.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import type { Channel } from "../../channels/channel.ts";
import { mutedChannels } from "../../channels/subscriptions/muted-channels.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { isMember } from "../../groups/group.ts";
import type { PolicyChange } from "../../topic-policies/events.ts";
import { type TopicPolicy, topicPolicies } from "../../topic-policies/policy.ts";
import { findPoliciesOfTopic, userTopics } from "../../topic-policies/topic-policies.ts";
import { type User, users } from "../../users/user.ts";
import { userSettingOf } from "../../users/user-setting.ts";
import type { Viewer } from "../../users/viewer.ts";
import type { PersonalBits } from "../mentions/personal-flags.ts";
import { hasFlag, personalFlags } from "../model/message.ts";
import { isKnownTopic } from "./known-topics.ts";

/** A wish, as long as the person still wants what they wanted `from`. */
export type AutomaticPolicyChange = PolicyChange & { from: TopicPolicy };

/** By what one does with a topic: the values of the two settings. */
const PARTICIPATING = 1;
const SENDING = 2;
const STARTING = 3;
const NEVER = 4;

/** Of more people than this, such as a large group, not all that they want is read, but what they want of the topic. */
const MANY = 50;

const { none, muted, unmuted, followed } = topicPolicies;

/** Whom a message mentions, as far as it decides what they want. */
interface Mentions {
  /** Of those who receive it. */
  personal: PersonalBits;
  mentionedGroupIds: readonly GroupId[] | null;
}

/** null: nobody's wishes change. */
export function automaticPolicyChanges(
  viewer: Viewer,
  channel: Channel,
  topicId: TopicId,
  mentions: Mentions,
): AutomaticPolicyChange[] | null | Promise<AutomaticPolicyChange[] | null> {
  const follow = followSetting(viewer);
  const unmute = unmuteSetting(viewer, channel);
  const onSend = policyBy(follow, unmute, SENDING);
  const onStart = policyBy(follow, unmute, STARTING);
  const begun = onStart === none || isKnownTopic(viewer, channel, topicId);
  const mentioned = mentionedFollowers(viewer, channel, mentions);
  if (begun === true) return decide(viewer, topicId, { onSend, onStart: none, mentioned });
  return Promise.resolve(begun).then((isOld) =>
    decide(viewer, topicId, { onSend, onStart: isOld ? none : onStart, mentioned }),
  );
}

/** The same for somebody who takes part in a topic in another way than by writing in it. */
export function policyChangeByParticipation(
  viewer: Viewer,
  channel: Channel,
  topicId: TopicId,
): AutomaticPolicyChange[] | null | Promise<AutomaticPolicyChange[] | null> {
  const onSend = policyBy(followSetting(viewer), unmuteSetting(viewer, channel), PARTICIPATING);
  return onSend === none ? null : decide(viewer, topicId, { onSend, onStart: none, mentioned: [] });
}

/** What the settings make of what one does with a topic. */
function policyBy(follow: number, unmute: number, action: number): TopicPolicy {
  if (includes(follow, action)) return followed;
  return includes(unmute, action) ? unmuted : none;
}

/** Taking part is the wider word, then sending; starting a topic is asked for by itself. */
function includes(setting: number, action: number): boolean {
  return action === STARTING ? setting === STARTING : setting <= action;
}

function followSetting({ user }: Viewer): number {
  if (user.botType !== null) return NEVER;
  return userSettingOf(user, userSettings.automaticallyFollowTopicsPolicy);
}

/** It is for muted channels alone, of those that one is subscribed to. */
function unmuteSetting({ state, user }: Viewer, channel: Channel): number {
  const isMuted =
    state.get(mutedChannels).of(user.id).has(channel.id) && state.get(subscribers).has(channel.id, user.id);
  if (user.botType !== null || !isMuted) return NEVER;
  return userSettingOf(user, userSettings.automaticallyUnmuteTopicsInMutedStreamsPolicy);
}

const nobody: UserId[] = [];

function mentionedFollowers(
  { state, user: sender }: Viewer,
  channel: Channel,
  { personal, mentionedGroupIds }: Mentions,
): UserId[] {
  if (personal.length === 0 && !mentionedGroupIds) return nobody;
  const { byId } = state.get(users);
  const follows = (user: User | undefined) =>
    user?.botType === null &&
    user.id !== sender.id &&
    userSettingOf(user, userSettings.automaticallyFollowTopicsWhereMentioned);
  const named = personal
    .filter(([, bits]) => hasFlag(bits, personalFlags.mentioned))
    .map(([userId]) => userId);
  const mentioned = new Set([...named, ...membersAmong(state, channel, mentionedGroupIds ?? [])]);
  return [...mentioned].filter((userId) => follows(byId.get(userId)));
}

/** The subscribers who are in one of the groups. */
function membersAmong(state: OrganizationState, channel: Channel, groupIds: readonly GroupId[]): UserId[] {
  if (groupIds.length === 0) return nobody;
  const { byId } = state.get(users);
  return [...state.get(subscribers).of(channel.id)].filter((userId) => {
    const user = byId.get(userId);
    return user !== undefined && groupIds.some((groupId) => isMember(state, groupId, user));
  });
}

interface Occasion {
  /** What the sender is to want in any case, and what if they start the topic and want nothing of it yet. */
  onSend: TopicPolicy;
  onStart: TopicPolicy;
  mentioned: readonly UserId[];
}

function decide(
  { state, user }: Viewer,
  topicId: TopicId,
  { onSend, onStart, mentioned }: Occasion,
): AutomaticPolicyChange[] | null | Promise<AutomaticPolicyChange[] | null> {
  const concerned = onSend !== none || onStart !== none ? [user.id, ...mentioned] : mentioned;
  if (concerned.length === 0) return null;
  const changes = (policyOf: (userId: UserId) => TopicPolicy | undefined) => {
    const found: AutomaticPolicyChange[] = [];
    for (const userId of concerned) {
      const from = policyOf(userId) ?? none;
      const policy = userId === user.id ? senderPolicy(from, onSend, onStart) : mentionedPolicy(from);
      if (policy !== from) found.push({ userId, policy, from });
    }
    return found.length > 0 ? found : null;
  };
  const memory = state.get(userTopics);
  const unknown = concerned.filter((userId) => memory.of(userId) === undefined);
  if (unknown.length === 0) return changes((userId) => memory.of(userId)?.get(topicId));
  if (unknown.length > MANY) {
    return findPoliciesOfTopic(state, topicId).then((policies) => changes((userId) => policies.get(userId)));
  }
  return memory
    .load(state, unknown)
    .then((loaded) => changes((userId) => (loaded.get(userId) ?? memory.of(userId))?.get(topicId)));
}

/** Following is never taken back, and to have said anything of a topic is to know it: it is not started then. */
function senderPolicy(from: TopicPolicy, onSend: TopicPolicy, onStart: TopicPolicy): TopicPolicy {
  if (from === followed || onSend === followed) return followed;
  if (from === none && onStart !== none) return onStart;
  return onSend === none ? from : onSend;
}

/** Who has muted a topic is not made to follow it by others. */
function mentionedPolicy(from: TopicPolicy): TopicPolicy {
  return from === muted ? muted : followed;
}
