import { channelPermissionList } from "../../api/channels/channel-permissions.ts";
import { changedAccounts, namesAny, valueAfter } from "../groups/account-changes.ts";
import { users } from "../people/user.ts";
import type { BeforeCommitHook } from "../platform/log/before-commit-hook.ts";
import { patchOf } from "../platform/log/projection.ts";
import { channels } from "./channel.ts";
import { appendChannelUpdated } from "./events.ts";
import { channelPermissionOf } from "./permissions.ts";
import { toThoseWhoSee } from "./visibility/audiences.ts";

/** Does for the permissions of channels what `accountsInSettings` does for other settings. */
export const accountsInPermissions: BeforeCommitHook = {
  projections: [users.name],
  run(tx, patches) {
    const { state } = tx;
    const changed = changedAccounts(state, patches);
    if (changed.size === 0) return;
    for (const channel of state.get(channels).all()) {
      // Cached JSON is kept with the channel object, so a new object drops it. The first event brings
      // that object.
      let patches = [patchOf(channels, { put: [{ ...channel }] })];
      for (const permission of channelPermissionList) {
        const value = channelPermissionOf(state, channel, permission);
        if (!namesAny(value, changed)) continue;
        const change = { property: permission.name, value: valueAfter(state, value, changed) };
        appendChannelUpdated(tx, channel, change, toThoseWhoSee(channel.id), ...patches);
        patches = [];
      }
    }
  },
};
