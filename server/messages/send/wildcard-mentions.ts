import { ApiError, errors } from "../../../api/errors.ts";
import type { TopicId } from "../../../api/ids.ts";
import { organizationPermissions } from "../../../api/organization-permissions.ts";
import type { Channel } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { isAllowedBy } from "../../groups/group-setting.ts";
import type { Viewer } from "../../viewer.ts";
import { countParticipants } from "../topic-store.ts";

/** A mention of everyone needs permission where more people than this would hear it (spec E1). */
const MANY = 15;

export function checkChannelWildcard(viewer: Viewer, channel: Channel): void {
  if (viewer.live.get(subscribers).of(channel.id).size <= MANY) return;
  if (!isAllowedBy(viewer.live, organizationPermissions.canMentionManyUsers, viewer.user)) {
    throw new ApiError(errors.channelWildcardNotAllowed);
  }
}

/** The same for a topic, by how many people have written in it. */
export async function checkTopicWildcard({ live, user }: Viewer, topicId: TopicId): Promise<void> {
  if (isAllowedBy(live, organizationPermissions.canMentionManyUsers, user)) return;
  // Counting reads the whole topic, which must not hold up other statements.
  const count = await live.database.transaction((tx) => countParticipants(tx, live.organizationId, topicId));
  if (count > MANY) throw new ApiError(errors.topicWildcardNotAllowed);
}
