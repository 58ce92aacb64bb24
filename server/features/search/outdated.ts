/**
 * Until the index has followed a change, it has a message's old words. These may be words of a text that was
 * taken back, or of a topic that readers of the new place must never see. So messages that changed after the
 * index's cursor are checked for their current words before they match.
 */
import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { textOf, tokensOf } from "./index-messages.ts";
import { findProgress, listChangedIds, listIndexedAs, listMatching, listMessages } from "./store.ts";

/** The most changed messages to check for one search. The others do not match until the index has them. */
const MAX_MESSAGES = 100;
const MAX_LENGTH = 1024 * 1024;

/**
 * The messages that the index finds for a query, but that have changed since and no longer contain its words.
 * The query is the text of a `tsquery` without filter terms. If `tx` has a snapshot, the result is as of that
 * snapshot. A message that gained the words by a change is found once it is indexed, like a new message.
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
  // The newest come first, in the order in which they are shown.
  const checked = messages.reverse().filter(({ renderedContent }) => {
    left -= renderedContent.length;
    return left >= 0;
  });
  const texts = checked.map((message) => ({ id: message.id, text: textOf(tokensOf(message)) }));
  const holding = new Set(await listMatching(tx, texts, query));
  return found.filter((id) => !holding.has(id));
}
