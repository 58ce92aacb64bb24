import { channelPermissionList } from "../../../api/channel-permissions.ts";
import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import { changedAccounts, namesAny, valueAfter } from "../groups/account-changes.ts";
import { users } from "../users/user.ts";
import { channels } from "./channel.ts";
import { channelPermissionOf } from "./permissions.ts";
import { toThoseWhoSee } from "./visibility/audiences.ts";

/** The same for the permissions of channels as `accountsInSettings` for other settings. */
export const accountsInPermissions: BeforeCommitHook = {
  projections: [users.name],
  run(tx, patches) {
    const { state } = tx;
    const changed = changedAccounts(state, patches);
    if (changed.size === 0) return;
    for (const channel of state.get(channels).all()) {
      const { id: stream_id, name } = channel;
      // What is kept of a channel is kept with the object, so another one drops it.
      let statePatch: Record<string, unknown> | undefined = { [channels.name]: { put: [{ ...channel }] } };
      for (const permission of channelPermissionList) {
        const value = channelPermissionOf(state, channel, permission);
        if (!namesAny(value, changed)) continue;
        const told = { property: permission.name, value: valueAfter(state, value, changed) };
        tx.appendRaw(
          { type: "stream", op: "update", stream_id, name, ...told },
          toThoseWhoSee(stream_id),
          statePatch,
        );
        statePatch = undefined;
      }
    }
  },
};
