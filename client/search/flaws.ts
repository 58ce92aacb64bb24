/** Why a search can't be answered. Nothing is asked of the server then. */
import type { Model } from "../model/model.ts";
import type { Narrow, NarrowTerm } from "../narrow.ts";
import { namesOf } from "./names.ts";
import { findOperator } from "./operators.ts";

export interface SearchFlaw {
  kind: "operator" | "channel" | "person" | "value" | "both" | "tooLong" | "tooMany";
  /** What was typed. */
  text: string;
  /** For an unknown value. */
  operator?: string;
  values?: readonly string[];
}

/** The server reads no more characters of words than these, and takes no more terms. */
export const MAX_SEARCH_LENGTH = 2000;
const MAX_TERMS = 100;

export function findFlaw(narrow: Narrow, model: Model): SearchFlaw | undefined {
  if (narrow.length > MAX_TERMS) return { kind: "tooMany", text: String(MAX_TERMS) };
  for (const term of narrow) {
    const flaw = flawOf(term, model);
    if (flaw) return flaw;
  }
  const has = (names: readonly string[], isDirect: boolean) =>
    narrow.some(
      ({ operator, operand, negated }) =>
        !negated && (names.includes(operator) || (isDirect && operator === "is" && operand === "dm")),
    );
  const isBoth = has(["channel", "channels", "topic"], false) && has(["dm", "dm-including"], true);
  return isBoth ? { kind: "both", text: "" } : undefined;
}

function flawOf({ operator, operand }: NarrowTerm, model: Model): SearchFlaw | undefined {
  const known = findOperator(operator);
  if (!known) return { kind: "operator", text: operator };
  const text = String(operand);
  if (known.kind === "text")
    return text.length > MAX_SEARCH_LENGTH ? { kind: "tooLong", text: String(MAX_SEARCH_LENGTH) } : undefined;
  if (known.kind === "choice")
    return known.values?.includes(text)
      ? undefined
      : { kind: "value", text, operator, values: known.values ?? [] };
  if (known.kind === "id") return undefined;
  const names = namesOf(model);
  if (known.kind === "channel") {
    const id = typeof operand === "number" ? operand : names.channelId(text);
    return id !== undefined && model.channels.get(id) ? undefined : { kind: "channel", text };
  }
  const people = typeof operand === "string" ? operand.split(",") : [operand].flat();
  const isKnown = (one: number | string) => typeof one === "number" || names.userId(one.trim()) !== undefined;
  return people.every(isKnown) ? undefined : { kind: "person", text };
}
