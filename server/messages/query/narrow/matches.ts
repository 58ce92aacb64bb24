import { topicDisplayName } from "../../../../api/channels/topic-name.ts";
import type { MessageId } from "../../../../api/ids.ts";
import { escapeText } from "../../../../markdown/escape.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { FetchedRow } from "../../model/message.ts";
import { Highlighter } from "../../search/highlight.ts";
import { parseSearch, type SearchTerm } from "../../search/query.ts";
import type { Term } from "./narrow.ts";

/** A message's text and topic as HTML, with the search words highlighted. */
export interface Match {
  match_content: string;
  match_subject: string;
}

/**
 * Presents messages that match a narrow. If the narrow searches for no words, nothing is highlighted. An
 * empty topic is named as in the message itself (spec Conventions 7).
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
    // A direct message has no topic.
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

/** Whether the narrow has words that can be highlighted in its matches. */
export function hasSearch(narrow: readonly Term[]): boolean {
  return narrow.some(isSearch);
}

function searchedFor(narrow: readonly Term[]): SearchTerm[] {
  return narrow.filter(isSearch).flatMap(({ operand }) => parseSearch(String(operand)));
}

function isSearch({ operator, isNegated }: Term): boolean {
  return operator === "search" && !isNegated;
}
