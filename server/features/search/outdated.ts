/**
 * Until the index has followed a change, it has the words that a message had before: of a text that was taken back, or of a
 * topic that nobody in its new place was ever to see. What changed behind the index's cursor is therefore asked for its
 * present words before it is said to match.
 */
import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { textOf, tokensOf } from "./index-messages.ts";
import { findProgress, listChangedIds, listIndexedAs, listMatching, listMessages } from "./store.ts";

/** So much is looked at for one search; what is beyond it does not match until the index has it. */
const MAX_MESSAGES = 100;
const MAX_LENGTH = 1024 * 1024;

/**
 * The messages that the index finds for a query, the text of a `tsquery` without filter terms, but that were changed since and do not
 * hold its words any more. As of the snapshot of `tx`, if it has one. A message that got the words by a change is found once
 * the index has it, like a new one.
 */
export async function listOutdated(
  tx: Queryable,
  organizationId: OrganizationId,
  query: string,
): Promise<number[]> {
  const { position, head } = await findProgress(tx, organizationId);
  if (position >= head) return [];
  const changed = await listChangedIds(tx, organizationId, { after: position, upTo: head });
  const found = changed.length > 0 ? await listIndexedAs(tx, organizationId, changed, query) : [];
  if (found.length === 0) return [];
  const messages = await listMessages(tx, organizationId, found.slice(0, MAX_MESSAGES));
  let left = MAX_LENGTH;
  // The newest first, as they are shown.
  const checked = messages.reverse().filter(({ renderedContent }) => {
    left -= renderedContent.length;
    return left >= 0;
  });
  const texts = checked.map((message) => ({ id: message.id, text: textOf(tokensOf(message)) }));
  const holding = new Set(await listMatching(tx, texts, query));
  return found.filter((id) => !holding.has(id));
}
