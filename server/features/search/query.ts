import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { listForms } from "./store.ts";
import { indexedForms, MIN_PART, type Token, tokensIn } from "./tokens.ts";

/** The terms of a search. A match must have all of them. */
export type SearchTerm =
  /** A word in any of its forms, or as a part of another word. */
  | { kind: "word"; text: string }
  /** Words in exactly this order, or a run of a script without spaces. */
  | { kind: "sequence"; words: readonly Pick<Token, "text" | "isRun">[] };

/** More words than anybody types. Longer pasted text is cut. */
const MAX_TERMS = 32;
const MAX_LENGTH = 2000;

/** Reads words, and phrases between quotation marks. */
export function parseSearch(text: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (const [, phrase, plain] of text.slice(0, MAX_LENGTH).matchAll(/"([^"]*)"|([^"]+)/g)) {
    if (phrase !== undefined) terms.push(...sequence(tokensIn(phrase)));
    else terms.push(...tokensIn(plain as string).flatMap(termOf));
  }
  return terms.slice(0, MAX_TERMS);
}

function sequence(words: readonly Token[]): SearchTerm[] {
  return words.length === 0 ? [] : [{ kind: "sequence", words }];
}

function termOf(word: Token): SearchTerm {
  return word.isRun ? { kind: "sequence", words: [word] } : { kind: "word", text: word.text };
}

/** The search as the text of a PostgreSQL `tsquery`; undefined when nothing can match. */
export async function queryFor(
  tx: Queryable,
  organizationId: OrganizationId,
  terms: readonly SearchTerm[],
): Promise<string | undefined> {
  if (terms.length === 0) return undefined;
  const words = [...new Set(terms.flatMap((term) => (term.kind === "word" ? [term.text] : [])))];
  const forms = new Map((await listForms(tx, organizationId, words, MIN_PART)).map((row) => [row.word, row]));
  return terms
    .map((term) => {
      if (term.kind === "sequence") return sequenceQuery(term.words);
      const { stems = [], longer = [] } = forms.get(term.text) ?? {};
      return [...new Set([term.text, ...stems, ...longer])].map(quote).join(" | ");
    })
    .map((query) => `(${query})`)
    .join(" & ");
}

function sequenceQuery(words: readonly Pick<Token, "text" | "isRun">[]): string {
  return words
    .flatMap((word, index) => {
      const forms = indexedForms(word);
      const isLast = index === words.length - 1;
      // In a message the run may go on, so its last character alone is left out. A run of a single character
      // matches the beginning of a pair.
      if (!word.isRun || !isLast) return forms.map(asWritten);
      return forms.length === 1 ? [`${quote(forms[0] as string)}:*A`] : forms.slice(0, -1).map(asWritten);
    })
    .join(" <-> ");
}

/** Matches the word as written, not a stem. */
function asWritten(form: string): string {
  return `${quote(form)}:A`;
}

/** Limits the query to messages that also have all of these filter terms. */
export function withFilterTerms(query: string, terms: readonly string[]): string {
  return [query, ...terms.map(quote)].join(" & ");
}

/** Quotes a lexeme for a `tsquery` or `tsvector`. */
export function quote(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, "$&$&")}'`;
}
