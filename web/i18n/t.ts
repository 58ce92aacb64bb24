/** Every text that people read goes through `t`. */
import { createSignal } from "solid-js";
import english from "./en.json";
import { format, type Values } from "./format.ts";
import {
  type ErrorKey,
  type Language,
  type LaterTexts,
  type LoadedTexts,
  plainEnglish,
  type TextKey,
} from "./texts.ts";

interface Shown {
  language: Language;
  texts: LoadedTexts;
}

const [current, setCurrent] = createSignal<Shown & { name: string }>({
  name: "en",
  language: plainEnglish,
  texts: english,
});
let wanted = "en";

/** Where a catalogue could not be fetched. */
const AGAIN_MS = 5000;

/** The text of an error is empty where its code has none in this language. */
export function t(key: TextKey | ErrorKey, values: Values = {}): string {
  const { language, texts } = current();
  return format(texts[key] ?? "", values, language.tag, language.dir === "rtl");
}

/** Whether it is what the first catalogue has in English. Texts that others have stored may be. */
export function isEnglish(key: TextKey, text: string): boolean {
  return (english as LoadedTexts)[key] === text;
}

export function language(): string {
  return current().language.tag;
}

/** Whether the texts of this language are the ones on the screen. */
export function hasLanguage(name: string): boolean {
  return current().name === name;
}

/**
 * Whether a language has texts of its own. `languages.ts` finds them, and is loaded after the choice of one.
 */
export function hasCatalogue(tag: string): boolean {
  return /^(ar|de|en|es|fr|ja|pt|zh(?!.*(hant|tw|hk|mo)))\b/i.test(tag);
}

const needed: LaterTexts[] = [];
/** `isWhole`: all that are needed, in their language. `isReadable`: all of them, if need be in English. */
let loaded = { isWhole: true, isReadable: true };
let lastLoad: Promise<void> = Promise.resolve();

export function useLanguage(name: string): Promise<void> {
  wanted = name;
  return reload();
}

/** Resolves when `t` knows the texts of that catalogue too. Without a network it fails as an import does. */
export async function needTexts(name: LaterTexts): Promise<void> {
  const isNew = !needed.includes(name);
  if (isNew) needed.push(name);
  await (isNew || !loaded.isWhole ? reload() : lastLoad);
  if (!loaded.isReadable) throw new TypeError("No texts.");
}

/** The texts of a load that another one has followed are not shown. */
function reload(): Promise<void> {
  const mine = load(() => lastLoad === mine);
  lastLoad = mine;
  return mine.then(() => (lastLoad === mine ? undefined : lastLoad));
}

async function load(isLast: () => boolean): Promise<void> {
  const name = wanted;
  const { language, texts, ...how } = await loadTexts(name);
  if (!isLast()) return;
  loaded = how;
  setCurrent({ name, language, texts });
  const { lang, dir } = language;
  Object.assign(document.documentElement, { lang, dir });
  if (!how.isWhole) setTimeout(() => isLast() && void reload(), AGAIN_MS);
}

/**
 * A catalogue that can't be fetched leaves the English texts, or what is shown, until it is asked for again.
 */
async function loadTexts(name: string): Promise<typeof loaded & Shown> {
  const find = async () =>
    name === "en" ? plainEnglish : (await import("./languages.ts")).findLanguage(name);
  for (const each of [find, () => plainEnglish]) {
    try {
      const language = await each();
      const parts = await Promise.all([language.first(), ...needed.map((later) => language[later]())]);
      return { language, texts: Object.assign({}, ...parts), isWhole: each === find, isReadable: true };
    } catch (error) {
      console.warn(error);
    }
  }
  const shown = current().name === name ? current() : { language: plainEnglish, texts: english };
  return { ...shown, isWhole: false, isReadable: needed.length === 0 };
}
