import { ApiError, errors } from "../../../../api/errors.ts";
import type { RecipientId } from "../../../../api/ids.ts";
import type { Channel } from "../../../channels/channel.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { accessMessage, type Readable } from "../../access.ts";
import { hasMoreThan } from "../../model/store.ts";
import { recipientTerm, topicTerm } from "../../search/filter-terms.ts";
import { findIndexState } from "../../search/missing.ts";
import {
  findReadableRanges,
  historyAccessOf,
  type RangeFilter,
  type ReadableRange,
  type Reader,
} from "../readable/readable-ranges.ts";
import type { SubscriptionIntervals } from "../readable/subscription-intervals.ts";
import { type AccessPath, cameUnread, type MessageQuery } from "../scan.ts";
import { findChannel, parseId } from "./operands.ts";
import { channelOperators, operators } from "./operators.ts";
import { badNarrow, type NarrowContext, type Operand, type Predicate } from "./predicate.ts";

/** One condition of a narrow, as a client sends it. Clients may send two forms; this is the common one. */
export interface Term {
  operator: string;
  operand: Operand;
  isNegated: boolean;
}

export function term(operator: string, operand: Operand): Term {
  return { operator, operand, isNegated: false };
}

export type NarrowParameter = readonly (
  | { operator: string; operand: Operand; negated?: boolean }
  | readonly Operand[]
)[];

export function parseNarrow(narrow: NarrowParameter): Term[] {
  return narrow.map((term) => {
    if (!("operator" in term)) {
      const [operator, operand] = term as readonly [Operand, Operand];
      if (typeof operator !== "string") throw badNarrow("an operator is a text");
      return { operator, operand, isNegated: false };
    }
    return { operator: term.operator, operand: term.operand, isNegated: term.negated ?? false };
  });
}

/**
 * Turns a narrow into a search that is limited to what the reader may read. Undefined: nothing can match.
 * Throws BAD_NARROW for a term that is not understood, and for channels and people that the reader can't know
 * of. With `ids`, the search covers only these messages, received or not.
 */
export async function readNarrow(
  reader: Reader,
  tx: Queryable,
  given: readonly Term[],
  ids?: readonly number[],
): Promise<{ search: MessageQuery | undefined; received: SubscriptionIntervals }> {
  if (!reader.user) checkSpectatorNarrow(reader, given);
  const terms = await resolveWith(reader, tx, given);
  const context = { reader, tx, channel: confiningChannel(reader, terms) };
  const predicates = await Promise.all(terms.map((term) => predicateOf(context, term)));
  const positive = predicates.filter((_, index) => !terms[index]?.isNegated);
  const negated = predicates.filter((_, index) => terms[index]?.isNegated);
  if (ids) positive.push({ withHistory: true });
  const { ranges: found, received } = await findReadableRanges(reader, tx, scopeOf(positive, negated));
  const excluded = recipientsOutside(positive, negated);
  const all = found.filter(({ recipientId }) => !excluded.has(recipientId));
  // No condition repeats the ids, as one does for an `id` term, so the path must be this one.
  const path: AccessPath = ids ? { by: "ids", ids } : accessPathOf(positive, all);
  const isEmpty =
    positive.some(({ matchesNothing }) => matchesNothing) ||
    negated.some(({ matchesEverything }) => matchesEverything);
  if (isEmpty) return { search: undefined, received };
  const isUnread = positive.some((predicate) => predicate.path?.by === "unread");
  const ranges = isUnread ? all.filter((range) => range.unreadAfter !== null) : all;
  if (ranges.length === 0) return { search: undefined, received };
  const topic = positive.find(({ topicId }) => topicId !== undefined);
  const search: MessageQuery = {
    organizationId: reader.state.organizationId,
    userId: reader.user?.id,
    cameUnread: cameUnread(reader),
    ranges: ranges,
    topicId: topic?.topicId,
    conditions: predicates.flatMap((predicate, index) =>
      predicate === topic ? [] : conditionOf(predicate, terms[index] as Term),
    ),
    path,
  };
  const searched = predicates.flatMap(({ words: query }, index) =>
    query ? [{ query, isNegated: (terms[index] as Term).isNegated }] : [],
  );
  if (searched.length > 0) {
    search.words = { searched, ...(await findIndexState(tx, search.organizationId)) };
  }
  if (path.by === "words") search.path = await pathAmongWords(tx, search, path, positive);
  return { search, received };
}

async function predicateOf(context: NarrowContext, { operator, operand }: Term): Promise<Predicate> {
  const find = operators.get(operator);
  if (!find) throw badNarrow(`unknown operator ${operator}`);
  return find(context, operand);
}

function scopeOf(positive: readonly Predicate[], negated: readonly Predicate[]): RangeFilter {
  const isNotDirect = negated.some((predicate) => predicate.kind === "direct" && isWholeKind(predicate));
  const isChannel = positive.some(({ kind }) => kind === "channel");
  const isDirect = positive.some(({ kind }) => kind === "direct");
  if (isChannel && isDirect) throw badNarrow("no message can be both a channel message and a direct message");
  return {
    channels: isDirect ? [] : common(positive.map(({ channels }) => channels)),
    conversations: isChannel || isNotDirect ? [] : common(positive.map(({ conversations }) => conversations)),
    withHistory: positive.some(({ withHistory }) => withHistory),
  };
}

function isWholeKind({ isPlace, channels, conversations }: Predicate): boolean {
  return isPlace === true && !channels && !conversations;
}

/**
 * Leaves out whole channels and conversations. Testing their messages one by one would take long where other
 * messages are rare.
 */
