import { apiKeys } from "../../people/api-keys.ts";
import { users } from "../../people/user.ts";
import { lockOwnLists } from "../../people/viewer/own-lists.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import { deleteDeviceTokensOf } from "./store.ts";

/**
 * Devices sign in with the API key. A new key signs all of them out, and a deactivated account has none. So
 * their tokens are deleted with the change, and nothing more is sent to them.
 */
export const endedDeviceTokens: BeforeCommitHook = {
  projections: [users.name, apiKeys.name],
  async run(tx, patches) {
    const before = tx.state.get(users).byId;
    const deactivated = patchesOf(patches, users)
      .flatMap(({ put }) => put)
      .filter(({ id, isActive }) => !isActive && before.get(id)?.isActive)
      .map(({ id }) => id);
    // New accounts get a key too, and have no devices yet.
    const withNewKey = patchesOf(patches, apiKeys).flatMap(({ userId }) =>
      before.has(userId) ? userId : [],
    );
    const ended = [...new Set([...deactivated, ...withNewKey])].sort((one, other) => one - other);
    if (ended.length === 0) return;
    for (const id of ended) await lockOwnLists(tx, id);
    await deleteDeviceTokensOf(tx, tx.state.organizationId, ended);
  },
};
