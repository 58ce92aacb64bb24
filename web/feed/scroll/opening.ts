/**
 * Where a view opens: where it was left, at the message in the address, the first unread, or at the end.
 */
import { conversationOf, type Narrow } from "../../../client/narrow.ts";
import { route, savedAnchor } from "../../shared/routing/route.ts";
import { isSearch } from "../../shared/routing/views.ts";
import { state } from "../../shared/state/state.ts";

export type Opening =
  | { kind: "restored"; id: number; offset: number }
  | { kind: "near" | "unread"; id: number }
  | { kind: "newest" }
  /** The list of unread messages is too short, so the server has to say. */
  | { kind: "ask" };

export function openingOf(narrow: Narrow): Opening {
  const saved = savedAnchor();
  if (saved) return { kind: "restored", ...saved };
  const current = route();
  const near = current.view === "messages" ? current.near : undefined;
  if (near !== undefined) return { kind: "near", id: near };
  // A search is about what was found, and not about what is new.
  if (isSearch(narrow)) return { kind: "newest" };
  const id = firstUnread(narrow);
  if (id !== undefined) return { kind: "unread", id };
  return { kind: state.model.unreads.isIncomplete ? "ask" : "newest" };
}

export function firstUnread(narrow: Narrow): number | undefined {
  let first = Infinity;
  for (const ids of unreadSets(narrow)) for (const id of ids) first = Math.min(first, id);
  return first === Infinity ? undefined : first;
}

export function countUnread(narrow: Narrow): number {
  if (isSearch(narrow)) return 0;
  let count = 0;
  for (const ids of unreadSets(narrow)) count += ids.size;
  return count;
}

function* unreadSets(narrow: Narrow): Iterable<ReadonlySet<number>> {
  const { unreads, userTopics, subscriptions } = state.model;
  const place = conversationOf(narrow);
  if (place?.kind === "direct") yield unreads.inConversation(place.userIds);
  else if (place?.topic !== undefined) yield unreads.inTopic(place.channelId, place.topic);
  else {
    for (const bucket of unreads.buckets.values()) {
      const isIn = !place || ("channelId" in bucket.place && bucket.place.channelId === place.channelId);
      const isMuted =
        "channelId" in bucket.place &&
        userTopics.isMuted(
          bucket.place.channelId,
          bucket.place.topic,
          !place && subscriptions.isMuted(bucket.place.channelId),
        );
      if (isIn && !isMuted) yield bucket.ids;
    }
  }
}