function recipientsOutside(
  positive: readonly Predicate[],
  negated: readonly Predicate[],
): ReadonlySet<RecipientId> {
  const places = negated.filter(({ isPlace }) => isPlace);
  return new Set<RecipientId>([
    ...positive.flatMap(({ without }) => without ?? []),
    ...places.flatMap(({ channels }) => channels?.map(({ id }) => id) ?? []),
    ...places.flatMap(({ conversations }) => conversations ?? []),
  ]);
}

/** The elements that are in all lists. An absent list counts as containing everything. */
function common<T>(lists: readonly (readonly T[] | undefined)[]): readonly T[] | undefined {
  const given = lists.filter((list) => list !== undefined);
  const [first, ...others] = given;
  return first?.filter((item) => others.every((list) => list.includes(item)));
}

const ACCESS_PATHS: readonly AccessPath["by"][] = [
  "ids",
  "flags",
  "mentions",
  "words",
  "topics",
  "unread",
  "messages",
  "reactions",
  "ranges",
];

/** The path with the fewest messages along it. */
function accessPathOf(positive: readonly Predicate[], ranges: readonly ReadableRange[]): AccessPath {
  const isOnePlace = ranges.every(({ recipientId }) => recipientId === ranges[0]?.recipientId);
  const paths = positive
    .flatMap(({ path }) => path ?? [])
    .filter(({ by }) => !isOnePlace || (by !== "messages" && by !== "reactions"));
  return paths.sort((a, b) => ACCESS_PATHS.indexOf(a.by) - ACCESS_PATHS.indexOf(b.by))[0] ?? { by: "ranges" };
}

function conditionOf({ condition, isPlace }: Predicate, { isNegated }: Term): Sql[] {
  if (!condition || isPlace) return [];
  return [isNegated ? sql`(${condition}) is not true` : condition];
}

/** Up to this number, reading the messages is faster than asking the index for words and place together. */
const FEW = 2000;

async function pathAmongWords(
  tx: Queryable,
  search: MessageQuery,
  path: AccessPath & { by: "words" },
  positive: readonly Predicate[],
): Promise<AccessPath> {
  const { organizationId, ranges, topicId } = search;
  const [{ recipientId }] = ranges as [ReadableRange];
  const isOnePlace = topicId !== undefined || ranges.every((range) => range.recipientId === recipientId);
  if (isOnePlace && !(await hasMoreThan(tx, organizationId, { recipientId, topicId }, FEW)))
    return { by: "ranges" };
  const terms = positive.flatMap(({ filterTerm }) => filterTerm ?? []);
  if (isOnePlace) terms.push(topicId === undefined ? recipientTerm(recipientId) : topicTerm(topicId));
  return { ...path, filterTerms: terms };
}

function confiningChannel({ state }: Reader, terms: readonly Term[]): Channel | undefined {
  const term = terms.find(({ operator, isNegated }) => !isNegated && channelOperators.has(operator));
  return term && findChannel(state, term.operand);
}

/** Terms that name a conversation. A `with` term replaces them. */
const conversationOperators = new Set([...channelOperators, "topic", "subject", "dm", "pm-with"]);

/**
 * `with` names the conversation that a message is in now. If the message can't be read, the other terms stay
 * as they are, provided that they name a conversation. So a link whose message is gone still works.
 */
async function resolveWith(reader: Reader, tx: Queryable, terms: readonly Term[]): Promise<readonly Term[]> {
  const named = terms.filter(({ operator }) => operator === "with");
  const [term] = named;
  if (!term) return terms;
  if (named.length > 1) throw badNarrow("duplicate 'with' operators");
  if (term.isNegated) throw badNarrow("'with' can't be negated");
  const others = terms.filter((other) => other !== term);
  const message = await findMessage(reader, tx, parseId(term.operand, "message"));
  if (message)
    return [...others.filter(({ operator }) => !conversationOperators.has(operator)), ...placeOf(message)];
  const names = new Set(others.map(({ operator }) => operator));
  const isNamed =
    [...channelOperators].some((name) => names.has(name)) || names.has("dm") || names.has("pm-with");
  if (!isNamed) throw badNarrow("invalid 'with' operator");
  return others;
}

async function findMessage(reader: Reader, tx: Queryable, id: number): Promise<Readable | undefined> {
  try {
    return await accessMessage(reader, tx, id);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function placeOf({ row }: Readable): Term[] {
  const terms: Term[] = row.userIds
    ? [{ operator: "dm", operand: row.userIds, isNegated: false }]
    : [
        { operator: "channel", operand: row.recipientId, isNegated: false },
        { operator: "topic", operand: row.topic ?? "", isNegated: false },
      ];
  return terms;
}

const spectatorOperators = new Set([
  ...channelOperators,
  "channels",
  "streams",
  "topic",
  "subject",
  "sender",
  "from",
  "has",
  "search",
  "id",
  "near",
  "with",
]);

/**
 * Without an account, a narrow must ask for web-public channels explicitly and may not ask for anything
 * personal.
 */
function checkSpectatorNarrow(reader: Reader, terms: readonly Term[]): void {
  const isPublic = terms.some(({ operator, operand, isNegated }) => {
    if (isNegated) return false;
    if (operator === "channels" || operator === "streams") return operand === "web-public";
    const channel = channelOperators.has(operator) ? findChannel(reader.state, operand) : undefined;
    return channel !== undefined && historyAccessOf(reader, channel) === "all";
  });
  if (!isPublic || !terms.every(({ operator }) => spectatorOperators.has(operator))) {
    throw new ApiError(errors.notLoggedIn);
  }
}
