import type { Transaction } from "../../platform/db/database.ts";
import type { Cursor } from "./cursor-store.ts";
import { idRangeTerms } from "./filter-terms.ts";
import { quote } from "./query.ts";
import { deleteVocabulary, findNewestWith, listVocabulary, updateWitness } from "./store.ts";

const WORDS_AT_ONCE = 200;

/**
 * Looks through the next words of an organization's vocabulary, and deletes those that no message has any
 * more. Each word names a message that had it. The index is asked only if that message has lost the word.
 */
export async function pruneNext(
  tx: Transaction,
  { organizationId, prunedTo, prunesAgain, head }: Cursor,
): Promise<Pick<Cursor, "prunedTo" | "prunesAgain">> {
  const words = await listVocabulary(tx, organizationId, prunedTo ?? "", WORDS_AT_ONCE);
  const terms = idRangeTerms(organizationId, { first: 0, last: head, order: "desc" }).map(({ term }) => term);
  const gone: string[] = [];
  for (const { word, isWitnessed } of words) {
    if (isWitnessed) continue;
    const id = await findNewestWith(tx, organizationId, quote(word), terms.map(quote));
    if (id === undefined) gone.push(word);
    else await updateWitness(tx, organizationId, word, id);
  }
  if (gone.length > 0) await deleteVocabulary(tx, organizationId, gone);
  const last = words.at(-1);
  if (last && words.length === WORDS_AT_ONCE) return { prunedTo: last.word, prunesAgain };
  return { prunedTo: prunesAgain ? "" : null, prunesAgain: false };
}
