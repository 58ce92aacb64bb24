/** The conversations of the messages that are known, the one with the newest message first. */
import { foldName } from "../../api/fold-name.ts";
import { fold } from "../../client/autocomplete/fold.ts";
import type { Message } from "../../client/model/messages.ts";
import { compareTexts } from "../i18n/intl.ts";
import { language } from "../i18n/t.ts";
import { directLink, topicLink } from "../shared/routing/links.ts";
import { state } from "../shared/state/state.ts";
import { channelName, nameInGroup, peopleNames, topicName } from "../shared/text/names.ts";

export type RecentFilter = "unread" | "participated" | "followed" | "direct" | "muted";

export type RecentOrder = "name" | "time" | "unread";

export interface RecentChoice {
  /** All of them must hold; `muted` adds those that are muted. */
  filters: ReadonlySet<RecentFilter>;
  /** A part of a name. */
  text: string;
  /** Only channels of this folder; 0: all conversations. */
  folderId: number;
  order: RecentOrder;
  /** The other way round: the last name, the oldest message, the fewest unread ones first. */
  isReversed: boolean;
}

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
  hasMention: boolean;
  isMuted: boolean;
  isOwn: boolean;
  isFollowed: boolean;
}

const MAX_SENDERS = 4;
const MAX_PLACES = 300;

/** Conversations with a muted person alone are left out, and muted topics unless they are asked for. */
export function listRecent(choice: RecentChoice): RecentPlace[] {
  const { model } = state;
  const places = new Map<string, RecentPlace>();
  const newestFirst = [...model.messages.byId.values()].sort((a, b) => b.id - a.id);
  for (const message of newestFirst) {
    const { to, senderId } = message;
    if (isOfMutedPerson(to)) continue;
    const key = to.kind === "channel" ? `${to.channelId} ${foldName(to.topic)}` : to.userIds.join();
    const place = places.get(key) ?? placeOf(key, message);
    places.set(key, place);
    if (place.senders.length < MAX_SENDERS && !place.senders.includes(senderId)) place.senders.push(senderId);
    place.isOwn ||= senderId === model.viewer.id;
  }
  const wanted = fold(choice.text.trim());
  const found = [...places.values()]
    .filter((place) => isWanted(place, choice) && (wanted === "" || fold(searchText(place)).includes(wanted)))
    .sort(orders[choice.order])
    .slice(0, MAX_PLACES);
  return choice.isReversed ? found.reverse() : found;
}

function placeOf(key: string, { id, to, sentAt }: Message): RecentPlace {
  const { unreads, userTopics, subscriptions } = state.model;
  const isChannel = to.kind === "channel";
  const ids = isChannel ? unreads.inTopic(to.channelId, to.topic) : unreads.inConversation(to.userIds);
  return {
    ...{ key, to, newestId: id, sentAt, senders: [], isOwn: false, unread: ids.size },
    hasMention: [...ids].some((each) => unreads.mentions.has(each)),
    isMuted: isChannel && userTopics.isMuted(to.channelId, to.topic, subscriptions.isMuted(to.channelId)),
    link: isChannel ? topicLink(to.channelId, to.topic) : directLink(to.userIds),
    isFollowed: isChannel && userTopics.policyOf(to.channelId, to.topic) === "followed",
  };
}

function isOfMutedPerson(to: Message["to"]): boolean {
  if (to.kind === "channel") return false;
  const { mutedUsers, viewer } = state.model;
  const others = to.userIds.filter((id) => id !== viewer.id);
  return others.length === 1 && others.every((id) => mutedUsers.has(id));
}

function isWanted(place: RecentPlace, { filters, folderId }: RecentChoice): boolean {
  const { to } = place;
  if (place.isMuted && !filters.has("muted")) return false;
  if (filters.has("unread") && place.unread === 0) return false;
  if (filters.has("participated") && !place.isOwn) return false;
  if (filters.has("followed") && !place.isFollowed) return false;
  if (filters.has("direct") && to.kind !== "direct") return false;
  // A folder that is gone can't be chosen any more, and hides nothing.
  const folder = state.model.folders.byId.get(folderId);
  if (!folder || folder.isArchived) return true;
  return to.kind === "channel" && state.model.channels.get(to.channelId)?.folderId === folderId;
}

/** As a person would call it. */
export function recentName(to: Message["to"]): string {
  return to.kind === "channel" ? topicName(to.topic) : peopleNames(to.userIds);
}

function searchText({ to, senders }: RecentPlace): string {
  const channel = to.kind === "channel" ? `#${channelName(to.channelId)}` : "";
  return [channel, recentName(to), ...senders.map(nameInGroup)].join(" ");
}

const orders: Record<RecentOrder, (a: RecentPlace, b: RecentPlace) => number> = {
  name: (a, b) => compareTexts(recentName(a.to), recentName(b.to), language()) || b.newestId - a.newestId,
  time: (a, b) => b.newestId - a.newestId,
  unread: (a, b) => b.unread - a.unread || b.newestId - a.newestId,
};
