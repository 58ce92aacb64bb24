import { updateSettings } from "../../../api/people/users.ts";
import { reportFailure } from "../../ui/notice.ts";
import { state } from "../state/state.ts";
import { showChosen, themes } from "./account-theme.ts";
import type { Theme } from "./theme.ts";

/** The account keeps it, and other windows hear of it. */
export async function chooseTheme(theme: Theme): Promise<void> {
  showChosen(theme);
  const parameters = { color_scheme: themes.indexOf(theme) + 1 };
  const reply = await reportFailure(() =>
    state.track(() => state.connection.call(updateSettings, parameters)),
  );
  if (reply === undefined) showChosen(undefined);
}
