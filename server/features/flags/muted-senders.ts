import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import { listUnreadFrom } from "../messages/query/unread-from.ts";
import { announceRead } from "../messages/read-state/announce-read.ts";
import { shareReadStateLock } from "../messages/read-state/read-state-lock.ts";
import { type MutedUserPatch, mutedUsers } from "../muted-users/muted-users.ts";
import { type User, users } from "../users/user.ts";
import { insertRead } from "./store.ts";

/** When somebody is muted, all that they had sent is marked read for who muted them (spec States). */
export const mutedSenders: BeforeCommitHook = {
  projections: [mutedUsers.name],
  async run(tx, patches) {
    for (const { patch } of patches) {
      const { userId, mutedUserId, isMuted } = patch as MutedUserPatch;
      if (!isMuted) continue;
      const user = tx.state.get(users).byId.get(userId) as User;
      await shareReadStateLock(tx, tx.state.organizationId);
      const messages = await listUnreadFrom({ state: tx.state, user }, tx, mutedUserId);
      if (messages.length === 0) continue;
      await insertRead(tx, tx.state.organizationId, userId, messages, { hasMuted: true });
      announceRead(tx, [userId], messages);
    }
  },
};
