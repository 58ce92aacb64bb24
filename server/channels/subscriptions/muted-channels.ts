import type { ChannelId, UserId } from "../../../api/ids.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { listMutedChannels } from "./preference-store.ts";

/** The channels that people muted, whether or not they are subscribed to them. */
export class MutedChannels {
  readonly #ofUser = new Map<UserId, Set<ChannelId>>();

  of(userId: UserId): ReadonlySet<ChannelId> {
    return this.#ofUser.get(userId) ?? none;
  }

  set(userId: UserId, channelId: ChannelId, isMuted: boolean): void {
    const ids = this.#ofUser.get(userId) ?? new Set();
    if (isMuted) ids.add(channelId);
    else ids.delete(channelId);
    if (ids.size > 0) this.#ofUser.set(userId, ids);
    else this.#ofUser.delete(userId);
  }
}

const none: ReadonlySet<never> = new Set<never>();

export type MutedChannelsPatch = readonly { userId: UserId; channelId: ChannelId; isMuted: boolean }[];

export const mutedChannels: Projection<MutedChannels, MutedChannelsPatch> = {
  name: "muted_channels",
  async load(tx, organizationId) {
    const value = new MutedChannels();
    for (const { userId, channelId } of await listMutedChannels(tx, organizationId)) {
      value.set(userId, channelId, true);
    }
    return value;
  },
  apply(value, patch) {
    for (const { userId, channelId, isMuted } of patch) {
      value.set(userId, channelId, isMuted);
    }
  },
};
