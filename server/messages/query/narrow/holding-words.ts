import { sql } from "../../../platform/db/sql.ts";
import { parseSearch, queryFor } from "../../search/query.ts";
import type { NarrowContext, Predicate } from "./predicate.ts";

/** Finds words and phrases in the text or the topic. */
export async function messagesWithWords({ reader, tx }: NarrowContext, text: string): Promise<Predicate> {
  const { organizationId, position } = reader.state;
  const query = await queryFor(tx, organizationId, parseSearch(text));
  if (query === undefined) return { matchesNothing: true, condition: sql`false` };
  return { words: query, path: { by: "words", query, filterTerms: [], upTo: position } };
}
