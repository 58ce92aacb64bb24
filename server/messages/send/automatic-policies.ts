/**
 * What people come to want of a topic since somebody writes in it: the sender by what they do, and those who are mentioned
 * by that, be it by name or as people who take part in the topic (spec E1 `automatic_new_visibility_policy`). For an ordinary message it is decided from memory that nothing does.
 */
import type { TopicId, UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/user-settings.ts";
import type { Channel } from "../../channels/channel.ts";
import { mutedChannels } from "../../channels/subscriptions/muted-channels.ts";
import type { Live } from "../../events/live.ts";
import type { Wish } from "../../topic-policies/actions.ts";
import { type PoliciesByTopic, policiesInMemory } from "../../topic-policies/policies-in-memory.ts";
import { type TopicPolicy, topicPolicies } from "../../topic-policies/policy.ts";
import { type User, users } from "../../users/user.ts";
import { userSettingOf } from "../../users/user-setting.ts";
import type { Viewer } from "../../viewer.ts";
import { has, PERSONAL_MENTIONS } from "../message.ts";
import { isBegun } from "./begun-topics.ts";
import type { PersonalBits } from "./personal-flags.ts";

/** A wish, as long as the person still wants what they wanted `from`. */
export type AutomaticWish = Wish & { from: TopicPolicy };

/** By what one does with a topic: the values of the two settings. */
const TAKING_PART = 1;
const SENDING = 2;
const STARTING = 3;
const NEVER = 4;

const { none, muted, unmuted, followed } = topicPolicies;

/** null: nobody's wishes change. */
export function automaticWishes(
  viewer: Viewer,
  channel: Channel,
  topicId: TopicId,
  personal: PersonalBits,
): AutomaticWish[] | null | Promise<AutomaticWish[] | null> {
  const follow = followSetting(viewer);
  const unmute = unmuteSetting(viewer, channel);
  const onSend = policyBy(follow, unmute, SENDING);
  const onStart = policyBy(follow, unmute, STARTING);
  const begun = onStart === none || isBegun(viewer, channel, topicId);
  if (begun === true && onSend === none && personal.length === 0) return null;
  const mentioned = personal.length === 0 ? [] : mentionedFollowers(viewer, personal);
  if (begun === true) return decide(viewer, topicId, { onSend, onStart: none, mentioned });
  return Promise.resolve(begun).then((isOld) =>
    decide(viewer, topicId, { onSend, onStart: isOld ? none : onStart, mentioned }),
  );
}

/** The same for somebody who takes part in a topic in another way than by writing in it. */
export function wishByTakingPart(
  viewer: Viewer,
  channel: Channel,
  topicId: TopicId,
): AutomaticWish[] | null | Promise<AutomaticWish[] | null> {
  const onSend = policyBy(followSetting(viewer), unmuteSetting(viewer, channel), TAKING_PART);
  return onSend === none ? null : decide(viewer, topicId, { onSend, onStart: none, mentioned: [] });
}

/** What the settings make of what one does with a topic. */
function policyBy(follow: number, unmute: number, deed: number): TopicPolicy {
  if (includes(follow, deed)) return followed;
  return includes(unmute, deed) ? unmuted : none;
}

/** Taking part is the wider word, then sending; starting a topic is asked for by itself. */
function includes(setting: number, deed: number): boolean {
  return deed === STARTING ? setting === STARTING : setting <= deed;
}

function followSetting({ user }: Viewer): number {
  if (user.botType !== null) return NEVER;
  return userSettingOf(user, userSettings.automaticallyFollowTopicsPolicy);
}

/** It is for muted channels alone. */
function unmuteSetting({ live, user }: Viewer, channel: Channel): number {
  if (user.botType !== null || !live.get(mutedChannels).of(user.id).has(channel.id)) return NEVER;
  return userSettingOf(user, userSettings.automaticallyUnmuteTopicsInMutedStreamsPolicy);
}

function mentionedFollowers({ live, user: sender }: Viewer, personal: PersonalBits): UserId[] {
  const { byId } = live.get(users);
  const follows = (user: User | undefined) =>
    user?.botType === null &&
    user.id !== sender.id &&
    userSettingOf(user, userSettings.automaticallyFollowTopicsWhereMentioned);
  return personal
    .filter(([userId, bits]) => has(bits, PERSONAL_MENTIONS) && follows(byId.get(userId)))
    .map(([userId]) => userId);
}

interface Occasion {
  /** What the sender is to want in any case, and what if they start the topic and want nothing of it yet. */
  onSend: TopicPolicy;
  onStart: TopicPolicy;
  mentioned: readonly UserId[];
}

function decide(
  { live, user }: Viewer,
  topicId: TopicId,
  { onSend, onStart, mentioned }: Occasion,
): AutomaticWish[] | null | Promise<AutomaticWish[] | null> {
  const concerned = onSend !== none || onStart !== none ? [user.id, ...mentioned] : mentioned;
  if (concerned.length === 0) return null;
  const wishes = (policiesOf: (userId: UserId) => PoliciesByTopic | undefined) => {
    const found: AutomaticWish[] = [];
    for (const userId of concerned) {
      const from = policiesOf(userId)?.get(topicId) ?? none;
      const policy = userId === user.id ? senderPolicy(from, onSend, onStart) : mentionedPolicy(from);
      if (policy !== from) found.push({ userId, policy, from });
    }
    return found.length > 0 ? found : null;
  };
  const memory = live.get(policiesInMemory);
  const unknown = concerned.filter((userId) => memory.of(userId) === undefined);
  if (unknown.length === 0) return wishes((userId) => memory.of(userId));
  return load(live, unknown).then((loaded) => wishes((userId) => loaded.get(userId) ?? memory.of(userId)));
}

function load(live: Live, userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, PoliciesByTopic>> {
  return live.get(policiesInMemory).load(live, userIds);
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
