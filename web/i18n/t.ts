/** Every text that people read goes through `t`. The catalogues are one file for each language. */
import { createSignal } from "solid-js";
import english from "./en.json";
import { format, pseudo, type Values } from "./format.ts";

export type TextKey = keyof typeof english;
export type Catalogue = Readonly<Record<TextKey, string>>;

const [current, setCurrent] = createSignal<{ language: string; texts: Catalogue }>({
  language: "en",
  texts: english,
});

export function t(key: TextKey, values: Values = {}): string {
  const { language, texts } = current();
  return format(texts[key], values, language);
}

export function language(): string {
  return current().language;
}

const loaders: Readonly<Record<string, () => Promise<Catalogue>>> = {
  de: async () => (await import("./de.json")).default,
  // Shows what is not translated, and what breaks with long texts.
  "x-pseudo": async () =>
    Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudo(text)])) as Catalogue,
};

/** Languages without a catalogue get English texts, with their own dates and numbers. */
export async function useLanguage(wanted: string): Promise<void> {
  const [base = "en"] = wanted.split("-");
  const load = loaders[wanted] ?? loaders[base];
  const texts = load ? await load() : english;
  setCurrent({ language: wanted === "x-pseudo" ? "en" : wanted, texts });
  document.documentElement.lang = wanted === "x-pseudo" ? "en" : wanted;
  document.documentElement.dir = ["ar", "fa", "he", "ur"].includes(base) ? "rtl" : "ltr";
}
