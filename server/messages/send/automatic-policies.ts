/**
 * How a message changes people's policies for its topic (spec E1 `automatic_new_visibility_policy`). The
 * sender's policy changes because they took part. The policies of people mentioned by name or in a group
 * change because of the mention. A mention of everyone in a channel or topic changes no policy. For an
 * ordinary message, memory alone shows that nothing changes.
 */
import type { GroupId, TopicId, UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import type { PolicyChange } from "../../attention/user-topics/events.ts";
import { type TopicPolicy, topicPolicies } from "../../attention/user-topics/policy.ts";
import { findPoliciesOfTopic, userTopics } from "../../attention/user-topics/topic-policies.ts";
import type { Channel } from "../../channels/channel.ts";
import { mutedChannels } from "../../channels/subscriptions/muted-channels.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { isMember } from "../../groups/group.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { type User, users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { PersonalBits } from "../mentions/personal-flags.ts";
import { hasFlag, personalFlags } from "../model/message.ts";
import { isKnownTopic } from "./known-topics.ts";

/** A change that applies only while the person's policy is still `from`. */
export type AutomaticPolicyChange = PolicyChange & { from: TopicPolicy };

/** What a user did with a topic: the values of the two settings. */
const PARTICIPATING = 1;
const SENDING = 2;
const STARTING = 3;
const NEVER = 4;

/**
 * For more people than this, such as a large group, only their policies for this topic are read, not all of
 * their policies.
 */
const MANY = 50;

const { none, muted, unmuted, followed } = topicPolicies;

/** The facts of a message that can change policies. */
interface Mentions {
  /** The flags of the people who receive the message. */
  personal: PersonalBits;
  mentionedGroupIds: readonly GroupId[] | null;
  /** Whether the caller knows that another message began the topic. */
  isReply?: boolean | undefined;
}

/** null: nobody's policy changes. */
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
  const begun = onStart === none || mentions.isReply || isKnownTopic(viewer, channel, topicId);
  const mentioned = mentionedFollowers(viewer, channel, mentions);
  if (begun === true) return decide(viewer, topicId, { onSend, onStart: none, mentioned });
  return Promise.resolve(begun).then((isOld) =>
    decide(viewer, topicId, { onSend, onStart: isOld ? none : onStart, mentioned }),
  );
}

/** The change for a user who takes part in a topic other than by writing in it. */
export function policyChangeByParticipation(
  viewer: Viewer,
  channel: Channel,
  topicId: TopicId,
): AutomaticPolicyChange[] | null | Promise<AutomaticPolicyChange[] | null> {
  const onSend = policyBy(followSetting(viewer), unmuteSetting(viewer, channel), PARTICIPATING);
  return onSend === none ? null : decide(viewer, topicId, { onSend, onStart: none, mentioned: [] });
}

/** Whether the viewer's reactions change their policies, in whichever channel. */
export function countsReacting(viewer: Viewer): boolean {
  return includes(followSetting(viewer), PARTICIPATING);
}

/** Whether the viewer's reactions may change their policies for topics of this channel. */
export function countsReactingIn(viewer: Viewer, channel: Channel): boolean {
  return policyBy(followSetting(viewer), unmuteSetting(viewer, channel), PARTICIPATING) !== none;
}

/** The policy that the two settings give for an action. */
function policyBy(follow: number, unmute: number, action: number): TopicPolicy {
  if (includes(follow, action)) return followed;
  return includes(unmute, action) ? unmuted : none;
}

/** Taking part includes sending. Starting a topic is a setting of its own. */
function includes(setting: number, action: number): boolean {
  return action === STARTING ? setting === STARTING : setting <= action;
}

function followSetting({ user }: Viewer): number {
  if (user.botType !== null) return NEVER;
  return userSettingOf(user, userSettings.automaticallyFollowTopicsPolicy);
}

/** The setting applies only to muted channels that the user is subscribed to. */
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
  /**
   * The policy that the sender gets in any case, and the one they get if they start the topic without a
   * policy.
   */
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

/** Following is never undone. A user who already has a policy for a topic did not start it. */
function senderPolicy(from: TopicPolicy, onSend: TopicPolicy, onStart: TopicPolicy): TopicPolicy {
  if (from === followed || onSend === followed) return followed;
  if (from === none && onStart !== none) return onStart;
  return onSend === none ? from : onSend;
}

/** A mention does not make a user follow a topic that they muted. */
function mentionedPolicy(from: TopicPolicy): TopicPolicy {
  return from === muted ? muted : followed;
}
