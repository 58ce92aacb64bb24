/** The pieces of a typed search: operators with their values, and words. */
import { findOperator, type SearchOperator } from "./operators.ts";

export interface SearchToken {
  start: number;
  end: number;
  isNegated: boolean;
  /** undefined: a word or a phrase. */
  operator: SearchOperator | undefined;
  /** Without quotation marks and escapes if it belongs to an operator. A phrase keeps its marks. */
  value: string;
  isQuoted: boolean;
}

/** Phones write other quotation marks than programs. */
const MARKS = '"“”„‟';

const isSpace = (character: string | undefined) => character !== undefined && /\s/.test(character);
const isMark = (character: string | undefined) => character !== undefined && MARKS.includes(character);

export function searchTokens(text: string): SearchToken[] {
  const tokens: SearchToken[] = [];
  let at = 0;
  while (at < text.length) {
    if (isSpace(text[at])) at++;
    else {
      const token = readToken(text, at);
      tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

function readToken(text: string, start: number): SearchToken {
  const isNegated = text[start] === "-" && /^[\p{L}\p{N}"“”„‟]/u.test(text.slice(start + 1, start + 3));
  const from = start + (isNegated ? 1 : 0);
  const word = /^[a-z-]{1,20}(?=:)/i.exec(text.slice(from, from + 21))?.[0];
  const operator = word === undefined ? undefined : findOperator(word);
  if (operator && word !== undefined) {
    const { value, end, isQuoted } = readValue(text, from + word.length + 1);
    if (value !== "" || isQuoted) return { start, end, isNegated, operator, value, isQuoted };
  }
  const end = endOfWords(text, from);
  const value = text.slice(from, end).replace(/[“”„‟]/g, '"');
  return { start, end, isNegated, operator: undefined, value, isQuoted: value.startsWith('"') };
}

function readValue(text: string, start: number): { value: string; end: number; isQuoted: boolean } {
  if (!isMark(text[start])) {
    let end = start;
    while (end < text.length && !isSpace(text[end])) end++;
    return { value: text.slice(start, end), end, isQuoted: false };
  }
  let value = "";
  let at = start + 1;
  while (at < text.length && !isMark(text[at])) {
    if (text[at] === "\\" && at + 1 < text.length) at++;
    value += text[at++];
  }
  return { value, end: Math.min(text.length, at + 1), isQuoted: true };
}

/** A space in a phrase does not end it. */
function endOfWords(text: string, start: number): number {
  let isInPhrase = false;
  let at = start;
  for (; at < text.length; at++) {
    if (isMark(text[at])) isInPhrase = !isInPhrase;
    else if (!isInPhrase && isSpace(text[at])) break;
  }
  return at;
}

/** As the value of an operator. */
export function writeValue(value: string, isAlwaysQuoted: boolean): string {
  if (!isAlwaysQuoted && value !== "" && !/[\s"“”„‟]/.test(value)) return value;
  return `"${value.replace(/[\\"“”„‟]/g, "\\$&")}"`;
}
