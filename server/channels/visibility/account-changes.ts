import { changedAccounts } from "../../groups/account-changes.ts";
import { users } from "../../people/user.ts";
import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import { appendPeersAdded, appendPeersRemoved } from "../events.ts";
import { subscribers } from "../subscriptions/subscribers.ts";
import { toPeers } from "./audiences.ts";

/**
 * A deactivated account keeps its subscriptions for when it is reactivated, but does not count as a
 * subscriber. So users who see the channel's subscribers get `peer_remove`, or `peer_add` when the
 * account is reactivated.
 */
export const accountChanges: BeforeCommitHook = {
  projections: [users.name],
  run(tx, patches) {
    const { state } = tx;
    for (const { id, isActive } of changedAccounts(state, patches).values()) {
      const channelIds = [...state.get(subscribers).channelsOf(id)];
      if (channelIds.length === 0) continue;
      const append = isActive ? appendPeersAdded : appendPeersRemoved;
      append(tx, channelIds, [id], toPeers(channelIds));
    }
  },
};
