/** What is in the field for searches: terms that are finished, and the text that is being typed. */
import { createSignal } from "solid-js";
import type { Narrow, NarrowTerm } from "../../client/narrow.ts";
import { formatTerm, parseSearch, termOf } from "../../client/search/grammar.ts";
import { namesOf } from "../../client/search/names.ts";
import { searchTokens } from "../../client/search/tokens.ts";
import { state } from "../shared/state/state.ts";

export function createTypedSearch() {
  const names = () => namesOf(state.model);
  const [terms, setTerms] = createSignal<Narrow>([]);
  const [text, setText] = createSignal("");

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

  return {
    terms,
    text,
    setText,
    isEmpty: () => text().trim() === "" && terms().length === 0,
    add: (more: Narrow) => setTerms([...terms(), ...more]),
    remove: (term: NarrowTerm) => setTerms(terms().filter((one) => one !== term)),

    /** Replaces what is in the field. One text to look for is text again. */
    show(narrow: Narrow): void {
      const words = narrow.filter(({ operator, negated }) => operator === "search" && !negated);
      const [only] = words;
      const typed = only && words.length === 1 ? formatTerm(only, names()) : "";
      const isPlain = only !== undefined && typed !== "" && isOnly(parseSearch(typed, names()).narrow, only);
      setTerms(isPlain ? narrow.filter((term) => term !== only) : narrow);
      setText(isPlain ? typed : "");
    },

    type(typed: string): void {
      const { finished, rest } = takeFinished(typed);
      if (finished.length > 0) setTerms([...terms(), ...finished]);
      setText(rest);
    },

    /** Everything in the field, as a narrow and the message near which it opens. */
    whole(): { narrow: Narrow; near: number | undefined } {
      const typed = parseSearch(text(), names());
      const near = terms().find(({ operator }) => operator === "near")?.operand;
      const chosen = terms().filter(({ operator }) => operator !== "near");
      return {
        narrow: [...chosen, ...typed.narrow],
        near: typed.near ?? (near === undefined ? undefined : Number(near)),
      };
    },
  };
}

function isOnly(narrow: Narrow, { operand }: NarrowTerm): boolean {
  return narrow.length === 1 && narrow[0]?.operator === "search" && narrow[0].operand === operand;
}
