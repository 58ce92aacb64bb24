/** The views that are no conversation: their narrows, their names and their signs. */
import { conversationOf, keyOfNarrow, type Narrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { t } from "../../i18n/t.ts";
import type { TextKey } from "../../i18n/texts.ts";
import type { IconName } from "../../ui/icon.tsx";
import { homeView } from "../preferences/preferences.ts";
import { searchText } from "../search/search-language.ts";

interface View {
  narrow: Narrow;
  hash: string;
  name: TextKey;
  icon: IconName;
}

function view(name: TextKey, icon: IconName, narrow: Narrow): View {
  return { name, icon, narrow, hash: hashOfNarrow({ narrow }) };
}

export const feedView = view("view.feed", "feed", []);
export const mentionsView = view("view.mentions", "at", [{ operator: "is", operand: "mentioned" }]);
export const starredView = view("view.starred", "star", [{ operator: "is", operand: "starred" }]);
export const directView = view("view.direct", "direct", [{ operator: "is", operand: "dm" }]);
export const reactionsView = view("view.reactions", "smile", [
  { operator: "has", operand: "reaction" },
  { operator: "sender", operand: "me" },
]);

export const views: readonly View[] = [feedView, mentionsView, starredView, directView, reactionsView];

/** The address of the view in which the account starts, and to which Escape leads. */
export function homeHash(): string {
  const wanted = homeView();
  return wanted === "recent_topics" ? "#recent" : wanted === "all_messages" ? feedView.hash : "#inbox";
}

function findView(narrow: Narrow): View | undefined {
  const key = keyOfNarrow(narrow);
  return views.find((one) => keyOfNarrow(one.narrow) === key);
}

/** A narrow that is neither a conversation nor one of the views is the result of a search. */
export function isSearch(narrow: Narrow): boolean {
  return conversationOf(narrow) === undefined && findView(narrow) === undefined;
}

const searchNames: Readonly<Record<string, TextKey>> = {
  unread: "search.unread",
  followed: "search.followed",
  resolved: "search.resolved",
  alerted: "search.alerted",
};

/** The name of a search by one flag. */
export function plainSearchName([first, ...more]: Narrow): TextKey | undefined {
  const isPlain = first?.operator === "is" && !first.negated && more.length === 0;
  return isPlain ? searchNames[String(first.operand)] : undefined;
}

/** The name of a narrow that is no conversation. */
export function viewName(narrow: Narrow): string {
  const known = findView(narrow);
  const name = plainSearchName(narrow);
  if (name) return t(name);
  return known ? t(known.name) : t("search.title", { text: searchText(narrow) });
}
