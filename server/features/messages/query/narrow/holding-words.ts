import { sql } from "../../../../platform/db/sql.ts";
import { listOutdated } from "../../../search/outdated.ts";
import { parseSearch, queryFor } from "../../../search/query.ts";
import type { NarrowContext, Predicate } from "./predicate.ts";

/**
 * Finds words and phrases in the text or the topic. While the index has old words of some messages, the
 * condition differs from the index. In that case the condition is checked for every message that the index
 * finds.
 */
export async function messagesWithWords({ reader, tx }: NarrowContext, text: string): Promise<Predicate> {
  const { organizationId, position } = reader.state;
  const query = await queryFor(tx, organizationId, parseSearch(text));
  if (query === undefined) return { condition: sql`false`, matchesNothing: true };
  const isIndexed = sql`exists (select from search_words w where w.organization_id = m.organization_id
    and w.message_id = m.id and w.words @@ ${query}::tsquery)`;
  const outdated = await listOutdated(tx, organizationId, query);
  const condition =
    outdated.length === 0 ? isIndexed : sql`(${isIndexed} and m.id <> all(${outdated}::bigint[]))`;
  return { condition, path: { by: "words", query, upTo: position, condition: isIndexed } };
}
