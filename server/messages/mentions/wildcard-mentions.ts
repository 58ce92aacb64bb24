import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { MessageId, TopicId, UserId } from "../../../api/ids.ts";
import type { Channel } from "../../channels/channel.ts";
import { hasMoreSubscribers } from "../../channels/subscriptions/subscriber-lists.ts";
import { canDo } from "../../groups/group-setting.ts";
import { users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { listParticipants } from "../model/topic-messages-store.ts";

/** A mention of everyone needs permission if it reaches more active accounts than this (spec E1). */
const MANY = 15;

export function checkChannelWildcard({ state, user }: Viewer, channel: Channel): void {
  if (canDo(state, organizationPermissions.canMentionManyUsers, user)) return;
  if (hasMoreSubscribers(state, channel.id, MANY)) throw new ApiError(errors.channelWildcardNotAllowed);
}

/**
 * The people that a mention of a topic reaches: those who wrote in it or reacted in it, and the writer of the
 * mention. A mention of many people needs the same permission as a mention of everyone. The query reads the
 * whole topic, so run it in a transaction, where it delays nobody else. `comingIds`: messages that the same
 * change moves into the topic.
 */
export async function accessTopicParticipants(
  { state, user }: Viewer,
  tx: Queryable,
  topicId: TopicId,
  comingIds: readonly MessageId[] = [],
): Promise<UserId[]> {
  const listed = await listParticipants(tx, state.organizationId, topicId, comingIds);
  const participants = new Set([...listed, user.id]);
  const { byId } = state.get(users);
  const activeCount = [...participants].filter((id) => byId.get(id)?.isActive).length;
  if (activeCount > MANY && !canDo(state, organizationPermissions.canMentionManyUsers, user)) {
    throw new ApiError(errors.topicWildcardNotAllowed);
  }
  return [...participants];
}
