import type { ChannelId } from "../../../api/ids.ts";
import { topicDisplayName } from "../../../api/topic-name.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { rawVariant } from "../../platform/queues/event-variant.ts";
import type { EventSerializer } from "../../platform/queues/queue-parts.ts";
import type { Readable } from "../messages/access.ts";
import { isMentioned } from "../messages/model/present.ts";
import type { PersonalRow } from "../messages/query/fetch.ts";
import type { User } from "../users/user.ts";

type Details = Record<string, { topic?: string } & Record<string, unknown>>;

/** What clients need to know of messages that become unread, since they may not have them. */
export function presentDetails(
  state: OrganizationState,
  user: User,
  targets: readonly Readable<PersonalRow & { topic: string | null }>[],
): Details {
  return Object.fromEntries(
    targets.map(({ row, isHistorical }) => [
      row.id,
      {
        ...(row.userIds
          ? { type: "private", user_ids: row.userIds.filter((id) => id !== user.id) }
          : { type: "stream", stream_id: row.recipientId as ChannelId, topic: row.topic ?? "" }),
        ...(isMentioned(state, row, user.id, row.personal, isHistorical) && { mentioned: true }),
      },
    ]),
  );
}

/** Flag events go out as they are, but for the empty topics in them (spec Conventions 7). */
export const flagSerializer: EventSerializer = {
  type: "update_message_flags",
  serialize(_state, entry, queue) {
    const details = entry.payload.message_details as Details | undefined;
    if (!details || queue.can("empty_topic_name")) return rawVariant(entry, 0, () => entry.payload);
    return rawVariant(entry, 1, () => ({ ...entry.payload, message_details: withDisplayNames(details) }));
  },
};

function withDisplayNames(details: Details): Details {
  return Object.fromEntries(
    Object.entries(details).map(([id, detail]) => [
      id,
      detail.topic === undefined ? detail : { ...detail, topic: topicDisplayName(detail.topic) },
    ]),
  );
}
