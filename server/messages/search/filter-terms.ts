/**
 * Filter terms: what the index stores about a message besides its words. A query with a filter term looks
 * only at messages that have the term, and the index finds those by itself. A term may be out of date for a
 * moment after a move. So a term narrows a search, but never decides who may read a message.
 */
import type { OrganizationId, RecipientId, TopicId, UserId } from "../../../api/ids.ts";

export const recipientTerm = (id: RecipientId) => `#r${id}`;
export const topicTerm = (id: TopicId) => `#t${id}`;
export const senderTerm = (id: UserId) => `#s${id}`;

/** The sizes of ID ranges, from short to long. Each range contains eight ranges of the size before. */
const SIZES = ["a", "b", "c", "d", "e"] as const;
const SHORTEST = 2 ** 12;
const TIMES = 8;
/** How many ranges of one size are searched before longer ones. */
const ENOUGH = 4;

export function filterTermsOf(
  organizationId: OrganizationId,
  message: { id: number; recipientId: RecipientId; topicId: TopicId | null; senderId: UserId },
): string[] {
  return [
    ...SIZES.map((_, size) => idRangeTerm(organizationId, size, message.id)),
    recipientTerm(message.recipientId),
    ...(message.topicId === null ? [] : [topicTerm(message.topicId)]),
    senderTerm(message.senderId),
  ];
}

function idRangeTerm(organizationId: OrganizationId, size: number, id: number): string {
  return `#${SIZES[size]}${organizationId}.${Math.floor(id / (SHORTEST * TIMES ** size))}`;
}

export interface IdRangeTerm {
  term: string;
  /** The range has the ids with from <= id < to. */
  from: number;
  to: number;
}

/**
 * The terms of ID ranges that cover `first` to `last`, in the order in which to search them. The first ranges
 * are short, so that a search for a frequent word looks at few messages. Later ranges are longer, so that a
 * rare word is found in few steps.
 */
export function idRangeTerms(
  organizationId: OrganizationId,
  { first, last, order }: { first: number; last: number; order: "asc" | "desc" },
): IdRangeTerm[] {
  if (last < first) return [];
  const terms: IdRangeTerm[] = [];
  const isDescending = order === "desc";
  const [low, high] = [Math.floor(first / SHORTEST), Math.floor(last / SHORTEST) + 1];
  let size = 0;
  // Counts in units of the shortest range. Everything beyond `place` is covered.
  for (let place = isDescending ? high : low, count = 0; isDescending ? place > low : place < high; count++) {
    const canGrow = size < SIZES.length - 1 && count >= ENOUGH && place % TIMES ** (size + 1) === 0;
    if (canGrow) {
      size++;
      count = 0;
    }
    const length = TIMES ** size;
    const start = isDescending ? place - length : place;
    const [from, to] = [start * SHORTEST, (start + length) * SHORTEST];
    terms.push({ term: idRangeTerm(organizationId, size, from), from, to });
    place = isDescending ? start : start + length;
  }
  return terms;
}
