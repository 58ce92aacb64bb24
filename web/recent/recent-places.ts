/** The conversations of the messages that are known, the one with the newest message first. */
import { foldName } from "../../api/fold-name.ts";
import type { Message } from "../../client/model/messages.ts";
import { directLink, topicLink } from "../shared/routing/links.ts";
import { state } from "../shared/state/state.ts";

export type RecentFilter = "unread" | "participated" | "followed" | "direct";

export interface RecentPlace {
  key: string;
  to: Message["to"];
  link: string;
  newestId: number;
  /** UNIX seconds. */
  sentAt: number;
  /** The last one first. */
  senders: number[];
  unread: number;
  isOwn: boolean;
  isFollowed: boolean;
}

const MAX_SENDERS = 4;
const MAX_PLACES = 300;

/** Muted topics, and conversations with a muted person alone, are left out. */
export function listRecent(filters: ReadonlySet<RecentFilter>): RecentPlace[] {
  const { model } = state;
  const places = new Map<string, RecentPlace>();
  const newestFirst = [...model.messages.byId.values()].sort((a, b) => b.id - a.id);
  for (const message of newestFirst) {
    const { to, senderId } = message;
    if (isMuted(to)) continue;
    const key = to.kind === "channel" ? `${to.channelId} ${foldName(to.topic)}` : to.userIds.join();
    const place = places.get(key) ?? placeOf(key, message);
    places.set(key, place);
    if (place.senders.length < MAX_SENDERS && !place.senders.includes(senderId)) place.senders.push(senderId);
    place.isOwn ||= senderId === model.viewer.id;
  }
  return [...places.values()].filter((place) => isWanted(place, filters)).slice(0, MAX_PLACES);
}

function placeOf(key: string, { id, to, sentAt }: Message): RecentPlace {
  const { unreads, userTopics } = state.model;
  const isChannel = to.kind === "channel";
  return {
    ...{ key, to, newestId: id, sentAt, senders: [], isOwn: false },
    link: isChannel ? topicLink(to.channelId, to.topic) : directLink(to.userIds),
    unread: isChannel
      ? unreads.inTopic(to.channelId, to.topic).size
      : unreads.inConversation(to.userIds).size,
    isFollowed: isChannel && userTopics.policyOf(to.channelId, to.topic) === "followed",
  };
}

function isMuted(to: Message["to"]): boolean {
  const { userTopics, subscriptions, mutedUsers, viewer } = state.model;
  if (to.kind === "channel")
    return userTopics.isMuted(to.channelId, to.topic, subscriptions.isMuted(to.channelId));
  const others = to.userIds.filter((id) => id !== viewer.id);
  return others.length === 1 && others.every((id) => mutedUsers.has(id));
}

function isWanted(place: RecentPlace, filters: ReadonlySet<RecentFilter>): boolean {
  if (filters.has("unread") && place.unread === 0) return false;
  if (filters.has("participated") && !place.isOwn) return false;
  if (filters.has("followed") && !place.isFollowed) return false;
  return !filters.has("direct") || place.to.kind === "direct";
}
