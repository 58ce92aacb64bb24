import { mutedUsers } from "../../attention/muted-users/muted-users.ts";
import { type User, users } from "../../people/user.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import { listUnreadFrom } from "../query/unread-from.ts";
import { announceRead } from "./events.ts";
import { keepAsRead } from "./ranges.ts";
import { shareAllPlaces } from "./read-state-lock.ts";

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
      await shareAllPlaces(tx, tx.state.organizationId, userId);
      const messages = await listUnreadFrom({ state: tx.state, user }, tx, mutedUserId);
      if (messages.length === 0) continue;
      const more = await keepAsRead(tx, userId, messages, { hasMuted: true });
      announceRead(tx, [userId], [...messages, ...more]);
    }
  },
};
