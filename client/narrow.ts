/**
 * A narrow: which messages a view shows. This is the one place that knows its three forms: the value, the
 * hash of an address as links in messages have it, and the parameter of the API. Some narrows can be decided
 * for a message without the server.
 */
import { foldName } from "../api/fold-name.ts";
import type { Message } from "./model/messages.ts";

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

/** Whether a message belongs to the narrow; undefined if only the server knows. */
export function matchesNarrow(
  narrow: Narrow,
  message: Pick<Message, "to" | "senderId" | "flags">,
  viewerId: number,
): boolean | undefined {
  let isKnown = true;
  for (const term of narrow) {
    const holds = matchesTerm(term, message, viewerId);
    if (holds === undefined) isKnown = false;
    else if (holds === (term.negated ?? false)) return false;
  }
  return isKnown ? true : undefined;
}

function matchesTerm(
  { operator, operand }: NarrowTerm,
  { to, senderId, flags }: Pick<Message, "to" | "senderId" | "flags">,
  viewerId: number,
): boolean | undefined {
  switch (operator) {
    case "channel":
      return to.kind === "channel" && to.channelId === operand;
    case "topic":
      return to.kind === "channel" && foldName(to.topic) === foldName(String(operand));
    case "dm":
      return to.kind === "direct" && peopleKey(to.userIds, viewerId) === peopleKey(operand, viewerId);
    case "sender":
      return typeof operand === "number" ? senderId === operand : undefined;
    case "is":
      if (operand === "starred") return flags.has("starred");
      if (operand === "unread") return !flags.has("read");
      if (operand === "dm") return to.kind === "direct";
      return operand === "mentioned" ? flags.has("mentioned") || flags.has("wildcard_mentioned") : undefined;
    default:
      return undefined;
  }
}

/** The people without the viewer, who may be listed or not. */
function peopleKey(userIds: unknown, viewerId: number): string {
  const ids = Array.isArray(userIds) ? (userIds as number[]) : [Number(userIds)];
  const others = ids.filter((id) => id !== viewerId);
  return (others.length > 0 ? others : [viewerId]).sort((a, b) => a - b).join();
}
