import { channelLink, directLink } from "../app/links.ts";
import { state } from "../app/state.ts";
import { t } from "../i18n/t.ts";
import type { IconName } from "../ui/icon.tsx";

const MAX_SHOWN = 12;

export interface SwitcherPlace {
  name: string;
  link: string;
  icon: IconName;
}

/**
 * Names that begin with the text come first, then names with a word that does. Accents and case don't matter.
 */
export function findPlaces(text: string): SwitcherPlace[] {
  const wanted = fold(text);
  const ranked = allPlaces().flatMap((place) => {
    const name = fold(place.name);
    const rank = name.startsWith(wanted)
      ? 0
      : name.includes(` ${wanted}`)
        ? 1
        : name.includes(wanted)
          ? 2
          : 3;
    return rank === 3 ? [] : [{ place, rank }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_SHOWN)
    .map(({ place }) => place);
}

function allPlaces(): SwitcherPlace[] {
  const { channels, subscriptions, users } = state.model;
  const views: SwitcherPlace[] = [
    { name: t("view.inbox"), link: "#inbox", icon: "inbox" },
    { name: t("view.feed"), link: "#feed", icon: "feed" },
  ];
  const ofChannels = [...channels.byId.values()]
    .filter(({ id, isArchived }) => subscriptions.isSubscribed(id) && !isArchived)
    .map(
      ({ id, name, isPrivate }): SwitcherPlace => ({
        name,
        link: channelLink(id),
        icon: isPrivate ? "lock" : "hash",
      }),
    );
  const ofPeople = [...users.byId.values()]
    .filter(({ isActive }) => isActive)
    .map(({ id, fullName }): SwitcherPlace => ({ name: fullName, link: directLink([id]), icon: "send" }));
  return [...views, ...ofChannels, ...ofPeople];
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
