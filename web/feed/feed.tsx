import { createEffect, createMemo, createSignal, type JSX, onCleanup, onMount, Show } from "solid-js";
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import { conversationOf, keyOfNarrow, type Narrow } from "../../client/narrow.ts";
import { isSearch, viewName } from "../app/routing/views.ts";
import { placeName } from "../app/text/names.ts";
import { t } from "../i18n/t.ts";
import { Icon } from "../ui/icon.tsx";
import { announceNewMessages } from "./announce-new.ts";
import { edited } from "./editing.ts";
import { bindFeedKeys } from "./feed-keys.ts";
import { createFeedScroll } from "./feed-scroll.ts";
import { createFeedView } from "./feed-view.ts";
import { MessageRow } from "./message-row.tsx";
import { createQuietFrame } from "./quiet-frame.ts";
import { keepSizes, sizesOf } from "./row-sizes.ts";
import type { Row } from "./rows.ts";

/**
 * Above and below the screen. A row is as high as others until it was measured, so rows must be there before
 * a turn of the wheel shows them: else those on the screen move. The first frame has few, so it comes sooner.
 */
const BUFFER_PX = 1600;
const FIRST_BUFFER_PX = 50;
const FIRST_FRAME_MS = 120;
/** This near to the top, older rows that have come are shown at once. */
const NEAR_TOP_PX = 300;

/** The messages of a narrow, of which only those near the screen have elements. */
export function Feed(props: { narrow: Narrow; whenEmpty?: (() => JSX.Element) | undefined }) {
  const { narrow } = props;
  const place = conversationOf(narrow);
  const isMixed = place === undefined || (place.kind === "channel" && place.topic === undefined);
  const isResult = isSearch(narrow);
  const [scroller, setScroller] = createSignal<HTMLDivElement>();
  const [list, setList] = createSignal<VirtualizerHandle>();
  let handle: VirtualizerHandle | undefined;
  const quietFrame = createQuietFrame(scroller);
  const view = createFeedView(narrow, quietFrame, () => (list()?.scrollOffset ?? 0) < NEAR_TOP_PX);
  const [selected, select] = createSignal<string>();
  const scroll = createFeedScroll(view, scroller, list);
  bindFeedKeys({ view, scroll, selected, select, scroller });
  announceNewMessages(view);
  const positions = createMemo(() => new Map(view.list().rows.map((row, at) => [row, at])));
  const above = (row: Row) => view.list().rows[(positions().get(row) ?? 0) - 1] ?? view.list().hidden;
  /** A text that is being edited stays when it is scrolled away. */
  const kept = () => {
    const at = edited() === undefined ? -1 : view.list().rows.findIndex(({ id }) => id === edited());
    return at < 0 ? [] : [at];
  };
  const tabStop = () => selected() ?? view.list().rows.at(-1)?.key;
  const source = keyOfNarrow(narrow);
  const [buffer, setBuffer] = createSignal(FIRST_BUFFER_PX);
  onMount(() => {
    const timer = setTimeout(async () => {
      await quietFrame();
      setBuffer(BUFFER_PX);
    }, FIRST_FRAME_MS);
    onCleanup(() => clearTimeout(timer));
  });
  createEffect(() => scroll.follow());
  onCleanup(() => {
    scroll.leave();
    // The list itself is gone by now.
    if (handle) keepSizes(source, view.list().rows, handle, innerWidth);
  });
  return (
    <div class="feed-frame">
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is a feed or, while it is empty, a group. */}
      <div
        class="feed"
        role={view.list().rows.length > 0 ? "feed" : "group"}
        aria-label={t("feed.label", { place: place ? placeName(place) : viewName(narrow) })}
        aria-busy={view.opening() === undefined || buffer() === FIRST_BUFFER_PX || view.isHeld()}
        tabindex={0}
        ref={setScroller}
      >
        <div class="column">
          {/* The heights of other rows say nothing about these. */}
          <Show when={view.hasPlace() && view.list().range} keyed>
            {(_range) => (
              <Virtualizer
                ref={(one) => {
                  handle = one ?? handle;
                  setList(one);
                }}
                data={view.list().rows}
                shift={view.list().isPrepended}
                scrollRef={scroller()}
                cache={sizesOf(source, view.list().rows, innerWidth)}
                bufferSize={buffer()}
                keepMounted={kept()}
                onScroll={scroll.onChange}
                onResize={scroll.onChange}
                onScrollEnd={scroll.onScrollEnd}
              >
                {(row) => (
                  <MessageRow
                    row={row}
                    narrow={narrow}
                    above={above(row)}
                    position={(positions().get(row) ?? 0) + 1}
                    isFirstNew={scroll.isFirstNew(row)}
                    isSelected={tabStop() === row.key}
                    isMixed={isMixed}
                    isResult={isResult}
                    onSelect={() => select(row.key)}
                    onGoToDate={(date) => void scroll.toDate(date)}
                  />
                )}
              </Virtualizer>
            )}
          </Show>
        </div>
      </div>
      <Show when={view.isEmpty()}>
        {props.whenEmpty?.() ?? (
          <p class="empty">
            {t(
              place
                ? place.kind === "direct"
                  ? "feed.empty.direct"
                  : "feed.empty.topic"
                : "feed.empty.other",
            )}
          </p>
        )}
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
