import { channelPermissionList } from "../../../api/channel-permissions.ts";
import type { Consequence } from "../../platform/log/before-commit-hook.ts";
import { changedAccounts, namesAny, valueAfter } from "../groups/account-changes.ts";
import { users } from "../users/user.ts";
import { channels } from "./channel.ts";
import { channelPermissionOf } from "./permissions.ts";
import { toThoseWhoSee } from "./visibility/audiences.ts";

/** The same for the permissions of channels as `accountsInSettings` for other settings. */
export const accountsInPermissions: Consequence = {
  slices: [users.name],
  follow(tx, patches) {
    const { live } = tx;
    const changed = changedAccounts(live, patches);
    if (changed.size === 0) return;
    for (const channel of live.get(channels).all()) {
      const { id: stream_id, name } = channel;
      // What is kept of a channel is kept with the object, so another one drops it.
      let state: Record<string, unknown> | undefined = { [channels.name]: { put: [{ ...channel }] } };
      for (const permission of channelPermissionList) {
        const value = channelPermissionOf(live, channel, permission);
        if (!namesAny(value, changed)) continue;
        const told = { property: permission.name, value: valueAfter(live, value, changed) };
        tx.append(
          { type: "stream", op: "update", stream_id, name, ...told },
          toThoseWhoSee(stream_id),
          state,
        );
        state = undefined;
      }
    }
  },
};
