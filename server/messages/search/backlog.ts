/**
 * What is indexed when there is time: gaps behind the newest messages, and rows and words that are out of
 * date.
 */
import type { OrganizationId } from "../../../api/ids.ts";
import type { Database, Transaction } from "../../platform/db/database.ts";
import { type Cursor, deleteOutdated, lockCursors, updateCursors } from "./cursor-store.ts";
import { type Interval, without } from "./intervals.ts";
import { pruneNext } from "./prune-vocabulary.ts";
import {
  deleteOtherTokens,
  type IndexedMessage,
  insertWitnesses,
  listNewestMessages,
  tidyIndexes,
} from "./store.ts";
import { rewriteWords, tokensOf, writeWords } from "./write-words.ts";

/** The newest messages wait meanwhile. Searches don't, since they read those themselves. */
const MESSAGES_AT_ONCE = 500;

/**
 * Does a piece of an organization's backlog in one transaction: messages that changed first, then gaps, then
 * rows without pairs of words, each from the newest to the oldest. At last it looks for words that are gone.
 * It is done when nothing is left, or when another transaction is indexing.
 */
export async function indexBacklog(
  database: Database,
  organizationId: OrganizationId,
): Promise<{ isDone: boolean }> {
  return database.transaction(
    async (tx) => {
      const [cursor] = await lockCursors(tx, [organizationId]);
      if (!cursor) return { isDone: true };
      const [gap, stale] = [cursor.gaps.at(-1), cursor.withoutPairs.at(-1)];
      if (cursor.hasOutdated) {
        const ids = await deleteOutdated(tx, organizationId, MESSAGES_AT_ONCE);
        await rewriteWords(
          tx,
          ids.map((id) => ({ organizationId, id })),
        );
        await tidyIndexes(tx);
      } else if (gap) {
        await indexInterval(tx, cursor, gap, { isOld: false });
      } else if (stale) {
        await indexInterval(tx, cursor, stale, { isOld: true });
      } else if (cursor.prunedTo !== null) {
        await updateCursors(tx, [{ ...cursor, ...(await pruneNext(tx, cursor)) }]);
      } else {
        return { isDone: true };
      }
      return { isDone: false };
    },
    { lane: "background" },
  );
}

/** Indexes the newest messages of an interval, and takes the part that is done out of the backlog. */
async function indexInterval(
  tx: Transaction,
  cursor: Cursor,
  interval: Interval,
  { isOld }: { isOld: boolean },
): Promise<void> {
  const { organizationId } = cursor;
  const messages = await listNewestMessages(tx, organizationId, interval, MESSAGES_AT_ONCE);
  const isWhole = messages.length < MESSAGES_AT_ONCE;
  const done = { from: isWhole ? interval.from : Math.min(...messages.map(({ id }) => id)), to: interval.to };
  await deleteOtherTokens(
    tx,
    organizationId,
    done,
    messages.map(({ id }) => id),
  );
  await writeWords(tx, messages);
  if (isOld) await nameMessages(tx, organizationId, messages);
  if (messages.length > 0) await tidyIndexes(tx);
  await updateCursors(tx, [
    {
      ...cursor,
      gaps: without(cursor.gaps, done),
      withoutPairs: without(cursor.withoutPairs, done),
    },
  ]);
}

/** Words that older servers wrote name no message yet. */
async function nameMessages(
  tx: Transaction,
  organizationId: OrganizationId,
  messages: readonly IndexedMessage[],
): Promise<void> {
  const words = new Map(
    messages.flatMap((each) => tokensOf(each).map(({ text }) => [text, each.id] as const)),
  );
  await insertWitnesses(
    tx,
    organizationId,
    Array.from(words, ([word, messageId]) => ({ word, messageId })),
  );
}
