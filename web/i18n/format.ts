import { shortCount } from "../shared/text/short-count.ts";
import { pluralForm, writeNumber } from "./intl.ts";

/**
 * Fills in a text of a catalogue: `{name}`, and `{count, plural, one {# item} other {# items}}`. `#+` is a
 * count as `shortCount` writes it.
 */
export type Values = Readonly<Record<string, string | number>>;

const PLURAL = /\{(\w+), plural, ((?:\w+ \{[^{}]*\} ?)+)\}/g;

export function format(text: string, values: Values, language: string): string {
  return text
    .replace(PLURAL, (_whole, name: string, forms: string) => choose(forms, Number(values[name]), language))
    .replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? ""));
}

function choose(forms: string, count: number, language: string): string {
  const byCategory = new Map(
    [...forms.matchAll(/(\w+) \{([^{}]*)\}/g)].map(([, name, text]) => [name, text]),
  );
  const form = byCategory.get(pluralForm(count, language)) ?? byCategory.get("other") ?? "";
  return form.replace(/#(\+?)/, (_sign, short) => (short ? shortCount(count) : writeNumber(count, language)));
}

/** A text that shows what was not translated, and is as long as long languages are. */
export function pseudo(text: string): string {
  const letters = text.replace(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[aeiou]/g, (part) =>
    part.length > 1 ? part : ({ a: "á", e: "ë", i: "ï", o: "ö", u: "ü" }[part] ?? part),
  );
  return `[${letters} ${"~".repeat(Math.ceil(text.length / 3))}]`;
}
