import "./styles/all.css";
import { createEffect, createMemo, createSignal } from "solid-js";
import { render } from "solid-js/web";
import { userSettings } from "../api/people/user-settings.ts";
import { hasLanguage, useLanguage } from "./i18n/t.ts";
import { eraseSavedTexts } from "./shared/compose/texts.ts";
import { keepOutbox } from "./shared/outbox/keep-outbox.ts";
import { installWorker } from "./shared/page/install.ts";
import { keptLanguage } from "./shared/preferences/preferences.ts";
import { watchSystemTheme } from "./shared/preferences/theme.ts";
import { watchAddress } from "./shared/routing/route.ts";
import { askEarly } from "./shared/state/early-page.ts";
import { eraseState, keepSaving, mayHaveState, restoreState } from "./shared/state/saved-state.ts";
import { isReady, run, state } from "./shared/state/state.ts";
import { watchDate } from "./shared/text/today.ts";
import { fetchFirstView } from "./shell/late-parts.ts";
import { Shell } from "./shell/shell.tsx";
import { limitFields } from "./ui/limit.ts";
import { live, publish } from "./ui/live.ts";

/** How long to wait at most for the browser's database, which may hang. */
const RESTORE_MS = 2000;
const PAINT_MS = 200;

publish(state.changes);
keepOutbox();
watchAddress();
watchSystemTheme();
watchDate();
limitFields();
void begin();
keepSaving();
installWorker();
// It comes beside the snapshot.
const [hasView, setHasView] = createSignal(false);
void fetchFirstView().then(() => setHasView(true));
/** The page takes it away in browsers that are too old. */
const root = document.getElementById("app");
if (root)
  render(() => {
    const ready = isReady();
    const ofAccount = live(["generation", "settings"], () =>
      state.isReady && !state.isSpectator
        ? state.model.settings.get(userSettings.defaultLanguage)
        : keptLanguage(),
    );
    const wanted = () => new URLSearchParams(location.search).get("language") || ofAccount();
    createEffect(() => void useLanguage(wanted()));
    // The first screen does not change its language. Later, the old texts stay until the new ones are there.
    const isShown = createMemo<boolean>(
      (was) => was || (ready() && hasView() && hasLanguage(wanted())),
      false,
    );
    return <Shell isReady={isShown()} />;
  }, root);

/**
 * What was saved is painted first, even if the server has answered: what it answered takes longer to show.
 * Where there is nothing, the first page is asked for before the snapshot.
 */
async function begin(): Promise<void> {
  if (mayHaveState()) await Promise.race([restoreState(), wait(RESTORE_MS)]);
  if (state.isReady) await painted();
  else askEarly();
  await run(async () => {
    eraseSavedTexts();
    await eraseState();
  });
}

/** A page that is not shown is not painted. */
async function painted(): Promise<void> {
  const frame = new Promise((resolve) => requestAnimationFrame(resolve));
  await Promise.race([frame, wait(PAINT_MS)]);
  await wait(0);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
