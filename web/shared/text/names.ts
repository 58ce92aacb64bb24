/** What people and places are called on the screen. */
import { UNKNOWN_USER_NAME } from "../../../api/people/unknown-user.ts";
import type { Conversation } from "../../../client/narrow.ts";
import { joinTexts } from "../../i18n/intl.ts";
import { language, t } from "../../i18n/t.ts";
import { state } from "../state/state.ts";

/** In lists of several people; muted ones are not named there. */
export function nameInGroup(userId: number): string {
  return state.model.mutedUsers.has(userId) ? t("muted.person") : nameOf(userId);
}

export function nameOf(userId: number): string {
  const name = state.model.users.get(userId)?.fullName;
  return name === undefined || name === UNKNOWN_USER_NAME ? t("feed.unknownUser") : name;
}

export function channelName(channelId: number): string {
  return state.model.channels.get(channelId)?.name ?? t("channel.unknown");
}

/** The topic without a name has one on the screen. */
export function topicName(topic: string): string {
  return topic === "" ? t("topic.general") : topic;
}

/** Without the viewer, unless nobody else is there. */
export function peopleNames(userIds: readonly number[]): string {
  const others = userIds.filter((id) => id !== state.model.viewer.id);
  if (others.length === 0) return t("feed.self");
  return joinTexts(others.map(nameInGroup), language(), "narrow");
}

/** In one line: for titles and labels. */
export function placeName(place: Conversation): string {
  if (place.kind === "direct") {
    return place.userIds.length === 0 ? t("compose.somebody") : peopleNames(place.userIds);
  }
  if (place.channelId === 0) return t("compose.someChannel");
  const channel = `#${channelName(place.channelId)}`;
  return place.topic === undefined ? channel : `${channel} › ${topicName(place.topic)}`;
}
