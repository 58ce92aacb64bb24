import { PageText, type PageTextValues } from "./page.ts";

/** The texts of some pages, in each language. The English ones have the keys. */
interface PageCatalogue<K extends string> {
  en: Readonly<Record<K, string>>;
  de: Readonly<Record<K, string>>;
}

/**
 * Returns the function that gives a text by its key, with what stands for its `{names}`. A translation that
 * has other names than the English text is refused when the server starts.
 */
export function pageTexts<const K extends string>({
  en,
  de,
}: PageCatalogue<K>): (key: K, values?: PageTextValues) => PageText {
  for (const key of Object.keys(en) as K[]) {
    if (namesIn(en[key]) !== namesIn(de[key])) throw new Error(`the German text ${key} has other names`);
  }
  return (key, values = {}) => new PageText({ en: en[key], de: de[key] }, values);
}

function namesIn(text: string): string {
  return (text.match(/\{\w+\}/g) ?? []).sort().join(" ");
}
