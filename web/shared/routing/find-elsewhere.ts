import { isResolvedTopic, RESOLVED_PREFIX } from "../../../api/channels/topic-name.ts";
import { foldName } from "../../../api/fold-name.ts";
import { conversationOf, type Narrow, topicNarrow } from "../../../client/narrow.ts";
import { state } from "../state/state.ts";
import { followMessage } from "./follow-moves.ts";
import { linkTo } from "./links.ts";
import { replaceRoute, route } from "./route.ts";

/**
 * For a conversation that has no messages: leads to where it is now, if it was moved, resolved or reopened.
 * Gives whether it is really empty; false while nobody can tell.
 */
export async function findElsewhere(narrow: Narrow): Promise<boolean> {
  const place = conversationOf(narrow);
  if (place?.kind !== "channel" || place.topic === undefined) return true;
  const before = location.hash;
  const current = route();
  const near = current.view === "messages" ? (current.near ?? current.with) : undefined;
  if (near !== undefined && (await followMessage(near))) return false;
  const moved = state.placeOfMoved(place.channelId, place.topic);
  const twin = moved ?? (await findTwin(place.channelId, place.topic));
  if (location.hash !== before) return false;
  if (twin && twin !== "unknown") replaceRoute(linkTo(topicNarrow(twin.channelId, twin.topic)));
  return twin === undefined;
}

/** The topic of the same name that is resolved, or that is not any more. */
async function findTwin(
  channelId: number,
  topic: string,
): Promise<{ channelId: number; topic: string } | "unknown" | undefined> {
  if (state.isSpectator || !state.model.channels.get(channelId)) return undefined;
  if (!(await state.topics.need(channelId))) return "unknown";
  const plain = (name: string) => foldName(isResolvedTopic(name) ? name.slice(RESOLVED_PREFIX.length) : name);
  const own = foldName(topic);
  const found = state.topics.of(channelId).find(({ name }) => plain(name) === plain(topic));
  return found && foldName(found.name) !== own ? { channelId, topic: found.name } : undefined;
}
