import type { ChannelId } from "../../../api/ids.ts";
import type { User } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Readable } from "../access.ts";
import type { PersonalRow } from "../model/message.ts";
import { isMentioned } from "../model/present.ts";
import type { UnreadDetails } from "./events.ts";

/** The details that clients need on messages that become unread, since they may not have the messages. */
export function presentDetails(
  state: OrganizationState,
  user: User,
  targets: readonly Readable<PersonalRow & { topic: string | null }>[],
): UnreadDetails {
  return Object.fromEntries(
    targets.map(({ row, isHistorical }): [number, UnreadDetails[string]] => [
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
