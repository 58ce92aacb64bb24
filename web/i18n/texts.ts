/**
 * Each language has a catalogue of the first screens, one of what is loaded later, and one of the settings.
 */
import english from "./en.json";
import type moreEnglish from "./more/en.json";
import type settingsEnglish from "./settings/en.json";

export type TextKey = keyof typeof english | keyof typeof moreEnglish | keyof typeof settingsEnglish;

/** By the code of the API. */
export type ErrorKey = `error.${string}`;

/** What `needTexts` has not loaded yet is absent. Errors of the API have texts in other languages alone. */
export type LoadedTexts = Readonly<Partial<Record<TextKey | ErrorKey, string>>>;

/** The catalogues that are not there from the start. */
export type LaterTexts = "more" | "settings";

export type Language = Readonly<Record<"first" | LaterTexts, () => Promise<LoadedTexts>>> & {
  /** For `Intl`. */
  readonly tag: string;
  /** The language of the texts, for the page. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
};

export const plainEnglish: Language = {
  tag: "en",
  lang: "en",
  dir: "ltr",
  first: async () => english,
  more: async () => (await import("./more/en.json")).default,
  settings: async () => (await import("./settings/en.json")).default,
};
