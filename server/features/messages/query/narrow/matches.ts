import type { MessageId } from "../../../../../api/ids.ts";
import { topicDisplayName } from "../../../../../api/topic-name.ts";
import { escapeText } from "../../../../../markdown/escape.ts";
import type { Queryable } from "../../../../platform/db/database.ts";
import { Highlighter } from "../../../search/highlight.ts";
import { parseSearch, type SearchTerm } from "../../../search/query.ts";
import type { FetchedRow } from "../fetch.ts";
import type { Term } from "./narrow.ts";

/** A message's text and topic as HTML, with what was searched for marked in them. */
export interface Match {
  match_content: string;
  match_subject: string;
}

/**
 * Of messages that match a narrow. Where it searches for no words, nothing is marked. An empty topic is named as it is in the
 * message itself (spec Conventions 7).
 */
export async function presentMatches(
  tx: Queryable,
  narrow: readonly Term[],
  rows: readonly FetchedRow[],
  { emptyTopicName }: { emptyTopicName: boolean },
): Promise<Map<MessageId, Match>> {
  const pairs = rows.map(({ id, renderedContent, topic }) => ({
    id,
    content: renderedContent,
    // A direct message has none.
    subject: escapeText(topic === null ? "" : topicDisplayName(topic, emptyTopicName)),
  }));
  const htmls = pairs.flatMap(({ content, subject }) => [content, subject]);
  const highlighter = await Highlighter.prepare(tx, searchedFor(narrow), htmls);
  return new Map(
    pairs.map(({ id, content, subject }) => [
      id,
      { match_content: highlighter.highlight(content), match_subject: highlighter.highlight(subject) },
    ]),
  );
}

/** Whether it asks which words are in a message, or are not. */
export function asksForWords(narrow: readonly Term[]): boolean {
  return narrow.some(({ operator }) => operator === "search");
}

/** Whether it has words that can be marked in what it finds. */
export function hasSearch(narrow: readonly Term[]): boolean {
  return narrow.some(isSearch);
}

function searchedFor(narrow: readonly Term[]): SearchTerm[] {
  return narrow.filter(isSearch).flatMap(({ operand }) => parseSearch(String(operand)));
}

function isSearch({ operator, isNegated }: Term): boolean {
  return operator === "search" && !isNegated;
}
