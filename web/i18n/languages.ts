/**
 * Finds the catalogue for a language, for all languages but English. The files in this folder are the list:
 * the build makes a file of each, and only those of one language are fetched.
 */
import english from "./en.json";
import { pseudo, pseudoFromRight } from "./pseudo.ts";
import { type Language, type LoadedTexts, plainEnglish } from "./texts.ts";

const files = import.meta.glob<LoadedTexts>(["./*.json", "./*/*.json", "!./en.json", "!./*/en.json"], {
  import: "default",
});

/** Scripts that are written from the right. */
const fromRight = "Arab Hebr Syrc Thaa Nkoo Adlm Rohg Mand Samr".split(" ");

/** Without a catalogue for it, a language gets English texts, with its own dates and numbers. */
export function findLanguage(name: string): Language {
  if (name === "x-pseudo") return changedEnglish(pseudo, "ltr");
  if (name === "x-pseudo-rtl") return changedEnglish(pseudoFromRight, "rtl");
  const tag = tagOf(name);
  const code = catalogueFor(tag);
  const usual = usualTag(tag);
  if (code === undefined) return { ...plainEnglish, tag: usual, lang: /^en\b/.test(tag) ? tag : "en" };
  const load = async (folder: string) => (await files[`./${folder}${code}.json`]?.()) ?? {};
  return {
    tag: usual,
    lang: tag,
    dir: directionOf(code),
    first: () => load(""),
    more: async () => Object.assign({}, ...(await Promise.all([load("more/"), load("errors/")]))),
    settings: () => load("settings/"),
  };
}

/** The name of the best catalogue: that of the region or the script, then that of the language. */
export function catalogueFor(tag: string): string | undefined {
  const { language, script, region } = new Intl.Locale(tag).maximize();
  const usual = new Intl.Locale(language).maximize();
  const names = [`${language}-${region}`, `${language}-${script}`];
  // Traditional Chinese is no reading for those who read the simplified signs, nor the other way round.
  if (usual.script === script) names.push(language, `${language}-${usual.region}`);
  return names.find((name) => `./${name}.json` in files);
}

export function directionOf(tag: string): Language["dir"] {
  return fromRight.includes(new Intl.Locale(tag).maximize().script ?? "") ? "rtl" : "ltr";
}

/** What `Intl` takes. The API also knows names such as `pt_BR`. */
export function tagOf(name: string): string {
  try {
    return Intl.getCanonicalLocales(name.replaceAll("_", "-"))[0] ?? "en";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return "en";
  }
}

/**
 * One calendar and one kind of digits for the whole screen. Messages, counts and what people type have these,
 * while some languages would get dates of another calendar and digits of their own beside them.
 */
function usualTag(tag: string): string {
  const { calendar, numberingSystem } = new Intl.DateTimeFormat(tag).resolvedOptions();
  const isUsual = calendar === "gregory" && numberingSystem === "latn";
  return isUsual || tag.includes("-u-") ? tag : `${tag}-u-ca-gregory-nu-latn`;
}

function changedEnglish(change: (text: string) => string, dir: Language["dir"]): Language {
  const changed = (texts: LoadedTexts): LoadedTexts =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, change(text ?? "")]));
  return {
    tag: "en",
    lang: "en",
    dir,
    first: async () => changed(english),
    more: async () =>
      changed({ ...(await plainEnglish.more()), ...(await import("./errors/en.json")).default }),
    settings: async () => changed(await plainEnglish.settings()),
  };
}
