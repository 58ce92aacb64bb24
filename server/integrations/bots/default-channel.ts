import type { ChannelId } from "../../../api/ids.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { readBotRow } from "./details.ts";

/**
 * The channel of a message that names none. Whether the bot may send there is for the send to check. People
 * have none: no call sets it for them.
 */
export async function defaultSendingChannelOf({ state, user }: Viewer): Promise<ChannelId | undefined> {
  if (user.botType === null) return undefined;
  return (await readBotRow(state, state.database, user.id)).defaultSendingChannelId ?? undefined;
}
