import { ApiError, errors } from "../../api/errors.ts";
import type { Channel } from "../channels/channel.ts";
import type { Queryable } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import { accessMessage, type Readable } from "./access.ts";
import { badNarrow, type Meaning, type NarrowContext, type Operand } from "./narrow-meaning.ts";
import { channelOperators, findChannel, operators, parseId } from "./narrow-operators.ts";
import type { Received } from "./received.ts";
import { findSpans, type Reader, reachOf, type Scope, type Span } from "./spans.ts";
import type { Search, Way } from "./walk.ts";

/** One condition of a narrow, as a client sends it (behind the two forms that it may have). */
export interface Term {
  operator: string;
  operand: Operand;
  isNegated: boolean;
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
 * Turns a narrow into a search, confined to what the reader may read. Undefined: nothing can match. Throws BAD_NARROW for
 * what is not understood, and for channels and people that the reader can't know of. With `ids`, of these messages alone,
 * received or not.
 */
export async function readNarrow(
  reader: Reader,
  tx: Queryable,
  given: readonly Term[],
  ids?: readonly number[],
): Promise<{ search: Search | undefined; received: Received }> {
  if (!reader.user) checkSpectatorNarrow(reader, given);
  const terms = await resolveWith(reader, tx, given);
  const context = { reader, tx, channel: confiningChannel(reader, terms) };
  const meanings = await Promise.all(terms.map((term) => meaningOf(context, term)));
  const positive = meanings.filter((_, index) => !terms[index]?.isNegated);
  if (ids) positive.push({ withHistory: true, way: { by: "ids", ids } });
  const scope = scopeOf(positive);
  const { spans: all, received } = await findSpans(reader, tx, scope);
  const way = wayOf(positive, all);
  if (positive.some(({ matchesNothing }) => matchesNothing)) return { search: undefined, received };
  const spans = way.by === "unread" ? all.filter((span) => span.unreadAfter !== null) : all;
  if (spans.length === 0) return { search: undefined, received };
  const search: Search = {
    organizationId: reader.live.organizationId,
    userId: reader.user?.id,
    spans,
    topicId: positive.find(({ topicId }) => topicId !== undefined)?.topicId,
    conditions: meanings.flatMap((meaning, index) => conditionOf(meaning, terms[index] as Term)),
    way,
  };
  return { search, received };
}

async function meaningOf(context: NarrowContext, { operator, operand }: Term): Promise<Meaning> {
  const find = operators.get(operator);
  if (!find) throw badNarrow(`unknown operator ${operator}`);
  return find(context, operand);
}

function scopeOf(positive: readonly Meaning[]): Scope {
  const isChannel = positive.some(({ kind }) => kind === "channel");
  const isDirect = positive.some(({ kind }) => kind === "direct");
  if (isChannel && isDirect) throw badNarrow("no message can be both a channel message and a direct message");
  return {
    channels: isDirect ? [] : common(positive.map(({ channels }) => channels)),
    conversations: isChannel ? [] : common(positive.map(({ conversations }) => conversations)),
    withHistory:
      positive.some(({ withHistory }) => withHistory) &&
      !positive.some(({ withHistory }) => withHistory === false),
  };
}

/** What is in all of the lists; an absent list holds everything. */
function common<T>(lists: readonly (readonly T[] | undefined)[]): readonly T[] | undefined {
  const given = lists.filter((list) => list !== undefined);
  const [first, ...others] = given;
  return first?.filter((item) => others.every((list) => list.includes(item)));
}

const WAYS: readonly Way["by"][] = [
  "ids",
  "topics",
  "marks",
  "mentions",
  "unread",
  "messages",
  "reactions",
  "spans",
];

/** The way that the fewest messages lie along. */
function wayOf(positive: readonly Meaning[], spans: readonly Span[]): Way {
  const isOnePlace = spans.every(({ recipientId }) => recipientId === spans[0]?.recipientId);
  const ways = positive
    .flatMap(({ way }) => way ?? [])
    .filter(({ by }) => !isOnePlace || (by !== "messages" && by !== "reactions"));
  return ways.sort((a, b) => WAYS.indexOf(a.by) - WAYS.indexOf(b.by))[0] ?? { by: "spans" };
}

function conditionOf({ condition, isPlace }: Meaning, { isNegated }: Term): Sql[] {
  if (!condition) return [];
  if (isNegated) return [sql`(${condition}) is not true`];
  return isPlace ? [] : [condition];
}

function confiningChannel({ live }: Reader, terms: readonly Term[]): Channel | undefined {
  const term = terms.find(({ operator, isNegated }) => !isNegated && channelOperators.has(operator));
  return term && findChannel(live, term.operand);
}

/** Terms that name a conversation; a `with` takes their place. */
const conversationOperators = new Set([...channelOperators, "topic", "subject", "dm", "pm-with"]);

/**
 * `with` names the conversation that a message is in now. A message that can't be read leaves the other terms as they are
 * if they name a conversation themselves: that is what a link whose message is gone falls back to.
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
  "id",
  "near",
  "with",
]);

/** Without an account one must say that one means what is public on the web, and may ask of nothing personal. */
function checkSpectatorNarrow(reader: Reader, terms: readonly Term[]): void {
  const isPublic = terms.some(({ operator, operand, isNegated }) => {
    if (isNegated) return false;
    if (operator === "channels" || operator === "streams") return operand === "web-public";
    const channel = channelOperators.has(operator) ? findChannel(reader.live, operand) : undefined;
    return channel !== undefined && reachOf(reader, channel) === "all";
  });
  if (!isPublic || !terms.every(({ operator }) => spectatorOperators.has(operator))) {
    throw new ApiError(errors.notLoggedIn);
  }
}
