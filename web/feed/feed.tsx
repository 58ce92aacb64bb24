import { createEffect, createMemo, createSignal, type JSX, onCleanup, onMount, Show } from "solid-js";
import { type Conversation, conversationOf, keyOfNarrow, type Narrow } from "../../client/narrow.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { edited } from "../shared/compose/editing.ts";
import { route, savedAnchor } from "../shared/routing/route.ts";
import { isSearch, viewName } from "../shared/routing/views.ts";
import { placeName } from "../shared/text/names.ts";
import { Icon } from "../ui/icon.tsx";
import { announceNewMessages } from "./announce-new.ts";
import { bindFeedKeys } from "./feed-keys.ts";
import { createFeedView } from "./feed-view.ts";
import { MessageRow } from "./rows/message-row.tsx";
import type { Row } from "./rows/rows.ts";
import { createFeedScroll } from "./scroll/feed-scroll.ts";
import { jumpToSent } from "./scroll/jump-to-sent.ts";
import { keepHeights, keptHeights } from "./virtual-list/kept-heights.ts";
import { VirtualList } from "./virtual-list/virtual-list.tsx";

const Beside = lazyPart(async () => (await import("./beside-feed.tsx")).BesideFeed);

/** Above and below the screen: a turn of the wheel shows rows that are there. The first frame has few. */
const BUFFER_PX = 1600;
const FIRST_BUFFER_PX = 50;
const FIRST_FRAME_MS = 120;

/** The messages of a narrow, of which only those near the screen have elements. */
export function Feed(props: { narrow: Narrow; whenEmpty?: (() => JSX.Element) | undefined }) {
  const { narrow } = props;
  const place = conversationOf(narrow);
  const isMixed = place === undefined || (place.kind === "channel" && place.topic === undefined);
  const isResult = isSearch(narrow);
  const [scroller, setScroller] = createSignal<HTMLDivElement>();
  const [moves, noteMove] = createSignal(0);
  const [list, setList] = createSignal<VirtualList<Row>>();
  const view = createFeedView(narrow, () => list()?.rowAtTop?.row.id);
  const [selected, select] = createSignal<string>();
  const scroll = createFeedScroll(view, scroller, list);
  bindFeedKeys({ view, scroll, selected: () => selected() ?? aimedKey(), select, scroller });
  announceNewMessages(view);
  jumpToSent(view, scroll);
  const positions = createMemo(() => new Map(view.list().rows.map((row, at) => [row, at])));
  const above = (row: Row) => view.list().rows[(positions().get(row) ?? 0) - 1] ?? view.list().hidden;
  /** A text that is being edited stays when it is scrolled away. */
  const kept = () =>
    edited() === undefined ? undefined : view.list().rows.find(({ id }) => id === edited());
  const aimed = aimedMessage();
  const aimedKey = createMemo(() => {
    const wanted = aimed();
    return wanted === undefined ? undefined : view.list().rows.find(({ id }) => id === wanted)?.key;
  });
  const tabStop = () => selected() ?? aimedKey() ?? view.list().rows.at(-1)?.key;
  const source = keyOfNarrow(narrow);
  const [buffer, setBuffer] = createSignal(FIRST_BUFFER_PX);
  onMount(() => {
    const timer = setTimeout(() => setBuffer(BUFFER_PX), FIRST_FRAME_MS);
    onCleanup(() => clearTimeout(timer));
  });
  createEffect(() => scroll.follow());
  onCleanup(() => scroll.leave());
  return (
    <div class="feed-frame">
      <Show when={list()}>
        {(shown) => (
          <Beside
            scroller={scroller() as HTMLElement}
            list={shown()}
            moves={moves()}
            isMixed={isMixed}
            isResult={isResult}
            onGoToDate={(date) => void scroll.toDate(date)}
          />
        )}
      </Show>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is a feed or, while it is empty, a group. */}
      <div
        class="feed"
        role={view.list().rows.length > 0 ? "feed" : "group"}
        aria-label={t("feed.label", { place: place ? placeName(place) : viewName(narrow) })}
        aria-busy={view.opening() === undefined || buffer() === FIRST_BUFFER_PX}
        tabindex={0}
        ref={setScroller}
      >
        <div class="column">
          <Show when={view.hasPlace() && scroller()}>
            {(element) => (
              <VirtualList
                ref={setList}
                rows={view.list().rows}
                scroller={element()}
                buffer={buffer()}
                kept={kept()}
                heights={keptHeights(source, innerWidth)}
                onChange={() => {
                  scroll.onChange();
                  noteMove((count) => count + 1);
                }}
                onRest={scroll.onRest}
                onLeave={(heights) => keepHeights(source, heights, innerWidth)}
              >
                {(row) => (
                  <MessageRow
                    row={row}
                    narrow={narrow}
                    above={above(row)}
                    position={(positions().get(row) ?? 0) + 1}
                    isFirstNew={scroll.isFirstNew(row)}
                    isSelected={tabStop() === row.key}
                    isAimed={aimed() !== undefined && row.id === aimed()}
                    isMixed={isMixed}
                    isResult={isResult}
                    onSelect={() => select(row.key)}
                    onGoToDate={(date) => void scroll.toDate(date)}
                  />
                )}
              </VirtualList>
            )}
          </Show>
        </div>
      </div>
      <Notes {...{ place, view, scroll }} whenEmpty={props.whenEmpty} />
    </div>
  );
}

/** The message that the address names. A person who comes back to a view has seen it. */
function aimedMessage(): () => number | undefined {
  const isBack = savedAnchor() !== undefined;
  return createMemo(() => {
    const current = route();
    return current.view === "messages" && !isBack ? current.near : undefined;
  });
}

interface NotesProps {
  place: Conversation | undefined;
  view: ReturnType<typeof createFeedView>;
  scroll: ReturnType<typeof createFeedScroll>;
  whenEmpty: (() => JSX.Element) | undefined;
}

/** Why there are no messages, and the way to the newest. */
function Notes(props: NotesProps) {
  const { place, view, scroll } = props;
  const none = place
    ? place.kind === "direct"
      ? "feed.empty.direct"
      : "feed.empty.topic"
    : "feed.empty.other";
  return (
    <>
      <Show when={view.isEmpty()}>{props.whenEmpty?.() ?? <p class="empty">{t(none)}</p>}</Show>
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
      <Show when={view.searching()}>
        {(searching) => (
          <p class="searching" role="status">
            <Show when={searching() === "paused"} fallback={t("feed.searchingOlder")}>
              <button type="button" class="button" onClick={() => void view.searchOn()}>
                {t("feed.searchOlder")}
              </button>
            </Show>
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
    </>
  );
}
