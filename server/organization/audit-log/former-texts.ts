/** Finds the names and addresses of a person whose account was erased in texts about other things. */

import { escapeRegExp } from "../../platform/std/escape-regexp.ts";

/** A shorter name, such as "in" or "Jo", is part of too much that is not about the person. */
const SHORTEST_PIECE = 4;

/** What a letter may be joined by to others, as in an address or a name of two parts. */
const LETTER = String.raw`[\p{L}\p{M}\p{N}]`;
const JOINT = "[._@+-]";

/** The text without the person; the same text if it does not name them. */
export type Neutralize = (text: string) => string;

/**
 * Puts the neutral name in the place of each of the texts, in any case. Only a whole name or address counts,
 * not a part of a longer one. A text of less than 4 characters counts only if there is nothing beside it.
 */
export function neutralizer(texts: readonly string[], neutralName: string): Neutralize {
  const whole = new Set(texts.map((text) => text.toLowerCase()));
  const pieces = [...whole].filter((text) => [...text].length >= SHORTEST_PIECE);
  // The longest first: an address may have a name in it.
  pieces.sort((one, other) => other.length - one.length);
  const pattern = new RegExp(
    `(?<!${LETTER}|${LETTER}${JOINT})(?:${pieces.map(escapeRegExp).join("|")})(?!${LETTER}|${JOINT}${LETTER})`,
    "giu",
  );
  return (text) => {
    if (whole.has(text.toLowerCase())) return neutralName;
    return pieces.length === 0 ? text : text.replace(pattern, () => neutralName);
  };
}
