/** The theme is a setting of the account. `choose-theme.ts` changes it. */
import { createEffect, on } from "solid-js";
import { userSettings } from "../../../api/people/user-settings.ts";
import { live } from "../../ui/live.ts";
import { state } from "../state/state.ts";
import { setTheme, type Theme } from "./theme.ts";

/** In the order in which the API numbers them, from 1 on. */
export const themes: readonly Theme[] = ["system", "dark", "light"];

/** Chosen here, while the event that confirms it is on its way. Events of earlier choices don't count. */
let chosen: Theme | undefined;

export function followAccountTheme(): void {
  const scheme = live(["settings", "generation"], () => state.model.settings.get(userSettings.colorScheme));
  createEffect(
    on(scheme, (number) => {
      const theme = themes[Number(number) - 1] ?? "system";
      if (chosen === undefined || chosen === theme) {
        chosen = undefined;
        setTheme(theme);
      }
    }),
  );
}

/** Shows a theme that is being saved. undefined: it could not be saved, and the next event counts. */
export function showChosen(theme: Theme | undefined): void {
  chosen = theme;
  if (theme !== undefined) setTheme(theme);
}
