import type { ChannelId, UserId } from "../../../api/ids.ts";
import { canReadChannel, canReadHistory } from "../../channels/access.ts";
import { channels } from "../../channels/channel.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { ChannelAccessChange, type LevelOf } from "../../channels/visibility/visibility-changes.ts";
import { groups } from "../../groups/group.ts";
import { organization } from "../../organization/organization.ts";
import { users } from "../../people/user.ts";
import { type BeforeCommitHook, type NamedPatch, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { announceOwnStars } from "../read-state/events.ts";
import { listReturnedStars, type Reading } from "./store.ts";

/** How many stars are announced at once. Where many people have more, each gets the newest. */
const MAX_ANNOUNCED = 200_000;
/** How many stars of one person in one channel are announced. */
const MAX_ANNOUNCED_OF_ONE = 10_000;

/** How much of a channel's messages somebody may read. */
const levels = { nothing: 0, received: 1, all: 2 } as const;

const readingOf: LevelOf = (state, user, channel) => {
  if (canReadHistory(state, user, channel)) return levels.all;
  return canReadChannel(state, user, channel) ? levels.received : levels.nothing;
};

/**
 * Stars stay with messages that their holder can't read for a while. When the holder can read a channel
 * again, their clients get the stars in it.
 */
export const returnedStars: BeforeCommitHook = {
  projections: [subscribers.name, channels.name, groups.name, users.name, organization.name],
  async run(tx, patches) {
    const readings = [...newSubscribers(tx.state, patches), ...newReaders(tx, patches)];
    if (readings.length === 0) return;
    const limit = Math.min(MAX_ANNOUNCED_OF_ONE, Math.ceil(MAX_ANNOUNCED / readings.length));
    announceOwnStars(tx, await listReturnedStars(tx, tx.state.organizationId, readings, limit));
  },
};

/** The people who can read more of a channel by their new subscription. A new channel has no messages. */
function* newSubscribers(state: OrganizationState, patches: readonly NamedPatch[]): Iterable<Reading> {
  for (const { channelId, added = [] } of patchesOf(patches, subscribers).flat()) {
    const channel = state.get(channels).byId.get(channelId);
    if (!channel) continue;
    const after = channel.isHistoryShared ? levels.all : levels.received;
    for (const userId of added) {
      const user = state.get(users).byId.get(userId);
      if (user && readingOf(state, user, channel) < after) {
        yield { channelId, userId, isAll: channel.isHistoryShared };
      }
    }
  }
}

/** The people who can read more of a channel by its privacy, their role or a group. */
function newReaders(tx: Change, patches: readonly NamedPatch[]): Reading[] {
  const change = new ChannelAccessChange(tx.state, patches, readingOf);
  const { gained } = change.differences();
  return gained.flatMap(({ channelIds, userIds }) =>
    channelIds.flatMap((channelId) => {
      const isAll = change.channel(channelId).isHistoryShared;
      return userIds.map((userId) => ({
        channelId: channelId as ChannelId,
        userId: userId as UserId,
        isAll,
      }));
    }),
  );
}
