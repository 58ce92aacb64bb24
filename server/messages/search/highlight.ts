import type { Queryable } from "../../platform/db/database.ts";
import { tokensInHtml } from "./html-tokens.ts";
import type { SearchTerm } from "./query.ts";
import { listStemmed, listStems } from "./store.ts";
import { MIN_PART, type Token } from "./tokens.ts";

/** Highlights the words of a search in texts. */
export class Highlighter {
  /** Words that must match a whole word. */
  readonly #whole: ReadonlySet<string>;
  /** Texts that may match inside a word or run. */
  readonly #parts: readonly string[];
  /** The words of each text. */
  readonly #words: ReadonlyMap<string, readonly Token[]>;

  private constructor(
    whole: ReadonlySet<string>,
    parts: readonly string[],
    words: ReadonlyMap<string, readonly Token[]>,
  ) {
    this.#whole = whole;
    this.#parts = parts;
    this.#words = words;
  }

  /**
   * Prepares a highlighter for these texts only: the database must find out in advance which of their words
   * share a stem with a search word.
   */
  static async prepare(
    tx: Queryable,
    terms: readonly SearchTerm[],
    htmls: readonly string[],
  ): Promise<Highlighter> {
    const words = terms.flatMap((term) => (term.kind === "word" ? [term.text] : []));
    const inSequences = terms.flatMap((term) => (term.kind === "sequence" ? term.words : []));
    const parts = [
      ...words.filter((word) => word.length >= MIN_PART),
      ...inSequences.filter(({ isRun }) => isRun).map(({ text }) => text),
    ];
    const exact = inSequences.filter(({ isRun }) => !isRun).map(({ text }) => text);
    const stems = words.length > 0 ? await listStems(tx, words) : [];
    const inTexts = new Map((terms.length > 0 ? htmls : []).map((html) => [html, tokensInHtml(html)]));
    const candidates = stems.length > 0 ? distinct(inTexts.values()) : [];
    const stemmed = candidates.length > 0 ? await listStemmed(tx, candidates, stems) : [];
    return new Highlighter(new Set([...words, ...exact, ...stemmed]), [...new Set(parts)], inTexts);
  }

  /** Returns one of the texts, with each match in a `span` of the class `highlight`. */
  highlight(html: string): string {
    let marked = "";
    let done = 0;
    for (const { start, end } of this.#words.get(html)?.flatMap((word) => this.#matchesIn(word)) ?? []) {
      marked += `${html.slice(done, start)}<span class="highlight">${html.slice(start, end)}</span>`;
      done = end;
    }
    return marked + html.slice(done);
  }

  #matchesIn(word: Token): { start: number; end: number }[] {
    if (this.#whole.has(word.text)) return [word];
    const found = this.#parts.filter((part) => word.text.includes(part));
    const [longest] = found.sort((a, b) => b.length - a.length);
    if (longest === undefined) return [];
    // If folding changed the length, the matching letters can't be located.
    if (word.end - word.start !== word.text.length) return [word];
    return placesOf(word.text, longest).map((at) => ({
      start: word.start + at,
      end: word.start + at + longest.length,
    }));
  }
}

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

function distinct(texts: Iterable<readonly Token[]>): string[] {
  const distinct = new Set<string>();
  for (const words of texts) for (const { text, isRun } of words) if (!isRun) distinct.add(text);
  return [...distinct];
}
