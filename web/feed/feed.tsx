import { createEffect, createMemo, createSignal, onCleanup, Show } from "solid-js";
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import { conversationOf, type Narrow } from "../../client/narrow.ts";
import { placeName } from "../app/names.ts";
import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";
import { announceNewMessages } from "./announce-new.ts";
import { bindFeedKeys } from "./feed-keys.ts";
import { createFeedScroll } from "./feed-scroll.ts";
import { createFeedView } from "./feed-view.ts";
import { MessageRow } from "./message-row.tsx";
import type { Row } from "./rows.ts";

/** The messages of a narrow, of which only those near the screen have elements. */
export function Feed(props: { narrow: Narrow }) {
  const { narrow } = props;
  const place = conversationOf(narrow);
  const isMixed = place === undefined || (place.kind === "channel" && place.topic === undefined);
  const view = createFeedView(narrow);
  const [scroller, setScroller] = createSignal<HTMLDivElement>();
  const [list, setList] = createSignal<VirtualizerHandle>();
  const [selected, select] = createSignal<string>();
  const scroll = createFeedScroll(view, scroller, list);
  bindFeedKeys({ view, scroll, selected, select, scroller });
  announceNewMessages(view);
  const positions = createMemo(() => new Map(view.list().rows.map((row, at) => [row, at])));
  const above = (row: Row) => view.list().rows[(positions().get(row) ?? 0) - 1] ?? view.list().hidden;
  const tabStop = () => selected() ?? view.list().rows.at(-1)?.key;
  createEffect(() => scroll.follow());
  onCleanup(scroll.leave);
  return (
    <div class="feed-frame">
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is a feed or, while it is empty, a group. */}
      <div
        class="feed"
        role={view.list().rows.length > 0 ? "feed" : "group"}
        aria-label={t("feed.label", { place: place ? placeName(place) : t("view.feed") })}
        aria-busy={view.opening() === undefined}
        tabindex={0}
        ref={setScroller}
      >
        <div class="column">
          <Virtualizer
            ref={setList}
            data={view.list().rows}
            shift={view.list().isPrepended}
            scrollRef={scroller()}
            bufferSize={400}
            onScroll={scroll.onScroll}
            onScrollEnd={scroll.onScrollEnd}
          >
            {(row) => (
              <MessageRow
                row={row}
                above={above(row)}
                position={(positions().get(row) ?? 0) + 1}
                isFirstNew={scroll.isFirstNew(row)}
                isSelected={tabStop() === row.key}
                isMixed={isMixed}
                onSelect={() => select(row.key)}
              />
            )}
          </Virtualizer>
        </div>
      </div>
      <Show when={view.isEmpty()}>
        <p class="empty">
          {t(
            place ? (place.kind === "direct" ? "feed.empty.direct" : "feed.empty.topic") : "feed.empty.other",
          )}
        </p>
      </Show>
      <Show when={view.problem()}>
        {(problem) => (
          <p class="empty" role="alert">
            {t("feed.failedToLoad", { problem: problem() })}
            <button type="button" class="button" onClick={() => void view.retry()}>
              {t("feed.tryAgain")}
            </button>
          </p>
        )}
      </Show>
      <Show when={!scroll.isAtEnd()}>
        <button type="button" class="to-end" onClick={() => void scroll.toNewest()}>
          <Icon name="down" />
          <span>
            {scroll.countBelow() > 0
              ? t("feed.newBelow", { count: scroll.countBelow() })
              : t("feed.toBottom")}
          </span>
        </button>
      </Show>
    </div>
  );
}
