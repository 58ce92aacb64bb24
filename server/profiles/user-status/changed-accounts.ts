import { accessChangesOf } from "../../channels/guest-access/access-changes.ts";
import { isAnnounced, toGuests } from "../../channels/guest-access/announce.ts";
import { users } from "../../people/user.ts";
import { type BeforeCommitHook, type LastHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import { announceStatus, announceStatusTo } from "./events.ts";
import { isAway, presentUserStatus } from "./present.ts";

/**
 * What changes a status besides the person themselves. COMPAT: `away` follows from the setting
 * `presence_enabled`. And the status of an account that is activated again is there again.
 */
export const statusOfChangedAccounts: BeforeCommitHook = {
  projections: [users.name],
  run(tx, patches) {
    const before = tx.state.get(users).byId;
    for (const user of patchesOf(patches, users).flatMap(({ put }) => put)) {
      const old = before.get(user.id);
      if (!user.isActive || user.botType !== null) continue;
      if (old?.isActive === false) {
        const status = presentUserStatus(tx.state, user);
        if (Object.keys(status).length > 0) {
          announceStatus(tx, { user_id: user.id, ...status });
        }
      } else if (isAway(user) !== (old !== undefined && isAway(old))) {
        announceStatus(tx, { user_id: user.id, away: isAway(user) });
      }
    }
  },
};

/** A guest who gets to know of somebody learns what that person says. */
export const statusesOfNewlyKnown: LastHook = {
  run(tx, patches) {
    for (const { guest, gained } of accessChangesOf(tx, patches).filter(isAnnounced)) {
      for (const user of gained) {
        const status = user.isActive ? presentUserStatus(tx.state, user) : {};
        if (Object.keys(status).length === 0) continue;
        announceStatusTo(toGuests([guest.id]), tx, { user_id: user.id, ...status });
      }
    }
  },
};
