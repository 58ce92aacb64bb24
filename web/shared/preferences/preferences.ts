/**
 * What the account has set for the look and the use of this client, as signals. This browser keeps the look,
 * so that the first paint has it: the script in the page's HTML reads it before anything is painted.
 */
import { createEffect, createSignal } from "solid-js";
import { userSettings } from "../../../api/people/user-settings.ts";
import { hasCatalogue } from "../../i18n/t.ts";
import { live } from "../../ui/live.ts";
import { readStored, writeStored } from "../state/browser-storage.ts";
import { state } from "../state/state.ts";
import { type Density, densityOf, type Look, lookOf } from "./look.ts";

const STORED = "parley.look";
const LANGUAGE = "parley.language";

/** As the API numbers them. */
export const readPolicies = { always: 1, conversations: 2, never: 3 } as const;
export type HomeView = "inbox" | "recent_topics" | "all_messages";
export type Animation = "always" | "on_hover" | "never";

const [uses24Hours, setUses24Hours] = createSignal(false);
const [homeView, setHomeView] = createSignal<HomeView>("inbox");
const [readPolicy, setReadPolicy] = createSignal<number>(readPolicies.always);
const [animation, setAnimation] = createSignal<Animation>("on_hover");

export { animation, homeView, readPolicy, uses24Hours };

/** Without an account, the language that one had here, or the browser's first that has a catalogue. */
export function keptLanguage(): string {
  return readStored(LANGUAGE) ?? navigator.languages.find(hasCatalogue) ?? "en";
}

export function currentDensity(): Density {
  return densityOf(state.model.settings.get(userSettings.webLineHeightPercent));
}

/** Reads the settings now, so that the first screen is drawn by them, and then follows them. */
export function followPreferences(): void {
  const changed = live(["settings", "generation"], () => [] as const);
  read();
  createEffect(() => {
    changed();
    read();
  });
}

function read(): void {
  const { settings } = state.model;
  setUses24Hours(settings.get(userSettings.twentyFourHourTime));
  setHomeView(settings.get(userSettings.webHomeView));
  setReadPolicy(settings.get(userSettings.webMarkReadOnScrollPolicy));
  setAnimation(settings.get(userSettings.webAnimateImagePreviews));
  writeStored(LANGUAGE, settings.get(userSettings.defaultLanguage));
  showLook(
    lookOf({
      fontSizePx: settings.get(userSettings.webFontSizePx),
      lineHeightPercent: settings.get(userSettings.webLineHeightPercent),
      hasMoreContrast: settings.get(userSettings.highContrastMode),
      isFullWidth: settings.get(userSettings.fluidLayoutWidth),
    }),
  );
}

/** The same as the script in the page's HTML does with what was kept. */
function showLook(look: Look): void {
  const root = document.documentElement;
  root.style.setProperty("--text", String(look.text));
  for (const name of ["density", "contrast", "width"] as const) {
    const value = look.data[name];
    if (value === undefined) delete root.dataset[name];
    else root.dataset[name] = value;
  }
  writeStored(STORED, JSON.stringify(look));
}
