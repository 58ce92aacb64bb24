/**
 * A narrow: which messages a view shows. This is the one place that knows its three forms: the value, the
 * hash of an address as links in messages have it, and the parameter of the API. Some narrows can be decided
 * for a message without the server.
 */
import { foldName } from "../api/fold-name.ts";
import { isWithHistory, type NarrowedMessage, operatorOf } from "./narrow-operators.ts";

export interface NarrowTerm {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated?: boolean;
}

/** All terms must hold. Without terms: every message that the viewer received. */
export type Narrow = readonly NarrowTerm[];

export const combinedFeed: Narrow = [];

export function channelNarrow(channelId: number): Narrow {
  return [{ operator: "channel", operand: channelId }];
}

export function topicNarrow(channelId: number, topic: string): Narrow {
  return [...channelNarrow(channelId), { operator: "topic", operand: topic }];
}

/** `userIds`: the other people, or the viewer for messages to oneself. */
export function directNarrow(userIds: readonly number[]): Narrow {
  return [{ operator: "dm", operand: [...userIds].sort((a, b) => a - b) }];
}

/** Where messages of a view go: a topic, a channel whose topic is open, or people. */
export type Conversation =
  | { kind: "channel"; channelId: number; topic: string | undefined }
  | { kind: "direct"; userIds: readonly number[] };

/** The conversation or channel that the narrow shows; undefined if it shows messages of several. */
export function conversationOf(narrow: Narrow): Conversation | undefined {
  const [first, second, third] = narrow;
  if (!first || third || narrow.some(({ negated }) => negated)) return undefined;
  if (first.operator === "dm" && !second && Array.isArray(first.operand))
    return { kind: "direct", userIds: first.operand as readonly number[] };
  if (first.operator !== "channel" || typeof first.operand !== "number") return undefined;
  if (second && second.operator !== "topic") return undefined;
  return { kind: "channel", channelId: first.operand, topic: second && String(second.operand) };
}

/** The view that shows a conversation, or a channel whose topic is open. */
export function conversationNarrow(place: Conversation): Narrow {
  if (place.kind === "direct") return directNarrow(place.userIds);
  const { channelId, topic } = place;
  return topic === undefined ? channelNarrow(channelId) : topicNarrow(channelId, topic);
}

/** Equal for narrows that show the same messages under one view. */
export function keyOfNarrow(narrow: Narrow): string {
  const text = ({ operator, operand, negated }: NarrowTerm) => {
    const value = operator === "topic" ? foldName(String(operand)) : operand;
    // A text with spaces could look like more terms.
    return `${negated ? "-" : ""}${operator}:${typeof value === "string" ? JSON.stringify(value) : value}`;
  };
  return narrow.map(text).join(" ");
}

/** The narrow as the API takes it. */
export function narrowParameter(
  narrow: Narrow,
): { operator: string; operand: string | number | number[]; negated: boolean }[] {
  return narrow.map(({ operator, operand, negated = false }) => ({
    operator,
    operand: typeof operand === "object" ? [...operand] : operand,
    negated,
  }));
}

/**
 * Whether a message belongs to the narrow; undefined if only the server knows. A message that the viewer did
 * not receive belongs to narrows that ask for a history.
 */
export function matchesNarrow(
  narrow: Narrow,
  message: NarrowedMessage,
  viewerId: number,
): boolean | undefined {
  if (message.flags.has("historical") && !isWithHistory(narrow)) return false;
  return matchesTerms(narrow, (term) => operatorOf(term).matches(message, term.operand, viewerId));
}

/** Whether a message at this place could belong to the narrow, whatever else is true of it. */
export function mayHold(
  narrow: Narrow,
  place: { channelId: number; topic: string },
  viewerId: number,
): boolean {
  const to = { kind: "channel", ...place } as const;
  const message = { id: 0, to, senderId: 0, flags: new Set<string>(), reactions: [] };
  const found = matchesTerms(narrow, (term) => {
    const isPlace = placeOperators.has(term.operator) || (term.operator === "is" && term.operand === "dm");
    return isPlace ? operatorOf(term).matches(message, term.operand, viewerId) : undefined;
  });
  return found !== false;
}

const placeOperators = new Set(["channel", "topic", "dm", "dm-including"]);

function matchesTerms(
  narrow: Narrow,
  matches: (term: NarrowTerm) => boolean | undefined,
): boolean | undefined {
  let isKnown = true;
  for (const term of narrow) {
    const holds = matches(term);
    if (holds === undefined) isKnown = false;
    else if (holds === (term.negated ?? false)) return false;
  }
  return isKnown ? true : undefined;
}
