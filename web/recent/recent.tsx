import { createMemo, createSignal, onCleanup, onMount, Show } from "solid-js";
import { combinedFeed } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { go } from "../shared/routing/route.ts";
import { state } from "../shared/state/state.ts";
import { whenBack } from "../shared/state/when-back.ts";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { Problem } from "../ui/problem.tsx";
import { bindRowKeys, focusFirstRow, goAside } from "../ui/row-keys.ts";
import { RecentColumns, RecentFilters } from "./recent-head.tsx";
import { listRecent, type RecentChoice } from "./recent-places.ts";
import { RecentRow } from "./recent-row.tsx";

const PAGE = 300;
/** So many rows at first, and with each press of the button below. */
const ROWS = 60;

/** It stays as it was left, until the page is loaded again. */
const [choice, setChoice] = createSignal<RecentChoice>({
  ...{ filters: new Set(), text: "", folderId: 0 },
  ...{ order: "time", isReversed: false },
});

/** All conversations by their newest message, one line each. */
export function Recent() {
  let view: HTMLDivElement | undefined;
  bindRowKeys(() => view, ".recent-link");
  const opened = state.openWindow(combinedFeed, { around: PAGE, page: PAGE });
  const { window } = opened;
  onCleanup(() => opened.close());
  const [limit, setLimit] = createSignal(ROWS);
  const problem = live(`windows:${window.key}`, () => opened.problem);
  const version = live(
    [
      "messages",
      "unreads",
      "userTopics",
      "subscriptions",
      "channels",
      "folders",
      "users",
      "mutedUsers",
      "generation",
    ],
    () => ({}),
  );
  const places = createMemo(() => {
    version();
    return listRecent(choice());
  });
  /** What makes a row go away. */
  const ends = () => ({ read: choice().filters.has("unread"), muted: !choice().filters.has("muted") });
  const rest = () => Math.max(0, places().length - limit());
  const hasOlder = live([`windows:${window.key}`, "generation"], () => !window.foundOldest);
  const change = (changed: Partial<RecentChoice>) => {
    setChoice((before) => ({ ...before, ...changed }));
    setLimit(ROWS);
  };
  const showMore = () => {
    setLimit(limit() + ROWS);
    if (rest() === 0 && hasOlder()) void opened.loadOlder();
  };

  whenBack(() => problem() !== undefined && void opened.retry());
  onMount(() => {
    if (!window.isLoaded) void opened.open("newest");
    else opened.openKnown("newest");
  });
  return (
    <>
      <header class="view-header">
        <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
          <Icon name="back" />
        </button>
        <h1>{t("view.recent")}</h1>
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows go from a row to its buttons. */}
      <div class="inbox recent" ref={view} onKeyDown={(event) => goAside(event, ".recent-row")}>
        <RecentFilters
          choice={choice()}
          onChange={change}
          toList={() => void focusFirstRow(view, ".recent-link")}
        />
        <Show when={places().length > 0} fallback={<p class="note">{t("recent.empty")}</p>}>
          <table class="recent-table" aria-label={t("view.recent")}>
            <RecentColumns choice={choice()} onChange={change} />
            <tbody>
              <Keyed each={places().slice(0, limit())} by={({ key }) => key}>
                {(place) => <RecentRow place={place()} ends={ends()} />}
              </Keyed>
            </tbody>
          </table>
        </Show>
        <Problem text={problem()} />
        <Show when={rest() > 0 || hasOlder()}>
          <p class="note">
            <button type="button" class="quiet" onClick={showMore}>
              {t("recent.more")}
            </button>
          </p>
        </Show>
      </div>
    </>
  );
}
