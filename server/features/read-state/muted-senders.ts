import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import { listUnreadFrom } from "../messages/query/unread-from.ts";
import { mutedUsers } from "../muted-users/muted-users.ts";
import { announceRead } from "../read-ranges/events.ts";
import { keepAsRead } from "../read-ranges/ranges.ts";
import { shareReadStateLock } from "../read-ranges/read-state-lock.ts";
import { type User, users } from "../users/user.ts";

/**
 * When a user mutes a person, everything that the person had sent becomes read for the user (spec
 * States).
 */
export const mutedSenders: BeforeCommitHook = {
  projections: [mutedUsers.name],
  async run(tx, patches) {
    for (const { userId, mutedUserId, isMuted } of patchesOf(patches, mutedUsers)) {
      if (!isMuted) continue;
      const user = tx.state.get(users).byId.get(userId) as User;
      await shareReadStateLock(tx, tx.state.organizationId);
      const messages = await listUnreadFrom({ state: tx.state, user }, tx, mutedUserId);
      if (messages.length === 0) continue;
      await keepAsRead(tx, userId, messages, { hasMuted: true });
      announceRead(tx, [userId], messages);
    }
  },
};
