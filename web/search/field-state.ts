/** What is in the field for searches: chosen terms, the text that is being typed, and what it could mean. */
import { createMemo, createSignal } from "solid-js";
import { conversationOf, type Narrow, type NarrowTerm } from "../../client/narrow.ts";
import { parseNarrowHash } from "../../client/narrow-hash.ts";
import { formatTerm, parseSearch, termOf } from "../../client/search/grammar.ts";
import { namesOf } from "../../client/search/names.ts";
import { type Suggestion, suggest } from "../../client/search/suggest.ts";
import { searchTokens } from "../../client/search/tokens.ts";
import { linkTo } from "../shared/routing/links.ts";
import { go, route } from "../shared/routing/route.ts";
import { isSearch } from "../shared/routing/views.ts";
import { forgetSearches, keepSearch, recentSearches } from "../shared/search/recent-searches.ts";
import { searchText } from "../shared/search/search-language.ts";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";

export type Option =
  /** Everything in the field. */
  | { kind: "run"; text: string }
  | { kind: "suggestion"; suggestion: Suggestion }
  | { kind: "recent"; hash: string; text: string }
  | { kind: "forget" };

const MAX_LOOKED_AT = 60;
const MAX_RECENT = 5;

export function createFieldState(onDone: () => void) {
  const names = () => namesOf(state.model);
  const [terms, setTerms] = createSignal<Narrow>([]);
  const [text, setText] = createSignal("");
  /** The active option; -1 before one is chosen. */
  const [at, setAt] = createSignal(-1);
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
    const isEmpty = text().trim() === "" && terms().length === 0;
    const proposed = suggestions().found.map((suggestion): Option => ({ kind: "suggestion", suggestion }));
    if (!isEmpty) return [{ kind: "run", text: searchText(whole().narrow) }, ...proposed];
    const kept = recent().slice(0, MAX_RECENT).flatMap(recentOption);
    return [...kept, ...proposed, ...(kept.length > 0 ? [{ kind: "forget" } as const] : [])];
  });

  /** Replaces what is in the field. One text to look for is text again. */
  function show(narrow: Narrow): void {
    const words = narrow.filter(({ operator, negated }) => operator === "search" && !negated);
    const [only] = words;
    const typed = only && words.length === 1 ? formatTerm(only, names()) : "";
    const isPlain = only !== undefined && typed !== "" && isOnly(parseSearch(typed, names()).narrow, only);
    setTerms(isPlain ? narrow.filter((term) => term !== only) : narrow);
    setText(isPlain ? typed : "");
    setAt(narrow.length === 0 ? -1 : 0);
  }

  function type(typed: string): void {
    const { finished, rest } = takeFinished(typed);
    if (finished.length > 0) setTerms([...terms(), ...finished]);
    setText(rest);
    reset();
    setOpen(true);
  }

  /** Terms whose value can't go on are taken out of the text as soon as a space follows. */
  function takeFinished(typed: string): { finished: NarrowTerm[]; rest: string } {
    const finished: NarrowTerm[] = [];
    let rest = typed;
    for (const token of searchTokens(typed).reverse()) {
      const { operator, isQuoted, start, end } = token;
      const isWhole = isQuoted || operator?.kind === "choice" || operator?.kind === "id";
      const term = isWhole && end < typed.length ? termOf(token, names()) : undefined;
      const isKnown = operator?.kind !== "choice" || operator.values?.includes(String(term?.operand));
      if (!term || !isKnown) continue;
      finished.unshift(term);
      rest = rest.slice(0, start) + rest.slice(end).trimStart();
    }
    return { finished, rest };
  }

  function whole(): { narrow: Narrow; near: number | undefined } {
    const typed = parseSearch(text(), names());
    const near = terms().find(({ operator }) => operator === "near")?.operand;
    const chosen = terms().filter(({ operator }) => operator !== "near");
    return {
      narrow: [...chosen, ...typed.narrow],
      near: typed.near ?? (near === undefined ? undefined : Number(near)),
    };
  }

  function run(): void {
    const { narrow, near } = whole();
    if (narrow.length === 0 && near === undefined) return;
    const hash = linkTo(narrow, near);
    if (isSearch(narrow)) keepSearch(state.model.viewer.id, hash);
    leave();
    go(hash);
  }

  /** Whether the field is done with. */
  function choose(option: Option | undefined): boolean {
    if (!option || option.kind === "run") run();
    else if (option.kind === "recent") {
      leave();
      go(option.hash);
    } else if (option.kind === "forget") {
      forgetSearches();
      setRecent([]);
      setAt(-1);
      return false;
    } else {
      accept(option.suggestion);
      return false;
    }
    return true;
  }

  function accept(suggestion: Suggestion): void {
    const before = text().slice(0, suggestions().start);
    if (suggestion.kind === "operator") {
      setText(`${before}${suggestion.isNegated ? "-" : ""}${suggestion.operator}:`);
    } else {
      setTerms([...terms(), ...suggestion.terms]);
      setText(before);
    }
    reset();
    setOpen(true);
  }

  function leave(): void {
    setOpen(false);
    setRecent(recentSearches(state.model.viewer.id));
    onDone();
  }

  /** What is typed comes first, so Enter searches for it. */
  function reset(): void {
    setAt(text().trim() === "" && terms().length === 0 ? -1 : 0);
  }

  return {
    ...{ terms, text, at, setAt, isOpen, setOpen, options, show, type, choose, run },
    remove(term: NarrowTerm) {
      setTerms(terms().filter((one) => one !== term));
      reset();
    },
  };
}

function isOnly(narrow: Narrow, { operand }: NarrowTerm): boolean {
  return narrow.length === 1 && narrow[0]?.operator === "search" && narrow[0].operand === operand;
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
