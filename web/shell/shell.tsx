import { createEffect, createSignal, lazy, onCleanup, Show } from "solid-js";
import { isIdleSignal } from "../app/activity.ts";
import { prefetchNewest } from "../app/prefetch.ts";
import { route } from "../app/route.ts";
import { isPhone } from "../app/screen.ts";
import { t } from "../i18n/t.ts";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { announced } from "../ui/announce.ts";
import { handleKey } from "../ui/keys.ts";
import { Banner } from "./banner.tsx";
import { CurrentView } from "./current-view.tsx";
import { bindGlobalKeys } from "./global-keys.ts";
import { showTitle } from "./title.ts";
import { TopBar } from "./top-bar.tsx";

const Help = lazy(async () => ({ default: (await import("./help.tsx")).Help }));
const Switcher = lazy(async () => ({ default: (await import("./switcher.tsx")).Switcher }));

/** The grid of the page: the bar above, the list on the left, the conversation. */
export function Shell(props: { isReady: boolean }) {
  return (
    <Show when={props.isReady} fallback={<p class="starting">{t("app.loading")}</p>}>
      <Regions />
    </Show>
  );
}

function Regions() {
  const [overlay, setOverlay] = createSignal<"help" | "switcher" | undefined>();
  const isIdle = isIdleSignal();
  const isList = () => isPhone() && route().view === "home";
  bindGlobalKeys({ openHelp: () => setOverlay("help"), openSwitcher: () => setOverlay("switcher") });
  addEventListener("keydown", handleKey);
  onCleanup(() => removeEventListener("keydown", handleKey));
  createEffect(showTitle);
  prefetchNewest();
  const skip = () => document.querySelector<HTMLElement>("main textarea, main button, main a")?.focus();
  return (
    <div class="app" data-screen={isList() ? "list" : "main"} aria-busy={!isIdle()}>
      <button type="button" class="skip" onClick={skip}>
        {t("app.skip")}
      </button>
      <TopBar onHelp={() => setOverlay("help")} onSwitcher={() => setOverlay("switcher")} />
      <Show when={!isList()} fallback={<ListScreen />}>
        <Show when={!isPhone()}>
          <Sidebar />
        </Show>
        <main>
          <Banner />
          <CurrentView />
        </main>
      </Show>
      <div class="sr" role="status" aria-live="polite">
        {announced()}
      </div>

      <Show when={overlay() === "help"}>
        <Help onClose={() => setOverlay(undefined)} />
      </Show>
      <Show when={overlay() === "switcher"}>
        <Switcher onClose={() => setOverlay(undefined)} />
      </Show>
    </div>
  );
}

/** On a phone, the list is a screen of its own. */
function ListScreen() {
  return (
    <main>
      <h1 class="sr">{t("view.home")}</h1>
      <Banner />
      <Sidebar />
    </main>
  );
}
