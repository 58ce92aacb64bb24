/** The subscribers of a channel, fetched when they are first shown and again when they may have changed. */
import { getChannelSubscribers } from "../../../api/channels/subscriptions.ts";
import { CallError } from "../../../client/call-error.ts";
import { state } from "../state/state.ts";

/** What can't be fetched is undefined: the list then shows the others alone. */
export async function fetchSubscribers(channelId: number): Promise<readonly number[] | undefined> {
  try {
    const parameters = { stream_id: channelId };
    const { subscribers } = await state.connection.call(getChannelSubscribers, parameters);
    return subscribers;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return undefined;
  }
}
