/** What the switcher finds: conversations, channels, people, views and commands. Collected when it opens. */

import { foldName } from "../../api/fold-name.ts";
import { createJump, type Jump } from "../../client/autocomplete/jump.ts";
import type { Message } from "../../client/model/messages.ts";
import { parseSearch } from "../../client/search/grammar.ts";
import { namesOf } from "../../client/search/names.ts";
import { t } from "../i18n/t.ts";
import { channelIcon } from "../shared/channels/channel-icon.ts";
import { openBox } from "../shared/compose/compose-target.ts";
import { signOut } from "../shared/page/sign-out.ts";
import { openStatus } from "../shared/people/open-status.tsx";
import { chooseTheme } from "../shared/preferences/choose-theme.ts";
import { channelLink, directLink, linkTo, topicLink } from "../shared/routing/links.ts";
import { go } from "../shared/routing/route.ts";
import { views } from "../shared/routing/views.ts";
import { visitsByLink } from "../shared/routing/visits.ts";
import { state } from "../shared/state/state.ts";
import { channelName, peopleNames, topicName } from "../shared/text/names.ts";
import type { IconName } from "../ui/icon.tsx";
import type { PickedPlace } from "../ui/place-picker.tsx";

const MAX_SHOWN = 12;
/** The newest messages, whose conversations come first. */
const MAX_LOOKED_AT = 500;
/** Behind what was used lately. */
const ORDER = { view: 1000, channel: 1001, person: 1002, topic: 1003, command: 1004, further: 1005 };

/**
 * Gives what finds places. The last one searches messages for the text. Without a text, the place on the
 * screen is left out: nobody wants to go there.
 */
export function createPlaces(openHelp: () => void): (text: string) => PickedPlace[] {
  const here = location.hash;
  const find = createJump(withVisits(allPlaces(openHelp)), MAX_SHOWN);
  return (text) => {
    const words = text.trim();
    if (words === "") return find("").filter(({ link }) => link !== here);
    return [...find(words), searchFor(words)];
  };
}

function* withVisits(all: Iterable<Jump<PickedPlace>>): Iterable<Jump<PickedPlace>> {
  const visits = visitsByLink(Date.now());
  for (const one of all) yield { ...one, visits: visits.get(one.item.link ?? "") ?? 0 };
}

function searchFor(text: string): PickedPlace {
  const { narrow, near } = parseSearch(text, namesOf(state.model));
  const link = linkTo(narrow, near);
  return { name: t("switcher.search", { text }), link, icon: "search" };
}

function* allPlaces(openHelp: () => void): Iterable<Jump<PickedPlace>> {
  const recent = recentOrder();
  yield* conversations(recent);
  yield* channels();
  yield* people(recent);
  yield* fixedViews();
  yield* commands(openHelp);
}

/** When each conversation was written in, by its link: 0 is the newest. */
function recentOrder(): Map<string, { order: number; to: Message["to"] }> {
  const recent = new Map<string, { order: number; to: Message["to"] }>();
  const { messages } = state.model;
  for (const id of [...messages.byId.keys()].sort((a, b) => b - a).slice(0, MAX_LOOKED_AT)) {
    const to = messages.byId.get(id)?.to;
    if (!to) continue;
    const key = to.kind === "channel" ? topicKeyOf(to.channelId, to.topic) : directLink(to.userIds);
    if (!recent.has(key)) recent.set(key, { order: recent.size, to });
  }
  return recent;
}

const topicKeyOf = (channelId: number, topic: string) => `${channelId} ${foldName(topic)}`;

/** The topics that are known, and conversations of several people. */
function* conversations(recent: ReturnType<typeof recentOrder>): Iterable<Jump<PickedPlace>> {
  const { channels: all, subscriptions, conversations: direct, mutedUsers } = state.model;
  const seen = new Set<string>();
  const topic = (channelId: number, name: string, order: number): Jump<PickedPlace> => ({
    item: {
      ...{ name: topicName(name), detail: `#${channelName(channelId)}`, icon: "topic" },
      link: topicLink(channelId, name),
    },
    ...{ name: topicName(name), context: channelName(channelId), order, kind: "topic" },
  });
  for (const [key, { order, to }] of recent) {
    if (to.kind !== "channel" || !all.get(to.channelId)) continue;
    seen.add(key);
    yield topic(to.channelId, to.topic, order);
  }
  for (const { id } of all.byId.values()) {
    if (!subscriptions.isSubscribed(id)) continue;
    for (const { name } of state.topics.of(id)) {
      if (!seen.has(topicKeyOf(id, name))) yield topic(id, name, ORDER.topic);
    }
  }
  for (const { userIds } of direct.newestFirst()) {
    if (userIds.length < 2 || userIds.every((id) => mutedUsers.has(id))) continue;
    const name = peopleNames(userIds);
    const order = recent.get(directLink(userIds))?.order ?? ORDER.topic;
    yield { item: { name, link: directLink(userIds), icon: "people" }, name, order, kind: "person" };
  }
}

