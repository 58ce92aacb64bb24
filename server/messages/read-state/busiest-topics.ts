/** What a person missed, in numbers: for modules that sum up. */

import { channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { type User, users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { findReadableScope, readableRangesOf } from "../query/readable/readable-ranges.ts";
import { listBusiestUnread, type UnreadTopic } from "./read-state-store.ts";

export type { UnreadTopic };

/**
 * The busiest topics of the person's channels, by what they may read now and have not read. The service's own
 * messages and the person's are not counted. Reads memory before the first `await`.
 */
export async function findBusiestUnread(
  state: OrganizationState,
  tx: Queryable,
  user: User,
  { after, limit }: { after: number; limit: number },
): Promise<UnreadTopic[]> {
  const { byId } = state.get(channels);
  const own = [...state.get(subscribers).channelsOf(user.id)].flatMap((id) => byId.get(id) ?? []);
  const service = state.get(users).system();
  const scope = await findReadableScope({ state, user }, tx, { channels: own, conversations: [] });
  const ranges = readableRangesOf(scope, { withHistory: true }).filter(
    ({ unreadAfter }) => unreadAfter !== null,
  );
  if (ranges.length === 0) return [];
  const withoutSenders = [user.id, ...service.map(({ id }) => id)];
  return listBusiestUnread(tx, { state, user }, { ranges, after, withoutSenders, limit });
}
