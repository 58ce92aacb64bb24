/**
 * What could be meant by the end of a search that is being typed. Names come from the model, so nothing is
 * asked of the server for a key.
 */
import { fold } from "../autocomplete/fold.ts";
import { best, type Ranked } from "../autocomplete/rank.ts";
import type { Model } from "../model/model.ts";
import { type Conversation, conversationNarrow, type Narrow, type NarrowTerm } from "../narrow.ts";
import { canFollow, findOperator, type SearchOperator, searchOperators } from "./operators.ts";
import { searchTokens } from "./tokens.ts";

/** Terms that take the place of what was typed, or an operator whose value is still to be typed. */
export type Suggestion =
  | { kind: "terms"; terms: Narrow }
  | { kind: "operator"; operator: string; isNegated: boolean };

export interface SearchSurroundings {
  model: Model;
  /** On the screen. */
  place: Conversation | undefined;
  /** Those that are chosen already. */
  terms: Narrow;
  /** Those who wrote last come first. */
  recentSenders: readonly number[];
  topicsOf(channelId: number): readonly string[];
}

export interface Suggestions {
  /** Where the text begins that a suggestion replaces. */
  start: number;
  found: readonly Suggestion[];
}

const LIMIT = 8;
const FEW = 3;
/** What is proposed before anything is typed. */
const FIRST = ["channel", "topic", "sender", "dm", "is", "has"];

export function suggest(text: string, around: SearchSurroundings): Suggestions {
  const { start, isNegated, operator, query } = readEnd(text);
  const found = operator
    ? valuesOf(operator, query, around).map((operand) => termOf(operator.name, operand, isNegated))
    : query === "" && !isNegated
      ? beginnings(around)
      : anything(query, isNegated, around);
  const fitting = found.filter((suggestion) =>
    suggestion.kind === "operator"
      ? canFollow(suggestion.operator, suggestion.isNegated, around.terms)
      : fits(suggestion.terms, around.terms),
  );
  return { start, found: fitting.slice(0, LIMIT) };
}

/** The last piece. A name without quotation marks may have several words. */
function readEnd(text: string) {
  const tokens = searchTokens(text);
  const last = tokens.at(-1);
  const none = { start: text.length, isNegated: false, operator: undefined, query: "" };
  const bare = /(?:^|\s)(-?)([a-z-]{1,20}):$/i.exec(text);
  const started = bare && findOperator(bare[2] ?? "");
  if (bare && started) {
    const start = text.length - bare[0].trimStart().length;
    return { start, isNegated: bare[1] === "-", operator: started, query: "" };
  }
  const named = tokens.findLastIndex(({ operator }) => operator !== undefined);
  const owner = tokens[named];
  const isNameGoingOn =
    owner &&
    !owner.isQuoted &&
    tokens.slice(named + 1).every(({ isQuoted, isNegated }) => !isQuoted && !isNegated);
  if (owner?.operator && isNameGoingOn && named < tokens.length - 1 && hasNames(owner.operator)) {
    const query = text.slice(owner.end - owner.value.length);
    return { start: owner.start, isNegated: owner.isNegated, operator: owner.operator, query };
  }
  if (!last || (/\s$/.test(text) && !(last.operator && hasNames(last.operator)))) return none;
  const { start, isNegated, operator, value } = last;
  return { start, isNegated, operator, query: value.replace(/^"|"$/g, "") };
}

function hasNames({ name, kind }: SearchOperator): boolean {
  return kind === "channel" || kind === "person" || kind === "people" || name === "topic";
}

function termOf(operator: string, operand: NarrowTerm["operand"], isNegated: boolean): Suggestion {
  return { kind: "terms", terms: [{ operator, operand, ...(isNegated && { negated: true }) }] };
}

function fits(added: Narrow, terms: Narrow): boolean {
  return added.every(
    ({ operator, operand, negated }) =>
      canFollow(operator, negated ?? false, terms) &&
      !terms.some((term) => term.operator === operator && String(term.operand) === String(operand)),
  );
}

