import type { ChannelId, UserId } from "../../../../api/ids.ts";
import type { BeforeCommitHook } from "../../../platform/log/before-commit-hook.ts";
import { type User, users } from "../../users/user.ts";
import { subscribers } from "../subscriptions/subscribers.ts";
import { toPeers } from "./audiences.ts";

/**
 * A deactivated account keeps its subscriptions, for when it comes back, but does not count among the subscribers: so those
 * who see them hear that it left, or came.
 */
export const accountChanges: BeforeCommitHook = {
  projections: [users.name],
  run(tx, patches) {
    const { state } = tx;
    const changed = new Map<UserId, User>();
    for (const { patch } of patches)
      for (const user of (patch as { put: User[] }).put) changed.set(user.id, user);
    for (const user of changed.values()) {
      const before = state.get(users).byId.get(user.id);
      if (!before || before.isActive === user.isActive) continue;
      const stream_ids: ChannelId[] = [...state.get(subscribers).channelsOf(user.id)];
      if (stream_ids.length === 0) continue;
      const op = user.isActive ? "peer_add" : "peer_remove";
      tx.appendRaw({ type: "subscription", op, stream_ids, user_ids: [user.id] }, toPeers(stream_ids));
    }
  },
};
