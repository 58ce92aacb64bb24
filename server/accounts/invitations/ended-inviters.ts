import { users } from "../../people/user.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import { announceInvitations } from "./announce.ts";
import { deleteInvitationsOf } from "./store.ts";

/** The invitations of a deactivated account are revoked with it, and stay so if it is reactivated. */
export const endedInviters: BeforeCommitHook = {
  projections: [users.name],
  async run(tx, patches) {
    const before = tx.state.get(users).byId;
    const ended = patchesOf(patches, users)
      .flatMap(({ put }) => put)
      .filter(({ id, isActive }) => !isActive && before.get(id)?.isActive)
      .map(({ id }) => id);
    if (ended.length === 0) return;
    const count = await deleteInvitationsOf(tx, tx.state.organizationId, ended);
    if (count > 0) announceInvitations(tx, []);
  },
};
