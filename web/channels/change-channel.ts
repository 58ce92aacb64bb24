import { updateChannel } from "../../api/channels/update-channel.ts";
import type { Channel } from "../../client/model/channels.ts";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";

/** Properties by their names in the API. */
export function changeChannel(channelId: number, properties: object): Promise<unknown> {
  const parameters = { stream_id: channelId, ...properties };
  return state.track(() => state.connection.call(updateChannel, parameters));
}

/**
 * A signal of what `read` gives for a channel. It is read again when anything changes that decides who may do
 * what.
 */
export function channelSignal<T>(channelId: number, read: (channel: Channel) => T, without: T): () => T {
  return live(["channels", "subscriptions", "groups", "users", "organization", "generation"], () => {
    const channel = state.model.channels.get(channelId);
    return channel ? read(channel) : without;
  });
}

/** A copy with each change: Solid takes an object that changed in place for the same. */
export function channelCopySignal(channelId: number): () => Channel | undefined {
  return live(["channels", "generation"], () => {
    const channel = state.model.channels.get(channelId);
    return channel && { ...channel };
  });
}
