/** The actions of one topic, as far as the viewer may do them. */
import { isResolvedTopic } from "../../../api/channels/topic-name.ts";
import { canResolve } from "../../../client/permissions.ts";
import { t } from "../../i18n/t.ts";
import type { IconName } from "../../ui/icon.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { openMenu } from "../../ui/menus.tsx";
import { beginTopic, mayBeginTopic } from "../channels/new-topic.ts";
import { isPhone } from "../page/screen.ts";
import { setPeopleOpen } from "../people/people-panel.ts";
import { state } from "../state/state.ts";
import { topicName } from "../text/names.ts";
import { canMove, openMoveDialog } from "./move.tsx";
import { copyTopicLink, markTopicRead, setPolicy, type TopicPlace, toggleResolved } from "./topic-actions.ts";

export function openTopicMenu(place: TopicPlace, anchor: Element, isOfHeader: boolean): void {
  const more = isOfHeader && isPhone() ? headerItems(place) : [];
  openMenu(t("topic.actions", { topic: topicName(place.topic) }), anchor, [...more, ...itemsOf(place)]);
}

/** On a phone, the header leaves these buttons out, so that the topic has their room. */
function headerItems({ channelId }: TopicPlace): MenuItem[] {
  const begin: MenuItem = { icon: "pencil", label: t("topic.new"), run: () => beginTopic(channelId) };
  const people: MenuItem = { icon: "people", label: t("people.open"), run: () => setPeopleOpen(true) };
  return mayBeginTopic(channelId) ? [begin, people] : [people];
}

function itemsOf(place: TopicPlace): MenuItem[] {
  const { model } = state;
  const isUnread = model.unreads.inTopic(place.channelId, place.topic).size > 0;
  const isResolved = isResolvedTopic(place.topic);
  const items: (MenuItem | false)[] = [
    isUnread && { icon: "check", label: t("topic.markRead"), run: () => markTopicRead(place) },
    ...visibilities(place),
    canResolve(model, place.channelId) &&
      place.topic !== "" && {
        ...{ icon: "resolved", label: t(isResolved ? "topic.reopen" : "topic.resolve") },
        run: () => void toggleResolved(place),
      },
    canMove(place) && { icon: "forward", label: t("topic.move"), run: () => openMoveDialog(place) },
    { icon: "copy", label: t("topic.copyLink"), run: () => void copyTopicLink(place) },
  ];
  return items.filter((item) => item !== false);
}

/** Only in a muted channel is there something to be unmuted from. */
function visibilities(place: TopicPlace): MenuItem[] {
  const { userTopics, subscriptions } = state.model;
  const { channelId, topic } = place;
  if (!subscriptions.isSubscribed(channelId)) return [];
  const chosen = userTopics.policyOf(channelId, topic) ?? "none";
  const all = ["muted", "none", "unmuted", "followed"] as const;
  const icons = { muted: "bellOff", none: "hash", unmuted: "bell", followed: "followed" } as const;
  return all
    .filter((policy) => policy !== "unmuted" || policy === chosen || subscriptions.isMuted(channelId))
    .map((policy) => ({
      ...{ icon: icons[policy] satisfies IconName, label: t(`topic.visibility.${policy}`) },
      ...(policy === "muted" && { shortcut: "Shift+M" }),
      ...{ isChosen: policy === chosen, run: () => void setPolicy(place, policy) },
    }));
}
