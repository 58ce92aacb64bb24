/** Finds words in messages themselves, for those that the index does not have. The index's rules decide. */
import type { MessageId, OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { WordQuery } from "./query.ts";
import { type IndexedMessage, listMatching, listMessages } from "./store.ts";
import { indexedForms, isFoundByPart, type Token } from "./tokens.ts";
import { tokensOf } from "./write-words.ts";

/** A search for words, or for messages without them. */
export interface SearchedWords {
  query: WordQuery;
  isNegated: boolean;
}

/** Those of these messages that match all of the searches. They should be few, and not long. */
export async function listHolding(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly number[],
  searched: readonly SearchedWords[],
): Promise<MessageId[]> {
  if (ids.length === 0) return [];
  const messages = (await listMessages(tx, organizationId, ids)).map(split);
  const vocabulary = new Set(
    messages.flatMap(({ words }) => words.filter(isFoundByPart).map(({ text }) => text)),
  );
  let holding = messages.map(({ id, text }) => ({ id, text }));
  for (const { query, isNegated } of searched) {
    const found = new Set(await listMatching(tx, holding, query.withVocabulary(vocabulary).text));
    holding = holding.filter(({ id }) => found.has(id) !== isNegated);
  }
  return holding.map(({ id }) => id);
}

function split(message: IndexedMessage): { id: MessageId; words: Token[]; text: string } {
  const words = tokensOf(message);
  return { id: message.id, words, text: words.flatMap(indexedForms).join(" ") };
}

/**
 * Texts that a message without accents must contain in its HTML or its topic, in lower case, to match. They
 * leave out most messages without splitting them into words.
 */
export function necessaryTexts(searched: readonly SearchedWords[]): string[] {
  return searched.flatMap(({ query, isNegated }) =>
    isNegated ? [] : query.terms.flatMap((term) => textsOf(query, term)),
  );
}

function textsOf(query: WordQuery, term: WordQuery["terms"][number]): string[] {
  if (term.kind === "sequence") return term.words.map(({ text }) => text);
  const [stem = term.text] = query.formsOf(term.text).stems;
  // A stem is the beginning of its word, apart from its last two letters: "dying" has the stem "die".
  const kept = stem.slice(0, Math.max(1, stem.length - 2));
  return term.text.startsWith(kept) ? [kept] : [term.text.slice(0, 1)];
}
