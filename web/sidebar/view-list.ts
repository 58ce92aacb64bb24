/**
 * The views above the conversations. The account keeps which of them are in the list, and views of its own.
 * It can't keep their order, so this browser does.
 */
import { builtInViews } from "../../api/personal/navigation-views.ts";
import { keyOfNarrow } from "../../client/narrow.ts";
import { parseNarrowHash } from "../../client/narrow-hash.ts";
import { isEnglish, t } from "../i18n/t.ts";
import type { TextKey } from "../i18n/texts.ts";
import { isPhone } from "../shared/page/screen.ts";
import { route } from "../shared/routing/route.ts";
import {
  feedView,
  mentionsView,
  plainSearchName,
  reactionsView,
  starredView,
} from "../shared/routing/views.ts";
import { keptChoice, readTexts } from "../shared/state/kept.ts";
import { state } from "../shared/state/state.ts";
import type { IconName } from "../ui/icon.tsx";

export interface ListedView {
  /** The address without its `#`, which is what the API knows a view by. */
  fragment: string;
  name: string;
  icon: IconName;
  isPinned: boolean;
  isBuiltIn: boolean;
  /** In the list while it has something to show; the person has no choice. */
  isAutomatic?: boolean;
}

interface BuiltIn {
  fragment: string;
  name: TextKey;
  icon: IconName;
  /** Not in the list unless the person puts it there. */
  isHidden?: boolean;
}

const ofNarrow = ({ hash, name, icon }: typeof feedView) => ({ fragment: hash.slice(1), name, icon });

const builtIn: readonly BuiltIn[] = [
  { fragment: "inbox", name: "view.inbox", icon: "inbox" },
  { fragment: "recent", name: "view.recent", icon: "clock" },
  ofNarrow(feedView),
  ofNarrow(mentionsView),
  ofNarrow(starredView),
  { ...ofNarrow(reactionsView), isHidden: true },
  { fragment: "drafts", name: "view.drafts", icon: "pencil" },
];

/** The API knows no choice for these. */
const automatic = [
  { fragment: "scheduled", name: "view.scheduled", icon: "send", subject: "scheduledMessages" },
  { fragment: "reminders", name: "view.reminders", icon: "bell", subject: "reminders" },
] as const;

export function countAutomatic(fragment: string): number | undefined {
  const subject = automatic.find((view) => view.fragment === fragment)?.subject;
  return subject && state.model[subject].byId.size;
}

let order: ReturnType<typeof keptChoice<readonly string[]>> | undefined;
export const keptOrder = () => {
  order ??= keptChoice("views", readTexts);
  return order;
};

/** In the person's order; those that were never moved stand as they come, at the end. */
export function listViews(): ListedView[] {
  const stored = state.model.navigationViews.byFragment;
  const own = [...stored.values()].filter(({ fragment }) => !builtInViews.includes(fragment));
  const all: ListedView[] = [
    ...builtIn.map(({ fragment, name, icon, isHidden }) => ({
      ...{ fragment, name: t(name), icon, isBuiltIn: true },
      isPinned: stored.get(fragment)?.isPinned ?? isHidden !== true,
    })),
    ...automatic.map(({ fragment, name, icon }) => ({
      ...{ fragment, name: t(name), icon, isBuiltIn: true, isAutomatic: true },
      isPinned: (countAutomatic(fragment) ?? 0) > 0,
    })),
    ...own.map(
      ({ fragment, name = fragment, isPinned }): ListedView => ({
        ...{ fragment, name: ownName(fragment, name), isPinned, icon: "bookmark", isBuiltIn: false },
      }),
    ),
  ];
  const kept = keptOrder().value();
  const placeOf = ({ fragment }: ListedView) => {
    const at = kept.indexOf(fragment);
    return at < 0 ? kept.length : at;
  };
  return all.sort((a, b) => placeOf(a) - placeOf(b));
}

/** A view that was kept under the English name of its search is called as the reader's language has it. */
function ownName(fragment: string, name: string): string {
  const key = plainSearchName(parseNarrowHash(fragment)?.narrow ?? []);
  return key && isEnglish(key, name) ? t(key) : name;
}

/** Whether the address shows the view. Without an address, the inbox is shown. */
export function isShown({ fragment }: ListedView): boolean {
  const current = route();
  if (current.view !== "messages")
    return fragment === (current.view === "home" && !isPhone() ? "inbox" : String(current.view));
  const narrow = fragment === "feed" ? [] : parseNarrowHash(fragment)?.narrow;
  return narrow !== undefined && keyOfNarrow(narrow) === keyOfNarrow(current.narrow);
}