function valuesOf(
  { name, kind, values = [] }: SearchOperator,
  query: string,
  around: SearchSurroundings,
): NarrowTerm["operand"][] {
  if (kind === "choice") return values.filter((value) => value.startsWith(fold(query)));
  if (kind === "channel") return best(channels(around), query.replace(/^#/, ""), LIMIT);
  if (kind === "person" || kind === "people") {
    const me = kind === "person" && "me".startsWith(fold(query)) ? ["me"] : [];
    const [, before = "", lastName = query] = kind === "people" ? (/^(.*,)?\s*(.*)$/s.exec(query) ?? []) : [];
    const chosen = before.split(",").flatMap((one) => idsOf(one, around.model));
    const found = best(people(around), lastName.replace(/^@/, ""), LIMIT).filter(
      (id) => !chosen.includes(id),
    );
    if (kind === "person") return [...me, ...found];
    return found.map((id) => [...chosen, id].sort((a, b) => a - b));
  }
  return name === "topic" ? best(topics(around), query, LIMIT) : [];
}

function idsOf(name: string, { users }: Model): number[] {
  const wanted = fold(name);
  if (wanted === "") return [];
  for (const { id, fullName } of users.byId.values()) if (fold(fullName) === wanted) return [id];
  return [];
}

/** Before anything is typed: the place on the screen, and what can be typed. */
function beginnings({ place, terms }: SearchSurroundings): Suggestion[] {
  const here: Suggestion[] =
    place && terms.length === 0 ? [{ kind: "terms", terms: conversationNarrow(place) }] : [];
  return [
    ...here,
    ...FIRST.map((operator): Suggestion => ({ kind: "operator", operator, isNegated: false })),
  ];
}

/** A word that could be the beginning of an operator, of a value or of a name. */
function anything(query: string, isNegated: boolean, around: SearchSurroundings): Suggestion[] {
  const wanted = fold(query);
  const term = (operator: string) => (operand: NarrowTerm["operand"]) => termOf(operator, operand, isNegated);
  const values = searchOperators
    .filter(({ name }) => name === "is" || name === "has")
    .flatMap(({ name, values: all = [] }) =>
      all.filter((value) => wanted.length > 1 && value.startsWith(wanted)).map(term(name)),
    );
  const named = searchOperators
    .filter(({ name }) => name.startsWith(wanted) && name !== "search" && name !== "in")
    .map(({ name }): Suggestion => ({ kind: "operator", operator: name, isNegated }));
  const someone = best(people(around), query.replace(/^@/, ""), FEW);
  const isOnlyPerson = query.startsWith("@");
  const isOnlyChannel = query.startsWith("#");
  const inChannels = isOnlyPerson
    ? []
    : best(channels(around), query.replace(/^#/, ""), FEW).map(term("channel"));
  if (isOnlyChannel) return inChannels;
  return [
    ...values,
    ...named.slice(0, FEW),
    ...inChannels,
    ...someone.slice(0, 2).map(term("sender")),
    ...(isOnlyPerson ? [] : best(topics(around), query, 2).map(term("topic"))),
    ...someone.slice(0, 1).map((id) => term("dm")([id])),
  ];
}

/** Subscribed channels come first, archived ones last. */
function* channels({ model }: SearchSurroundings): Iterable<Ranked<number>> {
  for (const { id, name, isArchived } of model.channels.byId.values()) {
    const order = isArchived ? 2 : model.subscriptions.isSubscribed(id) ? 0 : 1;
    yield { item: id, name, order };
  }
}

/** Those who wrote last come first. People who left come after the others: their messages are still there. */
function* people({ model, recentSenders }: SearchSurroundings): Iterable<Ranked<number>> {
  const recent = new Map(recentSenders.map((id, at) => [id, at]));
  for (const { id, fullName, isActive, isBot } of model.users.byId.values()) {
    if (model.mutedUsers.has(id)) continue;
    const others = isActive ? (isBot ? 1002 : 1001) : 1003;
    yield { item: id, name: fullName, order: recent.get(id) ?? others };
  }
}

/** The topics of the channel that is chosen, or else of the one on the screen. */
function* topics({ terms, place, topicsOf }: SearchSurroundings): Iterable<Ranked<string>> {
  const chosen = terms.find(({ operator, negated }) => operator === "channel" && !negated)?.operand;
  const shown = place?.kind === "channel" ? place.channelId : undefined;
  const channelId = typeof chosen === "number" ? chosen : shown;
  if (channelId === undefined) return;
  for (const [order, name] of topicsOf(channelId).entries())
    if (name !== "") yield { item: name, name, order };
}
