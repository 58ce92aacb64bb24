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
  return all.sort((a, b) => compareTexts(groupOf(a), groupOf(b), language()) || b.newestId - a.newestId);
}

function groupOf({ place }: UnreadConversation): string {
  return "channelId" in place ? `1${channelName(place.channelId)}` : "0";
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
