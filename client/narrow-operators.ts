/**
 * The operators of narrows: which messages match, as far as a client can say, and which changes make other
 * messages match. Arrivals, moves, deletions and changed access concern every narrow, so they are not listed.
 */

import { isResolvedTopic } from "../api/channels/topic-name.ts";
import { foldName } from "../api/fold-name.ts";
import type { Message } from "./model/messages.ts";
import type { NarrowTerm } from "./narrow.ts";

/** What an event changes that a narrow may ask for. */
export const changeKinds = [
  ...(["arrival", "move", "deletion", "edit", "reaction", "star", "read", "unread"] as const),
  ...(["topicPolicy", "muting", "subscription", "access"] as const),
] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** What decides about a message. */
export type NarrowedMessage = Pick<Message, "id" | "to" | "senderId" | "flags" | "reactions">;

type Operand = NarrowTerm["operand"];

export interface NarrowOperator {
  /** undefined: only the server knows. */
  matches(message: NarrowedMessage, operand: Operand, viewerId: number): boolean | undefined;
  dependsOn?: readonly ChangeKind[];
  /** Messages that no longer match after such changes stay until the next visit. */
  staysAfter?: readonly ChangeKind[];
  /**
   * Whether messages that the viewer did not receive match too, as those of a channel do. False: not even if
   * another term would let them.
   */
  withHistory?: boolean;
}

/** What concerns every narrow. */
const always: ReadonlySet<ChangeKind> = new Set(["arrival", "move", "deletion", "access"]);

const onlyServerKnows = () => undefined;
const isOfChannel = ({ to }: NarrowedMessage) => to.kind === "channel";
const isDirect = ({ to }: NarrowedMessage) => to.kind === "direct";
const isFlagged =
  (flag: string) =>
  ({ flags }: NarrowedMessage) =>
    flags.has(flag);
const ofContent: NarrowOperator = { matches: onlyServerKnows, dependsOn: ["edit"] };
const ofSubscriptions: readonly ChangeKind[] = ["topicPolicy", "muting", "subscription"];

/** By the operator, or by operator and value. */
export const narrowOperators: Readonly<Record<string, NarrowOperator>> = {
  channel: {
    // An old address may have a name, which only the server can read.
    matches: ({ to }, operand) =>
      typeof operand === "number" ? to.kind === "channel" && to.channelId === operand : undefined,
    withHistory: true,
  },
  "channels:all": { matches: isOfChannel, withHistory: true },
  "channels:public": { matches: onlyServerKnows, withHistory: true },
  "channels:web-public": { matches: onlyServerKnows, withHistory: true },
  topic: {
    matches: ({ to }, operand) => to.kind === "channel" && foldName(to.topic) === foldName(String(operand)),
  },
  dm: {
    matches: ({ to }, operand, viewerId) => {
      if (typeof operand === "string") return undefined;
      return to.kind === "direct" && peopleKey(to.userIds, viewerId) === peopleKey(operand, viewerId);
    },
  },
  "dm-including": {
    matches: ({ to }, operand) => {
      if (typeof operand === "string") return undefined;
      return to.kind === "direct" && [operand].flat().every((id) => to.userIds.includes(id));
    },
  },
  sender: {
    matches: ({ senderId }, operand, viewerId) => {
      if (operand === "me") return senderId === viewerId;
      return typeof operand === "number" ? senderId === operand : undefined;
    },
  },
  mentions: ofContent,
  "is:unread": {
    matches: ({ flags }) => !flags.has("read"),
    dependsOn: ["unread", "read", "subscription"],
    staysAfter: ["read", "subscription"],
    withHistory: true,
  },
  "is:starred": { matches: isFlagged("starred"), dependsOn: ["star"], withHistory: true },
  "is:mentioned": {
    matches: ({ flags }) => flags.has("mentioned") || flags.has("wildcard_mentioned"),
    dependsOn: ["edit"],
  },
  "is:alerted": { matches: isFlagged("has_alert_word"), dependsOn: ["edit"], withHistory: false },
  "is:dm": { matches: isDirect },
  "is:followed": { matches: onlyServerKnows, dependsOn: ["topicPolicy"] },
  "is:muted": { matches: onlyServerKnows, dependsOn: ofSubscriptions },
  "is:resolved": { matches: ({ to }) => to.kind === "channel" && isResolvedTopic(to.topic) },
  "has:link": ofContent,
  "has:image": ofContent,
  "has:attachment": ofContent,
  "has:reaction": { matches: ({ reactions }) => reactions.length > 0, dependsOn: ["reaction"] },
  "in:home": { matches: onlyServerKnows, dependsOn: ofSubscriptions },
  "in:all": { matches: () => true },
  near: { matches: () => true },
  id: { matches: ({ id }, operand) => id === Number(operand), withHistory: true },
  search: ofContent,
};

const unknownOperator: NarrowOperator = { matches: onlyServerKnows, dependsOn: changeKinds };

export function operatorOf({ operator, operand }: NarrowTerm): NarrowOperator {
  return narrowOperators[`${operator}:${operand}`] ?? narrowOperators[operator] ?? unknownOperator;
}

export function isWithHistory(narrow: readonly NarrowTerm[]): boolean {
  const told = narrow.filter(({ negated }) => !negated).map((term) => operatorOf(term).withHistory);
  return told.includes(true) && !told.includes(false);
}

export function isConcerned(narrow: readonly NarrowTerm[], kind: ChangeKind): boolean {
  return always.has(kind) || narrow.some((term) => operatorOf(term).dependsOn?.includes(kind));
}

/** Whether messages that stop matching after such a change are to stay on the screen. */
export function staysAfter(narrow: readonly NarrowTerm[], kind: ChangeKind): boolean {
  return narrow.some((term) => !term.negated && operatorOf(term).staysAfter?.includes(kind));
}

/** Whether the narrow lists what is still to be done, so that it is asked for at each visit. */
export function beginsAnew(narrow: readonly NarrowTerm[]): boolean {
  return narrow.some((term) => !term.negated && operatorOf(term).staysAfter !== undefined);
}

/** Whether every message of the narrow is a direct one. */
export function isOfDirect(narrow: readonly NarrowTerm[]): boolean {
  return narrow.some(
    ({ operator, operand, negated }) =>
      !negated &&
      (operator === "dm" || operator === "dm-including" || (operator === "is" && operand === "dm")),
  );
}

/** Whether what happens to a single message may make it match. */
export function dependsOnTexts(narrow: readonly NarrowTerm[]): boolean {
  return isConcerned(narrow, "edit") || isConcerned(narrow, "reaction");
}

/** Whether the narrow asks for several channels, or for one by its name. */
export function namesChannels(narrow: readonly NarrowTerm[]): boolean {
  return narrow.some(
    ({ operator, operand, negated }) =>
      !negated && (operator === "channels" || (operator === "channel" && typeof operand !== "number")),
  );
}

/** The one channel that the narrow is confined to. */
export function channelOf(narrow: readonly NarrowTerm[]): number | undefined {
  const term = narrow.find(({ operator, negated }) => operator === "channel" && !negated);
  return typeof term?.operand === "number" ? term.operand : undefined;
}

/** The people without the viewer, who may be listed or not. */
function peopleKey(userIds: number | readonly number[], viewerId: number): string {
  const others = [userIds].flat().filter((id) => id !== viewerId);
  return (others.length > 0 ? others : [viewerId]).sort((a, b) => a - b).join();
}
