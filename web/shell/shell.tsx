import { createEffect, createSignal, onCleanup, Show } from "solid-js";
import { BoxOver } from "../compose/box-over.tsx";
import { heldFiles, watchDroppedFiles } from "../compose/drop-files.ts";
import { drawnPart, lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { noticeLostParts } from "../shared/page/outdated.ts";
import { isPhone } from "../shared/page/screen.ts";
import { openMentionedPeople } from "../shared/people/mentioned-people.ts";
import { isPeopleOpen } from "../shared/people/people-panel.ts";
import { followAccountTheme } from "../shared/preferences/account-theme.ts";
import { followPreferences } from "../shared/preferences/preferences.ts";
import { followMovedLinks, followMovedTopics } from "../shared/routing/follow-moves.ts";
import { replaceRoute, route } from "../shared/routing/route.ts";
import { homeHash } from "../shared/routing/views.ts";
import { isIdleSignal } from "../shared/state/activity.ts";
import { prefetchNewest } from "../shared/state/prefetch.ts";
import { state } from "../shared/state/state.ts";
import { uploads } from "../shared/uploads/uploads.ts";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { announced } from "../ui/announce.ts";
import { handleKey } from "../ui/keys.ts";
import { live } from "../ui/live.ts";
import { withPart } from "../ui/notice.ts";
import { question, overlay as raised } from "../ui/overlay.ts";
import { holdKeys } from "../ui/type-ahead.ts";
import { Banner } from "./banner.tsx";
import { CurrentView } from "./current-view.tsx";
import { bindGlobalKeys } from "./global-keys.ts";
import { loadLateParts, switcher } from "./late-parts.ts";
import { showTitle } from "./title.ts";
import { TopBar } from "./top-bar.tsx";

const PeoplePanel = lazyPart(async () => (await import("../people/people-panel.tsx")).PeoplePanel);
const Help = lazyPart(async () => (await import("./help.tsx")).Help);
const Spectator = lazyPart(async () => (await import("./spectator.tsx")).Spectator);
const OutboxSign = lazyPart(async () => (await import("../shared/outbox/outbox-sign.tsx")).OutboxSign);
const DropElsewhere = lazyPart(async () => (await import("../compose/drop-elsewhere.tsx")).DropElsewhere);
const LateSwitcher = drawnPart(switcher);

/** The grid of the page: the bar above, the list on the left, the conversation. */
export function Shell(props: { isReady: boolean }) {
  openMentionedPeople();
  watchDroppedFiles();
  const isSpectator = live("generation", () => state.isReady && state.isSpectator);
  return (
    <Show when={props.isReady} fallback={<p class="starting">{t("app.loading")}</p>}>
      <Show when={!isSpectator()} fallback={<Spectator />}>
        <Regions />
      </Show>
      <Show when={heldFiles() === "elsewhere"}>
        <DropElsewhere />
      </Show>
    </Show>
  );
}

function Regions() {
  followPreferences();
  const [overlay, setOverlay] = createSignal<"help" | "switcher" | undefined>();
  const isIdle = isIdleSignal();
  const isList = () => isPhone() && route().view === "home";
  bindGlobalKeys({ openHelp: () => setOverlay("help"), openSwitcher: () => setOverlay("switcher") });
  addEventListener("keydown", handleKey);
  onCleanup(() => removeEventListener("keydown", handleKey));
  createEffect(showTitle);
  if (route().view === "home" && !isPhone() && homeHash() !== "#inbox") replaceRoute(homeHash());
  prefetchNewest();
  loadLateParts();
  followMovedLinks();
  followMovedTopics();
  followAccountTheme();
  noticeLostParts();
  createEffect(followOther);
  const skip = () => {
    const find = (wanted: string) => document.querySelector<HTMLElement>(`main :is(${wanted})`);
    (find("textarea") ?? find("button, a"))?.focus();
  };
  return (
    <div
      class="app"
      data-screen={isList() ? "list" : "main"}
      data-people={isPeopleOpen() ? "" : undefined}
      aria-busy={!isIdle()}
    >
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
          <Outgoing />
          <CurrentView />
          <BoxOver />
          <Raised />
        </main>
        <Show when={isPeopleOpen()}>
          <PeoplePanel />
        </Show>
      </Show>
      <div class="sr" role="status" aria-live="polite">
        {announced()}
      </div>

      <Show when={overlay() === "help"}>
        <Help onClose={() => setOverlay(undefined)} />
      </Show>
      <Show when={overlay() === "switcher"}>
        <Switcher onClose={() => setOverlay(undefined)} onHelp={() => setOverlay("help")} />
      </Show>
    </div>
  );
}

function Switcher(props: { onClose(): void; onHelp(): void }) {
  holdKeys(".switcher", () => props.onClose());
  return <LateSwitcher onClose={() => props.onClose()} onHelp={() => props.onHelp()} />;
}

/** An address that is none of this client's. */
function followOther(): void {
  if (route().view !== "home" || location.hash.length <= 1) return;
  const { hash } = location;
  void withPart(
    () => import("../shared/routing/other-addresses.ts"),
    ({ followOtherAddress }) => location.hash === hash && followOtherAddress(hash),
  );
}

/** On a phone, the list is a screen of its own. */
function ListScreen() {
  return (
    <main>
      <h1 class="sr">{t("view.home")}</h1>
      <Banner />
      <Outgoing />
      <Sidebar />
      <BoxOver />
      <Raised />
    </main>
  );
}

/** Once something was sent or uploaded. */
function Outgoing() {
  const isWanted = live(
    "outbox",
    () => state.outbox.lastSent !== undefined || state.outbox.unsent.length > 0,
  );
  return (
    <Show when={isWanted() || uploads().length > 0}>
      <OutboxSign />
    </Show>
  );
}

/** Menus belong to the main landmark, wherever they are drawn. */
function Raised() {
  return (
    <>
      <Show when={raised()} keyed>
        {(draw) => draw()}
      </Show>
      <Show when={question()} keyed>
        {(draw) => draw()}
      </Show>
    </>
  );
}
