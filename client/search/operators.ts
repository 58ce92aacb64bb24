/** The operators of searches, as people type them, and which of them go together. */
import type { NarrowTerm } from "../narrow.ts";

/** How the value of an operator is read. */
export type OperandKind = "channel" | "person" | "people" | "choice" | "text" | "id";

export interface SearchOperator {
  name: string;
  kind: OperandKind;
  /** The values of a choice. */
  values?: readonly string[];
}

export const searchOperators: readonly SearchOperator[] = [
  { name: "channel", kind: "channel" },
  { name: "topic", kind: "text" },
  { name: "sender", kind: "person" },
  { name: "dm", kind: "people" },
  { name: "dm-including", kind: "people" },
  {
    name: "is",
    kind: "choice",
    values: ["unread", "starred", "mentioned", "dm", "alerted", "followed", "resolved", "muted"],
  },
  { name: "has", kind: "choice", values: ["link", "image", "attachment", "reaction"] },
  { name: "mentions", kind: "person" },
  { name: "channels", kind: "choice", values: ["public", "web-public", "all"] },
  { name: "in", kind: "choice", values: ["home", "all"] },
  { name: "near", kind: "id" },
  { name: "id", kind: "id" },
  { name: "search", kind: "text" },
];

const byName = new Map(searchOperators.map((one) => [one.name, one]));

/** What older clients and their people call them. */
const older: Readonly<Record<string, string>> = {
  stream: "channel",
  streams: "channels",
  subject: "topic",
  from: "sender",
  "pm-with": "dm",
  "group-pm-with": "dm-including",
};

export function findOperator(typed: string): SearchOperator | undefined {
  const name = typed.toLowerCase();
  return byName.get(older[name] ?? name);
}

/** Values that people type in another form. */
const otherValues: Readonly<Record<string, string>> = {
  links: "link",
  images: "image",
  attachments: "attachment",
  reactions: "reaction",
  private: "dm",
};

export function readChoice(typed: string): string {
  const value = typed.toLowerCase();
  return otherValues[value] ?? value;
}

const once = new Set(["channel", "topic", "sender", "dm", "near", "id", "channels", "in"]);
const ofChannels = new Set(["channel", "channels", "topic"]);
const ofDirect = new Set(["dm", "dm-including"]);

/** Whether messages can match the terms and one with this operator too. */
export function canFollow(operator: string, isNegated: boolean, terms: readonly NarrowTerm[]): boolean {
  if (isNegated) return operator !== "near" && operator !== "in";
  const positive = terms.filter(({ negated }) => !negated).map((term) => term.operator);
  if (once.has(operator) && positive.includes(operator)) return false;
  const isDirect = terms.some((term) => term.operator === "is" && term.operand === "dm" && !term.negated);
  if (ofChannels.has(operator)) return !isDirect && !positive.some((one) => ofDirect.has(one));
  if (ofDirect.has(operator)) return !positive.some((one) => ofChannels.has(one));
  return true;
}
