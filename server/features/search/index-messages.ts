import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { filterTermsOf } from "./filter-terms.ts";
import { tokensInHtml } from "./html-tokens.ts";
import { quote } from "./query.ts";
import {
  deleteTokens,
  type IndexedMessage,
  insertCursor,
  insertTokens,
  insertVocabulary,
  listChangedIds,
  listMessages,
  listMessagesAfter,
  lockCursor,
  tidyIndexes,
  updateCursor,
} from "./store.ts";
import { indexedForms, isFoundByPart, partsOf, type Token, tokensIn } from "./tokens.ts";

/** The messages indexed in one transaction: some tens of milliseconds. */
export const MESSAGES_AT_ONCE = 500;

/**
 * Indexes the next messages of an organization, and changed messages again, in the order of its log. Returns
 * how many messages it wrote, and whether it is done. It is done at the end of the log, or when another
 * transaction is indexing.
 */
export async function indexNext(
  database: Database,
  organizationId: OrganizationId,
): Promise<{ written: number; isDone: boolean; isElsewhere: boolean }> {
  return database.transaction(
    async (tx) => {
      const place = await lockCursor(tx, organizationId);
      if (!place) {
        const isElsewhere = !(await insertCursor(tx, organizationId));
        return { written: 0, isDone: isElsewhere, isElsewhere };
      }
      if (place.position >= place.head) return { written: 0, isDone: true, isElsewhere: false };
      const after = place.position;
      const messages = await listMessagesAfter(tx, organizationId, {
        after,
        upTo: place.head,
        limit: MESSAGES_AT_ONCE,
      });
      // Positions are assigned in commit order, so a position that is missing up to here will never appear.
      const isDone = messages.length < MESSAGES_AT_ONCE;
      const upTo = isDone ? place.head : (messages.at(-1) as { id: Position }).id;
      const known = new Set<number>(messages.map(({ id }) => id));
      const changed = await listChangedIds(tx, organizationId, { after, upTo });
      const others = changed.filter((id) => !known.has(id) && id <= upTo);
      await writeWords(tx, organizationId, messages);
      for (let start = 0; start < others.length; start += MESSAGES_AT_ONCE) {
        await indexAgain(tx, organizationId, others.slice(start, start + MESSAGES_AT_ONCE));
      }
      const written = messages.length + others.length;
      if (written > 0) await tidyIndexes(tx);
      await updateCursor(tx, organizationId, upTo);
      return { written, isDone, isElsewhere: false };
    },
    { lane: "background" },
  );
}

/** Indexes up to the end of the log, unless another node is doing so. */
export async function indexAll(database: Database, organizationId: OrganizationId): Promise<void> {
  while (!(await indexNext(database, organizationId)).isDone);
}

async function indexAgain(
  tx: Transaction,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<void> {
  const messages = await listMessages(tx, organizationId, ids);
  const present = new Set<number>(messages.map(({ id }) => id));
  const gone = ids.filter((id) => !present.has(id));
  if (gone.length > 0) await deleteTokens(tx, organizationId, gone);
  await writeWords(tx, organizationId, messages);
}

async function writeWords(
  tx: Transaction,
  organizationId: OrganizationId,
  messages: readonly IndexedMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const vocabulary = new Set<string>();
  const rows = messages.map((message) => {
    const words = tokensOf(message);
    for (const word of words) if (isFoundByPart(word)) vocabulary.add(word.text);
    return {
      id: message.id,
      text: textOf(words),
      terms: filterTermsOf(organizationId, message).map(quote).join(" "),
    };
  });
  await insertTokens(tx, organizationId, rows);
  if (vocabulary.size === 0) return;
  const entries = [...vocabulary].map((word) => ({ word, parts: partsOf(word) }));
  await insertVocabulary(tx, organizationId, entries);
}

/** The words by which a search finds a message: those of its topic and of its visible text. */
export function tokensOf({ topic, renderedContent }: IndexedMessage): Token[] {
  return [...tokensIn(topic ?? ""), ...tokensInHtml(renderedContent)];
}

/** A text that PostgreSQL splits into the same words again. */
export function textOf(words: readonly Token[]): string {
  return words.flatMap(indexedForms).join(" ");
}
