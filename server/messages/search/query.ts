import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { pairTerms } from "./pair-terms.ts";
import { listForms, MAX_LONGER } from "./store.ts";
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

/** A search with the forms of its words, as the texts of PostgreSQL's `tsquery`. */
export class WordQuery {
  readonly terms: readonly SearchTerm[];
  /** What a message's row must match. */
  readonly text: string;
  /** The same as queries that a row must all match. */
  readonly parts: readonly string[];
  /**
   * The same parts, with pairs of words in place of phrases. They are found faster, and match few other rows.
   * Only rows that have pairs can match.
   */
  readonly partsByPairs: readonly string[];
  /** Whether a row that `partsByPairs` find must still be compared with `text`. */
  readonly needsRecheck: boolean;
  readonly #forms: ReadonlyMap<string, WordForms>;

  constructor(terms: readonly SearchTerm[], forms: ReadonlyMap<string, WordForms>) {
    this.terms = terms;
    this.#forms = forms;
    this.parts = this.#write((words) => [sequenceQuery(words)]);
    this.text = this.parts.map((part) => `(${part})`).join(" & ");
    this.partsByPairs = this.#write((words) => pairQueries(words) ?? [sequenceQuery(words)]);
    this.needsRecheck = this.terms.some((term) => term.kind === "sequence" && hasPairs(term.words));
  }

  formsOf(word: string): WordForms {
    return this.#forms.get(word) ?? { stems: [], longer: [] };
  }

  /** The query as it will be once these words are in the vocabulary. */
  withVocabulary(words: Iterable<string>): WordQuery {
    const known = [...new Set(words)];
    const forms = new Map(this.#forms);
    let isOther = false;
    for (const [word, { stems, longer }] of forms) {
      const found = word.length < MIN_PART ? [] : known.filter((other) => other.includes(word));
      const all = [...new Set([...longer, ...found])].sort(byLength).slice(0, MAX_LONGER);
      if (all.every((other) => longer.includes(other))) continue;
      isOther = true;
      forms.set(word, { stems, longer: all });
    }
    return isOther ? new WordQuery(this.terms, forms) : this;
  }

  #write(sequence: (words: Sequence) => string[]): string[] {
    return this.terms.flatMap((term) => {
      if (term.kind === "sequence") return sequence(term.words);
      const { stems, longer } = this.formsOf(term.text);
      return [[...new Set([term.text, ...stems, ...longer])].map(quote).join(" | ")];
    });
  }
}

export interface WordForms {
  stems: readonly string[];
  /** Words that contain the word. */
  longer: readonly string[];
}

type Sequence = readonly Pick<Token, "text" | "isRun">[];

/** Undefined when nothing can match. */
export async function queryFor(
  tx: Queryable,
  organizationId: OrganizationId,
  terms: readonly SearchTerm[],
): Promise<WordQuery | undefined> {
  if (terms.length === 0) return undefined;
  const words = [...new Set(terms.flatMap((term) => (term.kind === "word" ? [term.text] : [])))];
  const rows = await listForms(tx, organizationId, words, MIN_PART);
  return new WordQuery(
    terms,
    new Map(rows.map(({ word, stems, longer }) => [word, { stems: stems ?? [], longer }])),
  );
}

/** The order is that of PostgreSQL for `length(word), word`. */
function byLength(a: string, b: string): number {
  return [...a].length - [...b].length || Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function sequenceQuery(words: Sequence): string {
  const { exact, beginning } = formsInOrder(words);
  const forms = exact.map(asWritten);
  return [...forms, ...(beginning === undefined ? [] : [`${quote(beginning)}:*A`])].join(" <-> ");
}

function pairQueries(words: Sequence): string[] | undefined {
  return hasPairs(words) ? pairTerms(formsInOrder(words).exact).map(quote) : undefined;
}

function hasPairs(words: Sequence): boolean {
  return formsInOrder(words).exact.length > 1;
}

/** The forms that follow each other in a message, and how the last one begins, if it is not known whole. */
function formsInOrder(words: Sequence): { exact: string[]; beginning: string | undefined } {
  const last = words.at(-1);
  const exact = words.flatMap(indexedForms);
  if (!last?.isRun) return { exact, beginning: undefined };
  // In a message the run may go on, so its last character alone is left out. A run of a single character
  // matches the beginning of a pair.
  const rest = exact.pop();
  return { exact, beginning: indexedForms(last).length === 1 ? rest : undefined };
}

/** Matches the word as written, not a stem. */
function asWritten(form: string): string {
  return `${quote(form)}:A`;
}

/** Quotes a lexeme for a `tsquery` or `tsvector`. */
export function quote(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, "$&$&")}'`;
}
