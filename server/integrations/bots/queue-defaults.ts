import { canSeeChannel } from "../../channels/access.ts";
import { channels } from "../../channels/channel.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { readBotRow } from "./details.ts";

/** What counts for an event queue of a bot that does not say so itself. */
export interface QueueDefaults {
  narrow: [operator: string, operand: string][];
  allPublicStreams: boolean;
}

const none: QueueDefaults = { narrow: [], allPublicStreams: false };

/** People have none. */
export async function queueDefaultsOf({ state, user }: Viewer): Promise<QueueDefaults> {
  if (user.botType === null) return none;
  const row = await readBotRow(state, state.database, user.id);
  const id = row.defaultEventsChannelId;
  const channel = id === null ? undefined : state.get(channels).byId.get(id);
  const isKnown = channel !== undefined && canSeeChannel(state, user, channel);
  return {
    narrow: isKnown ? [["channel", String(channel.id)]] : [],
    allPublicStreams: row.defaultAllPublicChannels,
  };
}
