import { canReadChannelById } from "../../channels/access.ts";
import { changedByMoves, MAX_TAKEN_ALONG, movedTopics } from "../../messages/move/moved-topics.ts";
import { lockOwnLists } from "../../people/viewer/own-lists.ts";
import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import { appendDraftUpdated } from "./events.ts";
import { listDraftsForTopic, moveDrafts } from "./store.ts";

/**
 * Drafts follow a topic that moves as a whole. Those of people who can't read the new channel stay, so that
 * nobody learns a name by it.
 */
export const movedDrafts: BeforeCommitHook = {
  projections: changedByMoves,
  async run(tx) {
    const { state } = tx;
    for (const { from, to } of movedTopics.of(tx) ?? []) {
      const places = {
        from: { channelId: from.channel.id, topic: from.topic },
        to: { channelId: to.channel.id, topic: to.topic },
      };
      const found = await listDraftsForTopic(tx, state.organizationId, places.from, MAX_TAKEN_ALONG);
      const kept = found.filter(({ userId }) => canReadChannelById(state, to.channel.id, userId));
      const owners = [...new Set(kept.map(({ userId }) => userId))].sort((a, b) => a - b);
      for (const userId of owners) await lockOwnLists(tx, userId);
      const moved = kept.length > 0 ? await moveDrafts(tx, state.organizationId, kept, places) : [];
      for (const { userId, ...draft } of moved) appendDraftUpdated(tx, userId, draft);
    }
  },
};
