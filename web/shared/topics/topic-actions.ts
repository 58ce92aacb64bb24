/** What can be done with a topic as a whole. */

import { setTopicVisibility } from "../../../api/attention/user-topics.ts";
import { isResolvedTopic, RESOLVED_PREFIX } from "../../../api/channels/topic-name.ts";
import { editMessage } from "../../../api/messages/edit-message.ts";
import { getMessages } from "../../../api/messages/messages.ts";
import { markTopicAsRead } from "../../../api/messages/read-state.ts";
import type { TopicPolicy } from "../../../client/model/user-topics.ts";
import { narrowParameter, topicNarrow } from "../../../client/narrow.ts";
import { copyLinkTo } from "../../ui/copy.ts";
import { reportFailure } from "../../ui/notice.ts";
import { topicLink } from "../routing/links.ts";
import { state } from "../state/state.ts";

export interface TopicPlace {
  channelId: number;
  topic: string;
}

/** As the API numbers them. */
const policies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;

/** Gives whether it succeeded. */
export async function setPolicy(
  { channelId, topic }: TopicPlace,
  policy: TopicPolicy | "none",
): Promise<boolean> {
  const parameters = { stream_id: channelId, topic, visibility_policy: policies[policy] };
  const reply = await reportFailure(() =>
    state.track(() => state.connection.call(setTopicVisibility, parameters)),
  );
  return reply !== undefined;
}

export function isTopicMuted({ channelId, topic }: TopicPlace): boolean {
  const { userTopics, subscriptions } = state.model;
  return userTopics.isMuted(channelId, topic, subscriptions.isMuted(channelId));
}

/** In a muted channel, a topic that is not to be muted needs a policy of its own. */
export function toggleMuted(place: TopicPlace): void {
  const isChannelMuted = state.model.subscriptions.isMuted(place.channelId);
  if (isTopicMuted(place)) void setPolicy(place, isChannelMuted ? "unmuted" : "none");
  else void setPolicy(place, isChannelMuted ? "none" : "muted");
}

export function isFollowed({ channelId, topic }: TopicPlace): boolean {
  return state.model.userTopics.policyOf(channelId, topic) === "followed";
}

export function markTopicRead({ channelId, topic }: TopicPlace): void {
  const parameters = { stream_id: channelId, topic_name: topic };
  void reportFailure(() => state.track(() => state.connection.call(markTopicAsRead, parameters)));
}

export function copyTopicLink({ channelId, topic }: TopicPlace): Promise<void> {
  return copyLinkTo(topicLink(channelId, topic));
}

/** Resolves the topic, or reopens it. */
export async function toggleResolved(place: TopicPlace): Promise<void> {
  const { topic } = place;
  const name = isResolvedTopic(topic) ? topic.slice(RESOLVED_PREFIX.length) : `${RESOLVED_PREFIX}${topic}`;
  await reportFailure(() =>
    state.track(async () => {
      const messageId = await newestIn(place);
      if (messageId === undefined) return;
      const parameters = { message_id: messageId, topic: name, propagate_mode: "change_all" as const };
      await state.connection.call(editMessage, parameters);
    }),
  );
}

/** The id of the topic's newest message; undefined: it has none. */
export async function newestIn({ channelId, topic }: TopicPlace): Promise<number | undefined> {
  const narrow = narrowParameter(topicNarrow(channelId, topic));
  const parameters = {
    ...{ narrow, anchor: "newest", num_before: 1, num_after: 0 },
    ...{ allow_empty_topic_name: true, client_gravatar: false },
  };
  const { messages } = await state.connection.call(getMessages, parameters);
  return messages.at(-1)?.id;
}
