import type { Message } from "../../../client/model/messages.ts";
import { channelNarrow, directNarrow, type Narrow, topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { state } from "../state/state.ts";

const names = { channel: (id: number) => state.model.channels.get(id)?.name };

export function linkTo(narrow: Narrow, near?: number): string {
  return hashOfNarrow({ narrow, ...(near !== undefined && { near }) }, names);
}

export const channelLink = (channelId: number) => linkTo(channelNarrow(channelId));
export const topicLink = (channelId: number, topic: string) => linkTo(topicNarrow(channelId, topic));
export const directLink = (userIds: readonly number[]) => linkTo(directNarrow(others(userIds)));

/** The conversation that a message belongs to. */
export function narrowOfMessage(to: Message["to"]): Narrow {
  return to.kind === "channel" ? topicNarrow(to.channelId, to.topic) : directNarrow(others(to.userIds));
}

function others(userIds: readonly number[]): number[] {
  const viewerId = state.model.viewer.id;
  const rest = userIds.filter((id) => id !== viewerId);
  return rest.length > 0 ? rest : [viewerId];
}
