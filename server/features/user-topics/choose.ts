import { ApiError, errors } from "../../../api/errors.ts";
import { accessReadableChannel, canReadChannel } from "../channels/access.ts";
import { channels } from "../channels/channel.ts";
import { findTopicNamed, topicNamed } from "../messages/model/topics.ts";
import { setTopicPolicy } from "../topic-policies/actions.ts";
import { type TopicPolicy, topicPolicies } from "../topic-policies/policy.ts";
import { changeContent } from "../users/change.ts";
import type { Viewer } from "../users/viewer.ts";

/**
 * Stores the policy that the viewer chooses for a topic. The viewer's clients get an event. Throws
 * "Invalid channel ID" if the viewer can't read the channel, unless they only remove a policy that they
 * have.
 */
export async function chooseTopicPolicy(
  viewer: Viewer,
  { channelId, topic: name, policy }: { channelId: number; topic: string; policy: TopicPolicy },
): Promise<void> {
  if (policy === topicPolicies.none) return takeBackPolicy(viewer, channelId, name);
  const topic = await topicNamed(viewer.state, accessReadableChannel(viewer, channelId), name);
  await changeContent(viewer, async (tx) => {
    accessReadableChannel(tx.viewer, topic.channelId);
    await setTopicPolicy(tx, topic, { userId: tx.viewer.user.id, policy });
  });
}

async function takeBackPolicy(viewer: Viewer, channelId: number, name: string): Promise<void> {
  const { state } = viewer;
  const channel = state.get(channels).find(channelId);
  const topic = channel && (await findTopicNamed(state, channel, name));
  await changeContent(viewer, async (tx) => {
    const { user } = tx.viewer;
    const none = { userId: user.id, policy: topicPolicies.none };
    const had = topic !== undefined && (await setTopicPolicy(tx, topic, none));
    if (!had && (!channel || !canReadChannel(state, user, channel)))
      throw new ApiError(errors.invalidChannelId);
  });
}
