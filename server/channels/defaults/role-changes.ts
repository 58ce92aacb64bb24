import { roles } from "../../../api/roles.ts";
import { accountsAfter } from "../../groups/account-changes.ts";
import { type User, users } from "../../people/user.ts";
import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { appendDefaultChannelIds } from "../events.ts";
import { defaultChannelIds } from "./default-channel-ids.ts";
import { appendDefaultGroupsTo, presentDefaultGroupsNow } from "./default-groups.ts";

/**
 * Guests don't get default channels. So a person who becomes a guest loses them, and gets them on the way
 * back.
 */
export const defaultsOfRoles: BeforeCommitHook = {
  projections: [users.name],
  run(tx, patches) {
    const { state } = tx;
    for (const after of accountsAfter(patches).values()) {
      const before = state.get(users).byId.get(after.id);
      if (!before?.isActive || !after.isActive || isGuest(before) === isGuest(after)) continue;
      const audience = toUsers([after.id]);
      appendDefaultChannelIds(tx, isGuest(after) ? [] : defaultChannelIds(state), audience);
      appendDefaultGroupsTo(tx, isGuest(after) ? [] : presentDefaultGroupsNow(state), audience);
    }
  },
};

function isGuest({ role }: User): boolean {
  return role >= roles.guest;
}
