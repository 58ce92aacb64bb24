/** The theme is a setting of the account: it comes from there, and goes there when it is chosen here. */
import { createEffect, on } from "solid-js";
import { userSettings } from "../../../api/user-settings.ts";
import { updateSettings } from "../../../api/users.ts";
import { live } from "../../ui/live.ts";
import { reportFailure } from "../../ui/notice.ts";
import { state } from "../state/state.ts";
import { setTheme, type Theme } from "./theme.ts";

/** In the order in which the API numbers them, from 1 on. */
const themes: readonly Theme[] = ["system", "dark", "light"];

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

export async function chooseTheme(theme: Theme): Promise<void> {
  chosen = theme;
  setTheme(theme);
  const parameters = { color_scheme: themes.indexOf(theme) + 1 };
  const reply = await reportFailure(() =>
    state.track(() => state.connection.call(updateSettings, parameters as never)),
  );
  if (reply === undefined) chosen = undefined;
}
