import type { ChannelId } from "../../api/ids.ts";
import { raisePolicies } from "../attention/user-topics/actions.ts";
import { channels } from "../channels/channel.ts";
import type { Viewer } from "../people/viewer/viewer.ts";
import type { Change } from "../platform/log/change.ts";
import type { FetchedRow } from "./model/message.ts";
import { policyChangeByParticipation } from "./send/automatic-policies.ts";

/**
 * Call this when a user acts on a message other than by writing, for example by reacting. If their settings
 * count that as taking part in the topic, they start to follow or unmute it.
 */
export async function participate(
  tx: Change,
  viewer: Viewer,
  { recipientId, topicId, topic }: Pick<FetchedRow, "recipientId" | "topicId" | "topic">,
): Promise<void> {
  const channel = tx.state.get(channels).byId.get(recipientId as ChannelId);
  if (topicId === null || !channel) return;
  const changes = await policyChangeByParticipation(viewer, channel, topicId);
  if (!changes) return;
  await raisePolicies(tx, { id: topicId, channelId: channel.id, name: topic ?? "" }, changes);
}
