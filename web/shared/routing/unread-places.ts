/** Conversations with unread messages, as the lists show them and `n` goes through them. */
import { conversationOf } from "../../../client/narrow.ts";
import { compareTexts } from "../../i18n/intl.ts";
import { language } from "../../i18n/t.ts";
import { state } from "../state/state.ts";
import { channelName } from "../text/names.ts";
import { directLink, topicLink } from "./links.ts";
import { route } from "./route.ts";

export interface UnreadConversation {
  place: { channelId: number; topic: string } | { userIds: readonly number[] };
  count: number;
  newestId: number;
  hasMention: boolean;
  link: string;
}

/**
 * Without muted ones. Direct messages come first, then channels by name, and topics by their newest message.
 * Before the others of their kind are those with a mention of the viewer, and then followed topics.
 */
export function listUnread(): UnreadConversation[] {
  const { unreads, userTopics, subscriptions } = state.model;
  const all: UnreadConversation[] = [];
  for (const { place, ids } of unreads.buckets.values()) {
    if ("channelId" in place) {
      const { channelId, topic } = place;
      if (userTopics.isMuted(channelId, topic, subscriptions.isMuted(channelId))) continue;
    }
    all.push({
      place,
      count: ids.size,
      newestId: Math.max(...ids),
      hasMention: [...ids].some((id) => unreads.mentions.has(id)),
      link: "channelId" in place ? topicLink(place.channelId, place.topic) : directLink(place.userIds),
    });
  }
  return inOrder(all);
}

/** What needs the viewer is a lower number. */
function weightOf({ place, hasMention }: UnreadConversation): number {
  if (hasMention) return 0;
  const { userTopics } = state.model;
  return "channelId" in place && userTopics.policyOf(place.channelId, place.topic) === "followed" ? 1 : 2;
}

function inOrder(all: readonly UnreadConversation[]): UnreadConversation[] {
  const weighed = all.map((one) => ({ one, weight: weightOf(one), channelId: channelOf(one) }));
  const channels = new Map<number, number>();
  for (const { channelId, weight } of weighed) {
    channels.set(channelId, Math.min(channels.get(channelId) ?? weight, weight));
  }
  const names = [...channels].map(([id, weight]) => ({
    id,
    weight,
    name: id === DIRECT ? "" : channelName(id),
  }));
  names.sort(
    (a, b) =>
      Number(b.id === DIRECT) - Number(a.id === DIRECT) ||
      a.weight - b.weight ||
      compareTexts(a.name, b.name, language()),
  );
  const places = new Map(names.map(({ id }, at) => [id, at]));
  const placeOf = (id: number) => places.get(id) ?? 0;
  return weighed
    .sort(
      (a, b) =>
        placeOf(a.channelId) - placeOf(b.channelId) || a.weight - b.weight || b.one.newestId - a.one.newestId,
    )
    .map(({ one }) => one);
}

/** In the place of a channel's id. */
const DIRECT = 0;

function channelOf({ place }: UnreadConversation): number {
  return "channelId" in place ? place.channelId : DIRECT;
}

/** The address of the conversation after the present one, of those that are wanted. */
export function nextUnread(
  isWanted: (place: UnreadConversation["place"]) => boolean = () => true,
): string | undefined {
  const all = listUnread().filter(({ place }) => isWanted(place));
  const current = route();
  const here = current.view === "messages" ? conversationOf(current.narrow) : undefined;
  const isHere = ({ place }: UnreadConversation) =>
    here?.kind === "channel"
      ? "channelId" in place &&
        place.channelId === here.channelId &&
        (here.topic ?? place.topic) === place.topic
      : here?.kind === "direct" && "userIds" in place && place.userIds.join() === here.userIds.join();
  return (
    all.slice(all.findIndex(isHere) + 1).find((place) => !isHere(place)) ??
    all.find((place) => !isHere(place))
  )?.link;
}
