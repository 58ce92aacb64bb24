/**
 * Every text that people read goes through `t`. Each language has a catalogue of the first screens, one of
 * what is loaded later, and one of the settings.
 */
import { createSignal } from "solid-js";
import english from "./en.json";
import { format, pseudo, type Values } from "./format.ts";
import type moreEnglish from "./more/en.json";
import type settingsEnglish from "./settings/en.json";

export type TextKey = keyof typeof english | keyof typeof moreEnglish | keyof typeof settingsEnglish;
export type Catalogue = Readonly<Record<TextKey, string>>;

/** What `needTexts` has not loaded yet is absent. */
type LoadedTexts = Partial<Catalogue>;

const [current, setCurrent] = createSignal<{ name: string; language: string; texts: LoadedTexts }>({
  name: "en",
  language: "en",
  texts: english,
});
let wanted = "en";

/** Where a catalogue could not be fetched. */
const AGAIN_MS = 5000;

export function t(key: TextKey, values: Values = {}): string {
  const { language, texts } = current();
  return format(texts[key] ?? "", values, language);
}

/** Whether it is what the first catalogue has in English. Texts that others have stored may be. */
export function isEnglish(key: TextKey, text: string): boolean {
  return (english as LoadedTexts)[key] === text;
}

export function language(): string {
  return current().language;
}

/** Whether the texts of this language are the ones on the screen. */
export function hasLanguage(name: string): boolean {
  return current().name === name;
}

type Load = () => Promise<LoadedTexts>;

/** The catalogues that are not there from the start. */
export type LaterTexts = "more" | "settings";
type Loader = Readonly<Record<"first" | LaterTexts, Load>>;

/** With a catalogue, each under its own name. */
export const languages = [
  { code: "en", name: "English" },
  { code: "de", name: "Deutsch" },
] as const;

/** `de-AT` is German. */
export function hasCatalogue(tag: string): boolean {
  return languages.some(({ code }) => code === tag.slice(0, 2));
}

const englishLoader: Loader = {
  first: async () => english,
  more: async () => (await import("./more/en.json")).default,
  settings: async () => (await import("./settings/en.json")).default,
};

const loaders: Readonly<Record<string, Loader>> = {
  de: {
    first: async () => (await import("./de.json")).default,
    more: async () => (await import("./more/de.json")).default,
    settings: async () => (await import("./settings/de.json")).default,
  },
  // Shows what is not translated, and what breaks with long texts.
  "x-pseudo": {
    first: async () => pseudoTexts(english),
    more: async () => pseudoTexts(await englishLoader.more()),
    settings: async () => pseudoTexts(await englishLoader.settings()),
  },
};

const needed: LaterTexts[] = [];
/** `isWhole`: all that are needed, in their language. `isReadable`: all of them, if need be in English. */
let loaded = { isWhole: true, isReadable: true };
let lastLoad: Promise<void> = Promise.resolve();

/** Languages without a catalogue get English texts, with their own dates and numbers. */
export function useLanguage(name: string): Promise<void> {
  wanted = name;
  return reload();
}

/** Resolves when `t` knows the texts of that catalogue too. Without a network it fails as an import does. */
export async function needTexts(name: LaterTexts): Promise<void> {
  const isNew = !needed.includes(name);
  if (isNew) needed.push(name);
  await (isNew || !loaded.isWhole ? reload() : lastLoad);
  if (!loaded.isReadable) throw new TypeError("The texts could not be fetched.");
}

/** The texts of a load that another one has followed are not shown. */
function reload(): Promise<void> {
  const mine = load(() => lastLoad === mine);
  lastLoad = mine;
  return mine.then(() => (lastLoad === mine ? undefined : lastLoad));
}

async function load(isLast: () => boolean): Promise<void> {
  const name = wanted;
  const tag = tagOf(name);
  const [base = "en"] = tag.split("-");
  const { texts, ...how } = await loadTexts(loaders[name] ?? loaders[base] ?? englishLoader);
  if (!isLast()) return;
  loaded = how;
  setCurrent({ name, language: tag, texts });
  document.documentElement.lang = tag;
  document.documentElement.dir = ["ar", "fa", "he", "ur"].includes(base) ? "rtl" : "ltr";
  if (!how.isWhole) setTimeout(() => isLast() && void reload(), AGAIN_MS);
}

/**
 * A catalogue that can't be fetched leaves the English texts, or what is shown, until it is asked for again.
 */
async function loadTexts(loader: Loader): Promise<typeof loaded & { texts: LoadedTexts }> {
  for (const each of new Set([loader, englishLoader])) {
    try {
      const parts = await Promise.all([each.first(), ...needed.map((name) => each[name]())]);
      return { texts: Object.assign({}, ...parts), isWhole: each === loader, isReadable: true };
    } catch (error) {
      console.warn(error);
    }
  }
  const shown = current().name === wanted ? current().texts : {};
  return { texts: { ...english, ...shown }, isWhole: false, isReadable: needed.length === 0 };
}

/** What `Intl` takes. The API also knows names such as `pt_BR`. */
function tagOf(name: string): string {
  if (name === "x-pseudo") return "en";
  const tag = name.replaceAll("_", "-");
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? "en";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return "en";
  }
}

function pseudoTexts(texts: LoadedTexts): LoadedTexts {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudo(text)]));
}