/** Those that can be seen; subscribed ones first. */
function* channels(): Iterable<Jump<PickedPlace>> {
  for (const channel of state.model.channels.byId.values()) {
    const { id, name, isArchived } = channel;
    if (isArchived) continue;
    const order = state.model.subscriptions.isSubscribed(id) ? ORDER.channel : ORDER.further;
    const icon: IconName = channelIcon(channel);
    const item = { name, link: channelLink(id), icon, detail: t("switcher.channel") };
    yield { item, name, order, kind: "channel" };
  }
}

function* people(recent: ReturnType<typeof recentOrder>): Iterable<Jump<PickedPlace>> {
  const details = { person: t("switcher.person"), bot: t("switcher.bot") };
  for (const { id, fullName, isActive, isBot } of state.model.users.byId.values()) {
    if (!isActive || state.model.mutedUsers.has(id)) continue;
    const link = directLink([id]);
    const order = recent.get(link)?.order ?? (isBot ? ORDER.further : ORDER.person);
    const item = {
      name: fullName,
      link,
      icon: "user",
      detail: isBot ? details.bot : details.person,
    } as const;
    yield { item, name: fullName, order, kind: "person" };
  }
}

function* fixedViews(): Iterable<Jump<PickedPlace>> {
  const all: { name: string; link: string; icon: IconName }[] = [
    { name: t("view.inbox"), link: "#inbox", icon: "inbox" },
    { name: t("view.recent"), link: "#recent", icon: "clock" },
    { name: t("view.drafts"), link: "#drafts", icon: "pencil" },
    { name: t("view.scheduled"), link: "#scheduled", icon: "send" },
    { name: t("view.reminders"), link: "#reminders", icon: "bell" },
    ...views.map(({ name, hash, icon }) => ({ name: t(name), link: hash, icon })),
  ];
  for (const { fragment, name } of state.model.navigationViews.byFragment.values()) {
    if (name !== undefined) all.push({ name, link: `#${fragment}`, icon: "bookmark" });
  }
  const places: { name: string; link: string; icon: IconName }[] = [
    { name: t("menu.settings"), link: "#settings", icon: "settings" },
    { name: t("menu.organization"), link: "#organization", icon: "building" },
    { name: t("menu.channels"), link: "#channels", icon: "hash" },
    { name: t("menu.groups"), link: "#groups", icon: "group" },
  ];
  for (const item of [...all, ...places]) {
    const { name } = item;
    yield { item: { ...item, detail: t("switcher.view") }, name, order: ORDER.view, kind: "view" };
  }
}

function* commands(openHelp: () => void): Iterable<Jump<PickedPlace>> {
  const all: { name: string; icon: IconName; run(): void }[] = [
    { name: t("switcher.compose"), icon: "pencil", run: () => openBox("choosing") },
    { name: t("key.composeDirect"), icon: "send", run: () => openBox({ kind: "direct", userIds: [] }) },
    { name: t("browse.title"), icon: "hash", run: () => go("#channels/all") },
    { name: t("status.title"), icon: "smile", run: openStatus },
    { name: t("command.light"), icon: "sun", run: () => void chooseTheme("light") },
    { name: t("command.dark"), icon: "moon", run: () => void chooseTheme("dark") },
    { name: t("command.system"), icon: "system", run: () => void chooseTheme("system") },
    { name: t("header.help"), icon: "keyboard", run: openHelp },
    { name: t("menu.signOut"), icon: "signOut", run: () => void signOut() },
  ];
  for (const item of all) {
    const { name } = item;
    yield { item: { ...item, detail: t("switcher.command") }, name, order: ORDER.command, kind: "command" };
  }
}
