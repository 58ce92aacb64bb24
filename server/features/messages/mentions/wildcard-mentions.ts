import { ApiError, errors } from "../../../../api/errors.ts";
import type { TopicId, UserId } from "../../../../api/ids.ts";
import { organizationPermissions } from "../../../../api/organization-permissions.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { Channel } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { canDo } from "../../groups/group-setting.ts";
import type { Viewer } from "../../users/viewer.ts";
import { listParticipants } from "../model/topic-store.ts";

/** A mention of everyone needs permission where more people than this would hear it (spec E1). */
const MANY = 15;

export function checkChannelWildcard(viewer: Viewer, channel: Channel): void {
  if (viewer.state.get(subscribers).of(channel.id).size <= MANY) return;
  if (!canDo(viewer.state, organizationPermissions.canMentionManyUsers, viewer.user)) {
    throw new ApiError(errors.channelWildcardNotAllowed);
  }
}

/**
 * Whom a mention of a topic is for: those who have written in it or reacted to something in it, and whoever writes it, who
 * takes part by that. To mention many needs the same permission. It reads the whole topic, so it is to be asked through a
 * transaction, where it holds up nobody else.
 */
export async function accessTopicParticipants(
  { state, user }: Viewer,
  tx: Queryable,
  topicId: TopicId,
): Promise<UserId[]> {
  const participants = new Set([...(await listParticipants(tx, state.organizationId, topicId)), user.id]);
  if (participants.size > MANY && !canDo(state, organizationPermissions.canMentionManyUsers, user)) {
    throw new ApiError(errors.topicWildcardNotAllowed);
  }
  return [...participants];
}
