/** The field for searches: what is typed in it, what that could mean, and what is done about it. */
import { createMemo, createSignal } from "solid-js";
import { conversationOf, type Narrow, type NarrowTerm } from "../../client/narrow.ts";
import { parseNarrowHash } from "../../client/narrow-hash.ts";
import { type Suggestion, suggest } from "../../client/search/suggest.ts";
import { linkTo } from "../shared/routing/links.ts";
import { go, route } from "../shared/routing/route.ts";
import { isSearch } from "../shared/routing/views.ts";
import { forgetSearches, keepSearch, recentSearches } from "../shared/search/recent-searches.ts";
import { searchText } from "../shared/search/search-language.ts";
import { state } from "../shared/state/state.ts";
import { createListbox } from "../ui/listbox.ts";
import { live } from "../ui/live.ts";
import { createTypedSearch } from "./typed-search.ts";

export type Option =
  /** Everything in the field. */
  | { kind: "run"; text: string }
  | { kind: "suggestion"; suggestion: Suggestion }
  | { kind: "recent"; hash: string; text: string }
  | { kind: "forget" };

const MAX_LOOKED_AT = 60;
const MAX_RECENT = 5;

interface FieldProps {
  /** The list can't be closed. */
  isAlwaysOpen: boolean;
  onDone(): void;
}

export function createFieldState({ isAlwaysOpen, onDone }: FieldProps) {
  const typed = createTypedSearch();
  const { terms, text } = typed;
  const [isOpen, setOpen] = createSignal(false);
  const [recent, setRecent] = createSignal(recentSearches(state.model.viewer.id));
  const topics = live("topics", () => ({}));

  const suggestions = createMemo(() => {
    topics();
    return suggest(text(), {
      model: state.model,
      place: place(),
      terms: terms(),
      recentSenders: senders(),
      topicsOf,
    });
  });
  const options = createMemo<Option[]>(() => {
    const proposed = suggestions().found.map((suggestion): Option => ({ kind: "suggestion", suggestion }));
    if (!typed.isEmpty()) return [{ kind: "run", text: searchText(typed.whole().narrow) }, ...proposed];
    const kept = recent().slice(0, MAX_RECENT).flatMap(recentOption);
    return [...kept, ...proposed, ...(kept.length > 0 ? [{ kind: "forget" } as const] : [])];
  });
  const isListOpen = () => isAlwaysOpen || isOpen();
  const list = createListbox({ items: options, isOpen: isListOpen, onChoose: choose });

  /** What is typed comes first, so Enter searches for it. */
  function reset(): void {
    list.setAt(typed.isEmpty() ? -1 : 0);
  }

  function run(): void {
    const { narrow, near } = typed.whole();
    if (narrow.length === 0 && near === undefined) return;
    const hash = linkTo(narrow, near);
    if (isSearch(narrow)) keepSearch(state.model.viewer.id, hash);
    leave();
    go(hash);
  }

  function choose(option: Option): void {
    if (option.kind === "run") run();
    else if (option.kind === "recent") {
      leave();
      go(option.hash);
    } else if (option.kind === "forget") {
      forgetSearches();
      setRecent([]);
      list.setAt(-1);
    } else accept(option.suggestion);
  }

  function accept(suggestion: Suggestion): void {
    const before = text().slice(0, suggestions().start);
    if (suggestion.kind === "operator") {
      typed.setText(`${before}${suggestion.isNegated ? "-" : ""}${suggestion.operator}:`);
    } else {
      typed.add(suggestion.terms);
      typed.setText(before);
    }
    reset();
    setOpen(true);
  }

  function leave(): void {
    setOpen(false);
    setRecent(recentSearches(state.model.viewer.id));
    onDone();
  }

  return {
    ...{ terms, text, list, isOpen, isListOpen, setOpen, run },
    show(narrow: Narrow) {
      typed.show(narrow);
      list.setAt(narrow.length === 0 ? -1 : 0);
    },
    type(text: string) {
      typed.type(text);
      reset();
      setOpen(true);
    },
    remove(term: NarrowTerm) {
      typed.remove(term);
      reset();
    },
  };
}

function recentOption(hash: string): Option[] {
  const narrow = parseNarrowHash(hash)?.narrow;
  return narrow ? [{ kind: "recent", hash, text: searchText(narrow) }] : [];
}

function place() {
  const current = route();
  return current.view === "messages" ? conversationOf(current.narrow) : undefined;
}

function senders(): number[] {
  const { messages, viewer } = state.model;
  const ids = state.windowInUse?.ids.slice(-MAX_LOOKED_AT).reverse() ?? [];
  const all = ids.flatMap((id) => messages.byId.get(id)?.senderId ?? []);
  return [...new Set(all)].filter((id) => id !== viewer.id);
}

function topicsOf(channelId: number): string[] {
  void state.topics.need(channelId);
  return state.topics.of(channelId).map(({ name }) => name);
}
