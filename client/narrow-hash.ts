/**
 * A narrow as the hash of an address, in the grammar that links in messages have:
 * `#narrow/channel/4-design/topic/dark.20mode/near/123`. Percent signs are written as dots.
 */
import type { Narrow, NarrowTerm } from "./narrow.ts";

export interface PlaceInMessages {
  narrow: Narrow;
  /** The message to open at. */
  near?: number;
  /** A message that the topic is followed by, should it have moved. */
  with?: number;
}

/** Names are in addresses for people's eyes. */
interface Names {
  channel(id: number): string | undefined;
}

const older: Readonly<Record<string, string>> = {
  stream: "channel",
  subject: "topic",
  "pm-with": "dm",
  from: "sender",
  "group-pm-with": "dm-including",
};

/** undefined if the hash is not of a narrow or can't be read. */
export function parseNarrowHash(hash: string): PlaceInMessages | undefined {
  const [first, ...parts] = hash.replace(/^#/, "").split("/");
  if (first !== "narrow" || parts.length === 0 || parts.length % 2 !== 0) return undefined;
  const narrow: NarrowTerm[] = [];
  const place: PlaceInMessages = { narrow };
  for (let at = 0; at < parts.length; at += 2) {
    const [word, operand] = [decodePart(parts[at] ?? ""), decodePart(parts[at + 1] ?? "")];
    if (word === undefined || operand === undefined) return undefined;
    const negated = word.startsWith("-");
    const name = negated ? word.slice(1) : word;
    const operator = older[name] ?? name;
    if (operator === "near" || operator === "with") {
      if (!/^\d{1,15}$/.test(operand)) return undefined;
      place[operator] = Number(operand);
      continue;
    }
    narrow.push({ operator, operand: readOperand(operator, operand), ...(negated && { negated }) });
  }
  return place;
}

/** An id may have a name behind it; an older address has the name alone, which only the server can read. */
function readOperand(operator: string, text: string): NarrowTerm["operand"] {
  if (operator === "channel" || operator === "sender" || operator === "mentions") {
    const id = /^(\d{1,15})(-|$)/.exec(text)?.[1];
    return id === undefined ? text : Number(id);
  }
  if (operator === "id") return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (operator !== "dm" && operator !== "dm-including") return text;
  const ids = /^(\d{1,15}(?:,\d{1,15})*)(-|$)/.exec(text)?.[1];
  return ids?.split(",").map(Number) ?? text;
}

export function hashOfNarrow({ narrow, near, ...more }: PlaceInMessages, names?: Names): string {
  const parts = narrow.flatMap(({ operator, operand, negated }) => [
    `${negated ? "-" : ""}${operator}`,
    encodePart(writeOperand(operator, operand, names)),
  ]);
  if (more.with !== undefined) parts.push("with", String(more.with));
  if (near !== undefined) parts.push("near", String(near));
  return parts.length === 0 ? "#feed" : `#narrow/${parts.join("/")}`;
}

function writeOperand(operator: string, operand: NarrowTerm["operand"], names: Names | undefined): string {
  const name = operator === "channel" && typeof operand === "number" ? names?.channel(operand) : undefined;
  return name === undefined ? String(operand) : `${operand}-${name.replace(/[\s/]+/g, "-")}`;
}

function encodePart(text: string): string {
  const wellFormed = text.replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    "\ufffd",
  );
  return encodeURIComponent(wellFormed)
    .replace(/\./g, "%2E")
    .replace(/\(/g, "%28")
    .replace(/\)/g, "%29")
    .replace(/%/g, ".");
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/\./g, "%"));
  } catch {
    return undefined;
  }
}
