/**
 * The browser's formats, which are made once for each language. Making one takes a browser up to some
 * milliseconds, and lists use them for each of their rows.
 */
function oncePerLanguage<T>(make: (language: string) => T): (language: string) => T {
  const made = new Map<string, T>();
  return (language) => {
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}

const pluralRules = oncePerLanguage((language) => new Intl.PluralRules(language));
const numberFormat = oncePerLanguage((language) => new Intl.NumberFormat(language));
const collator = oncePerLanguage((language) => new Intl.Collator(language, { numeric: true }));
const wideList = oncePerLanguage((language) => new Intl.ListFormat(language));
const narrowList = oncePerLanguage((language) => new Intl.ListFormat(language, { style: "narrow" }));

/** In these languages, browsers need no table for plain texts, small numbers and their forms. */
const plainLanguages = /^(en|de)\b/;
const plainText = /^[a-z0-9 -]*$/;
const digit = /[0-9]/;

/** Which form of a text a count has. A browser needs 10 ms to make its first rules. */
export function pluralForm(count: number, language: string): string {
  if (plainLanguages.test(language)) return count === 1 ? "one" : "other";
  return pluralRules(language).select(count);
}

export function writeNumber(count: number, language: string): string {
  const isPlain = plainLanguages.test(language) && Number.isInteger(count) && count >= 0 && count < 1000;
  return isPlain ? String(count) : numberFormat(language).format(count);
}

/** In the order of the language's alphabet, and numbers by their value. */
export function compareTexts(one: string, other: string, language: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const isPlain = plainLanguages.test(language) && plainText.test(a) && plainText.test(b);
  if (!isPlain || (digit.test(a) && digit.test(b))) return collator(language).compare(one, other);
  return a < b ? -1 : Number(a > b);
}

/** Undefined where the language writes times in its own way. */
export function plainClock(date: Date, language: string, has24Hours: boolean): string | undefined {
  const [hours, minutes] = [date.getHours(), String(date.getMinutes()).padStart(2, "0")];
  if (!plainLanguages.test(language)) return undefined;
  if (has24Hours) return `${String(hours).padStart(2, "0")}:${minutes}`;
  return `${hours % 12 || 12}:${minutes}\u202f${hours < 12 ? "AM" : "PM"}`;
}

/** In one text. The first list that a browser joins takes it 16 ms. */
export function joinTexts(texts: readonly string[], language: string, style: "wide" | "narrow"): string {
  const last = texts.at(-1) ?? "";
  if (texts.length < 2) return last;
  const start = texts.slice(0, -1).join(", ");
  if (language === "de") return `${start} und ${last}`;
  if (language === "en" && style === "narrow") return `${start}, ${last}`;
  if (language === "en") return `${start}${texts.length > 2 ? "," : ""} and ${last}`;
  return (style === "wide" ? wideList : narrowList)(language).format(texts);
}
