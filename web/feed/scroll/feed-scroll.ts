/**
 * Where the feed is scrolled to: opens it at its place, stays at the end while messages arrive there, fetches
 * more near both ends, marks as read what was seen, and keeps the place for Back.
 */
import { type Accessor, createEffect, createSignal, on } from "solid-js";
import { readPolicy } from "../../shared/preferences/preferences.ts";
import { isQuietEntry, saveAnchor } from "../../shared/routing/route.ts";
import { isSearch } from "../../shared/routing/views.ts";
import { live } from "../../ui/live.ts";
import type { createFeedView } from "../feed-view.ts";
import type { Row } from "../rows/rows.ts";
import type { RowAtTop } from "../virtual-list/list-layout.ts";
import type { VirtualList } from "../virtual-list/virtual-list.tsx";
import { createFeedMoves } from "./feed-moves.ts";
import { holdReading, markSeen, resumeReading } from "./mark-read.ts";
import { countUnread, type Opening } from "./opening.ts";

/** This near to an end, more is fetched. */
const FETCH_PX = 1500;
const END_PX = 24;
/** The part of the view's height that is shown above the first unread message. */
const CONTEXT = 0.25;

type View = ReturnType<typeof createFeedView>;

export function createFeedScroll(
  view: View,
  scroller: Accessor<HTMLDivElement | undefined>,
  list: Accessor<VirtualList<Row> | undefined>,
) {
  const [isAtEnd, setAtEnd] = createSignal(true);
  const [firstNewId, setFirstNewId] = createSignal<number>();
  const unread = live(["unreads", "generation"], () => countUnread(view.narrow));
  const isLookedUp = isSearch(view.narrow) || isQuietEntry();
  if (isLookedUp) holdReading();
  else resumeReading();
  let isOpened = false;
  let known: readonly Row[] = [];
  let frame = 0;
  // People who let messages be read by seeing them have seen those on the screen.
  createEffect(on(readPolicy, later, { defer: true }));

  /** Called with every change of the rows. */
  function follow(): void {
    const { rows } = view.list();
    const opening = view.opening();
    const handle = list();
    if (!handle || !opening || rows.length === 0) return;
    const last = rows.at(-1);
    if (!isOpened) {
      isOpened = true;
      open(handle, opening, rows);
    } else if (last?.outgoing !== undefined && !known.includes(last)) {
      queueMicrotask(() => toEnd(handle));
    }
    known = rows;
    later();
  }

  function open(handle: VirtualList<Row>, opening: Opening, rows: readonly Row[]): void {
    const index = indexOf(opening, rows);
    if (opening.kind === "unread" && index >= 0) setFirstNewId(rows[index]?.id);
    queueMicrotask(() => {
      if (index < 0) toEnd(handle);
      else handle.scrollToRow(index, offsetOf(opening, scroller()?.clientHeight ?? 0));
    });
  }

  function toEnd(handle: VirtualList<Row>): void {
    handle.scrollToEnd();
    setAtEnd(true);
  }

  /** Once in a frame, however often the feed scrolls and changes. */
  function later(): void {
    if (frame === 0) frame = requestAnimationFrame(look);
  }

  function look(): void {
    frame = 0;
    const handle = list();
    if (!handle || !isOpened) return;
    const top = handle.rowAtTop;
    if (!top) return;
    // What the list knows. The element's own figures would cost a layout of the page.
    const { below } = handle;
    const hasNewest = view.hasNewest();
    setAtEnd(below <= END_PX && hasNewest);
    if (isAtEnd()) handle.followEnd();
    else if (!hasNewest) handle.leaveEnd();
    if (handle.top < FETCH_PX) void view.loadOlder();
    if (below < FETCH_PX) void view.loadNewer();
    const [first, last] = handle.visible();
    const seen = view.list().rows.slice(first, last + 1);
    markSeen(seen.flatMap(({ id }) => id ?? []));
  }

  return {
    isAtEnd,
    follow,
    onChange: later,
    onRest() {
      later();
      keepPlace(isOpened ? list()?.rowAtTop : undefined, isAtEnd());
    },
    leave: () => cancelAnimationFrame(frame),
    isFirstNew: (row: Row) => row.id !== undefined && row.id === firstNewId(),
    /** Those above were read when they were seen. */
    countBelow: unread,
    async toNewest() {
      if (isLookedUp && !isSearch(view.narrow)) resumeReading();
      await view.jumpToNewest();
      const handle = list();
      if (handle) toEnd(handle);
    },
    ...createFeedMoves(view, scroller, list),
  };
}

/** The index of the row at which the view opens; -1: it opens at the end. */
function indexOf(opening: Opening, rows: readonly Row[]): number {
  const id = "id" in opening ? opening.id : undefined;
  return id === undefined ? -1 : rows.findIndex((row) => (row.id ?? Infinity) >= id);
}

/** How much of that row is above the view. Less than nothing: something is shown before it. */
function offsetOf(opening: Opening, height: number): number {
  return opening.kind === "restored" ? opening.offset : -Math.round(height * CONTEXT);
}

/** For Back: the row at the top, and how much of it is above the view. */
function keepPlace(top: RowAtTop<Row> | undefined, isAtEnd: boolean): void {
  if (!top) return;
  const { id } = top.row;
  saveAnchor(id === undefined || isAtEnd ? undefined : { id, offset: top.offset });
}
