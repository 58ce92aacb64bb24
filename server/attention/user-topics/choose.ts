import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_TOPIC_POLICIES } from "../../../api/limits.ts";
import { accessReadableChannel, canReadChannel } from "../../channels/access.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { findTopicNamed, type PlacedTopic, topicNamed } from "../../channels/recipients/topics.ts";
import type { Quotas } from "../../people/quotas/quotas.ts";
import { changeContent } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { setTopicPolicy } from "./actions.ts";
import { type TopicPolicy, topicPolicies } from "./policy.ts";
import { userTopics } from "./topic-policies.ts";

/**
 * Stores the policy that the viewer chooses for a topic. The viewer's clients get an event. Throws
 * "Invalid channel ID" if the viewer can't read the channel, unless they only remove a policy that they
 * have. Throws `tooManyTopicPolicies` for one more than `MAX_TOPIC_POLICIES`.
 */
export async function chooseTopicPolicy(
  viewer: Viewer,
  quotas: Quotas,
  { channelId, topic: name, policy }: { channelId: number; topic: string; policy: TopicPolicy },
): Promise<void> {
  if (policy === topicPolicies.none) return takeBackPolicy(viewer, channelId, name);
  const topic = await accessTopic(viewer, quotas, accessReadableChannel(viewer, channelId), name);
  await checkCount(viewer, topic);
  await changeContent(viewer, async (tx) => {
    accessReadableChannel(tx.viewer, topic.channelId);
    await setTopicPolicy(tx, topic, { userId: tx.viewer.user.id, policy });
  });
}

/** A topic needs no messages. One that nobody has named before is made, and counted, since it stays. */
async function accessTopic(
  viewer: Viewer,
  quotas: Quotas,
  channel: Channel,
  name: string,
): Promise<PlacedTopic> {
  const found = await findTopicNamed(viewer.state, channel, name);
  if (found) return found;
  await changeContent(viewer, (tx) => quotas.use(tx, "topics"));
  return topicNamed(viewer.state, channel, name);
}

/** The count comes from memory, which may be a moment behind. So requests at once may go a little beyond. */
async function checkCount({ state, user }: Viewer, topic: PlacedTopic): Promise<void> {
  const known = state.get(userTopics);
  const policies = known.of(user.id) ?? (await known.load(state, [user.id])).get(user.id);
  if (policies && policies.size >= MAX_TOPIC_POLICIES && !policies.has(topic.id)) {
    throw new ApiError(errors.tooManyTopicPolicies, { limit: MAX_TOPIC_POLICIES });
  }
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
