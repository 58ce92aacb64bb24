import { users } from "../../people/user.ts";
import { lockOwnLists } from "../../people/viewer/own-lists.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import { keepsDrafts } from "./access.ts";
import { appendDraftsRemoved } from "./events.ts";
import { deleteDrafts } from "./store.ts";

/**
 * A user who turns off the synchronization of drafts has none on the server from then on. Clients get an
 * event for each draft, since older ones learn of no setting that says so.
 */
export const disabledDrafts: BeforeCommitHook = {
  projections: [users.name],
  async run(tx, patches) {
    for (const user of patchesOf(patches, users).flatMap(({ put }) => put)) {
      const before = tx.state.get(users).byId.get(user.id);
      if (!before || keepsDrafts(user) || !keepsDrafts(before)) continue;
      await lockOwnLists(tx, user.id);
      appendDraftsRemoved(tx, user.id, await deleteDrafts(tx, tx.state.organizationId, user.id));
    }
  },
};
