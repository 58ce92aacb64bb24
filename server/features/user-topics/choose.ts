import { ApiError, errors } from "../../../api/errors.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { accessReadableChannel, canReadChannel } from "../channels/access.ts";
import { type Channel, channels } from "../channels/channel.ts";
import { currentViewer } from "../users/current-viewer.ts";
import type { Viewer } from "../users/viewer.ts";
import { type PlacedTopic, setTopicPolicy } from "./actions.ts";
import { type TopicPolicy, topicPolicies } from "./policy.ts";
import { listUserTopics } from "./user-topic-list.ts";

/** What a room above knows of topics; `name` is as somebody wrote it. */
export interface TopicLookup {
  /** Made if it is new: it needs no messages. */
  topicNamed(state: OrganizationState, channel: Channel, name: string): Promise<PlacedTopic>;
  findTopicNamed(state: OrganizationState, channel: Channel, name: string): Promise<PlacedTopic | undefined>;
}

/**
 * Keeps what the viewer says that they want of a topic; their other clients hear of it. It takes that they can read the
 * channel, unless they only take back what they said before: then, "Invalid channel ID".
 */
export async function chooseTopicPolicy(
  viewer: Viewer,
  lookup: TopicLookup,
  { channelId, topic: name, policy }: { channelId: number; topic: string; policy: TopicPolicy },
): Promise<void> {
  if (policy === topicPolicies.none) return takeBack(viewer, lookup, channelId, name);
  const { state } = viewer;
  const topic = await lookup.topicNamed(state, accessReadableChannel(viewer, channelId), name);
  await runContentChange(state, async (tx) => {
    const current = currentViewer(viewer);
    accessReadableChannel(current, topic.channelId);
    await setTopicPolicy(tx, topic, { userId: current.user.id, policy });
  });
}

async function takeBack(viewer: Viewer, lookup: TopicLookup, channelId: number, name: string): Promise<void> {
  const { state } = viewer;
  const channel = state.get(channels).find(channelId);
  const topic = channel && (await lookup.findTopicNamed(state, channel, name));
  await runContentChange(state, async (tx) => {
    const { user } = currentViewer(viewer);
    const had =
      topic &&
      (await listUserTopics(tx, state.organizationId, user.id)).some(({ topicId }) => topicId === topic.id);
    if (had) await setTopicPolicy(tx, topic, { userId: user.id, policy: topicPolicies.none });
    else if (!channel || !canReadChannel(state, user, channel)) throw new ApiError(errors.invalidChannelId);
  });
}
