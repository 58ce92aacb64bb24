/**
 * A search as text and as the terms of a narrow. Every text is a search: what is no operator is a word. What
 * `formatSearch` writes, `parseSearch` reads as the same terms.
 */
import type { Narrow, NarrowTerm } from "../narrow.ts";
import { readId, type SearchNames } from "./names.ts";
import { findOperator, readChoice } from "./operators.ts";
import { type SearchToken, searchTokens, writeValue } from "./tokens.ts";

export interface Search {
  narrow: Narrow;
  /** The message to open at. */
  near: number | undefined;
}

/** A name of more words than this has to be in quotation marks. */
const MAX_NAME_WORDS = 4;

export function parseSearch(text: string, names: SearchNames): Search {
  const tokens = joinNames(searchTokens(text), text, names);
  const narrow: NarrowTerm[] = [];
  const words: string[] = [];
  let wordsAt: number | undefined;
  let near: number | undefined;
  for (const token of tokens) {
    const { operator, isNegated } = token;
    const term = termOf(token, names);
    if (operator?.name === "near" && term) near = Number(term.operand);
    else if (term) narrow.push(term);
    else if (isNegated && !operator) narrow.push({ operator: "search", operand: token.value, negated: true });
    else {
      wordsAt ??= narrow.length;
      words.push(operator ? text.slice(token.start, token.end) : token.value);
    }
  }
  if (wordsAt !== undefined) narrow.splice(wordsAt, 0, { operator: "search", operand: words.join(" ") });
  return { narrow, near };
}

/** undefined: the token is text. */
export function termOf(
  { operator, value, isNegated }: SearchToken,
  names: SearchNames,
): NarrowTerm | undefined {
  if (!operator) return undefined;
  const operand = readOperand(operator, value, names);
  if (operand === undefined || (operator.name === "near" && isNegated)) return undefined;
  return { operator: operator.name, operand, ...(isNegated && { negated: true }) };
}

/** Names that nobody has stay as they are, so that the search can say so. */
function readOperand(
  { name, kind }: NonNullable<SearchToken["operator"]>,
  value: string,
  names: SearchNames,
): NarrowTerm["operand"] | undefined {
  switch (kind) {
    case "channel":
      return names.channelId(value) ?? value;
    case "person":
      return value.toLowerCase() === "me" ? "me" : (names.userId(value) ?? value);
    case "people": {
      const ids = value.split(",").map((one) => names.userId(one.trim()));
      const known = ids.filter((id) => id !== undefined);
      return known.length < ids.length ? value : [...new Set(known)].sort((a, b) => a - b);
    }
    case "choice":
      return readChoice(value);
    case "id":
      return readId(value);
    case "text":
      return name === "topic" ? value.trim() : value;
  }
}

/** `sender:Ada Lovelace` without quotation marks: words that make the name whole belong to it. */
function joinNames(tokens: readonly SearchToken[], text: string, names: SearchNames): SearchToken[] {
  const joined: SearchToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as SearchToken;
    const last = token.isQuoted ? at : lastOfName(tokens, at, text, names);
    const end = tokens[last]?.end ?? token.end;
    const start = token.end - token.value.length;
    joined.push(last === at ? token : { ...token, end, value: text.slice(start, end) });
    at = last;
  }
  return joined;
}

function lastOfName(tokens: readonly SearchToken[], at: number, text: string, names: SearchNames): number {
  const { operator, end, value } = tokens[at] as SearchToken;
  if (operator?.kind !== "channel" && operator?.kind !== "person") return at;
  const find = operator.kind === "channel" ? names.channelId : names.userId;
  let last = at;
  for (let next = at + 1; next < Math.min(tokens.length, at + MAX_NAME_WORDS); next++) {
    const word = tokens[next] as SearchToken;
    if (word.operator || word.isQuoted || word.isNegated) break;
    if (find(text.slice(end - value.length, word.end)) !== undefined) last = next;
  }
  return last;
}

export function formatSearch({ narrow, near }: Search, names: SearchNames): string {
  const plain = write({ narrow, near }, names, false);
  return isSame(parseSearch(plain, names), { narrow, near }) ? plain : write({ narrow, near }, names, true);
}

function isSame(a: Search, b: Search): boolean {
  const text = ({ narrow, near }: Search) =>
    JSON.stringify([narrow.map((term) => [term.operator, term.operand, term.negated ?? false]), near]);
  return text(a) === text(b);
}

function write({ narrow, near }: Search, names: SearchNames, isQuoted: boolean): string {
  const terms = narrow.map((term) => formatTerm(term, names, isQuoted));
  return [...terms, ...(near === undefined ? [] : [`near:${near}`])].join(" ");
}

export function formatTerm(
  { operator, operand, negated }: NarrowTerm,
  names: SearchNames,
  isQuoted = false,
): string {
  const isWords = operator === "search" && !isQuoted;
  const sign = negated ? "-" : "";
  if (isWords) return `${sign}${operand}`;
  return `${sign}${operator}:${writeValue(operandText(operator, operand, names), isQuoted)}`;
}

/** The value as people read it. Where a name would be read as another one, the id stands for it. */
export function operandText(operator: string, operand: NarrowTerm["operand"], names: SearchNames): string {
  const kind = findOperator(operator)?.kind;
  if (kind === "channel" && typeof operand === "number") {
    const name = names.channelName(operand);
    return name !== undefined && names.channelId(name) === operand ? name : String(operand);
  }
  const person = (id: number) => {
    const name = names.userName(id);
    const forms = name === undefined || /^me$|,/i.test(name) ? [] : [name, `${name}|${id}`];
    return forms.find((form) => names.userId(form) === id) ?? String(id);
  };
  if (kind === "person" && typeof operand === "number") return person(operand);
  if (typeof operand === "object") return operand.map(person).join(", ");
  return String(operand);
}
