/**
 * Where the feed is scrolled to: opens it at its place, stays at the end while messages arrive there, fetches
 * more near both ends, marks as read what was seen, and keeps the place for Back.
 */
import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";
import type { VirtualizerHandle } from "virtua/solid";
import { readPolicy } from "../app/preferences/preferences.ts";
import { isQuietEntry, saveAnchor } from "../app/routing/route.ts";
import { isSearch } from "../app/routing/views.ts";
import { live } from "../ui/live.ts";
import type { createFeedView } from "./feed-view.ts";
import { holdReading, markSeen, resumeReading } from "./mark-read.ts";
import { countUnread } from "./opening.ts";
import type { Row } from "./rows.ts";

/** This near to an end, more is fetched. */
const FETCH_PX = 1500;
const END_PX = 24;
/** Of the view's height: what is shown above the first unread message. */
const CONTEXT = 0.25;

/** Of the view's height: one step by page. */
const PAGE_PART = 0.9;

type View = ReturnType<typeof createFeedView>;

export function createFeedScroll(
  view: View,
  scroller: Accessor<HTMLDivElement | undefined>,
  list: Accessor<VirtualizerHandle | undefined>,
) {
  const [isAtEnd, setAtEnd] = createSignal(true);
  const [firstNewId, setFirstNewId] = createSignal<number>();
  const unread = live(["unreads", "generation"], () => countUnread(view.narrow));
  const isLookedUp = isSearch(view.narrow) || isQuietEntry();
  if (isLookedUp) holdReading();
  else resumeReading();
  let isOpened = false;
  let opensAtEnd = false;
  let hasLooked = false;
  let known: readonly Row[] = [];
  let frame = 0;
  /** The row at the top of the view, and how much of it is above. */
  let place: { row: Row; offset: number } | undefined;
  // Who lets messages be read by seeing them has seen those on the screen.
  createEffect(on(readPolicy, later, { defer: true }));
  createEffect(() => {
    const element = scroller();
    if (!element) return;
    // The first call gives the width. Asking for it here would lay the page out once more.
    let width: number | undefined;
    const observer = new ResizeObserver(() => {
      const isOtherWidth = width !== undefined && element.clientWidth !== width;
      width = element.clientWidth;
      keepInView(isOtherWidth);
    });
    observer.observe(element);
    onCleanup(() => observer.disconnect());
  });

  /**
   * After the keyboard of a phone has come or gone, or the window has another size. In another width the rows
   * have other heights.
   */
  function keepInView(isOtherWidth: boolean): void {
    const handle = list();
    if (!handle || !hasLooked) return;
    const at = isOtherWidth && place ? view.list().rows.indexOf(place.row) : -1;
    if (isAtEnd()) toEnd(handle);
    else if (place && at >= 0) handle.scrollToIndex(at, { align: "start", offset: place.offset });
  }

  /** Called with every change of the rows. */
  function follow(): void {
    const { rows } = view.list();
    const opening = view.opening();
    const handle = list();
    if (!handle || !opening || rows.length === 0) return;
    if (!isOpened) {
      isOpened = true;
      open(handle, opening, rows);
    } else if (rows.length > 0 && rows.at(-1) !== known.at(-1)) {
      const isOwn = rows.at(-1)?.outgoing !== undefined && !known.includes(rows.at(-1) as Row);
      // Newer messages may come before the list has its size.
      if (isOwn || (hasLooked ? isAtEnd() : opensAtEnd)) queueMicrotask(() => toEnd(handle));
    }
    known = rows;
    later();
  }

  function open(
    handle: VirtualizerHandle,
    opening: NonNullable<ReturnType<View["opening"]>>,
    rows: readonly Row[],
  ): void {
    const id = "id" in opening ? opening.id : undefined;
    const found = id === undefined ? -1 : rows.findIndex((row) => (row.id ?? Infinity) >= id);
    if (opening.kind === "unread" && found >= 0) setFirstNewId(rows[found]?.id);
    opensAtEnd = found < 0;
    queueMicrotask(() => {
      if (found < 0) return toEnd(handle);
      const height = scroller()?.clientHeight ?? 0;
      const offset = opening.kind === "restored" ? opening.offset : -Math.round(height * CONTEXT);
      handle.scrollToIndex(found, { align: "start", offset });
    });
  }

  function toEnd(handle: VirtualizerHandle): void {
    handle.scrollToIndex(view.list().rows.length - 1, { align: "end" });
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
    // What the list knows. The element's own figures would cost a layout of the page.
    const { scrollOffset, scrollSize, viewportSize } = handle;
    if (viewportSize === 0) return;
    hasLooked = true;
    const below = scrollSize - scrollOffset - viewportSize;
    setAtEnd(below <= END_PX && view.hasNewest());
    if (scrollOffset < FETCH_PX) void view.loadOlder();
    if (below < FETCH_PX) void view.loadNewer();
    const { rows } = view.list();
    const first = handle.findItemIndex(scrollOffset);
    const last = handle.findItemIndex(scrollOffset + viewportSize);
    const top = rows[first];
    place = top && { row: top, offset: scrollOffset - handle.getItemOffset(first) };
    markSeen(rows.slice(first, last + 1).flatMap(({ id }) => id ?? []));
  }

  /** The row at the top, and how much of it is above the view. */
  function keepPlace(): void {
    const [element, handle] = [scroller(), list()];
    if (!element || !handle || !isOpened) return;
    const at = handle.findItemIndex(element.scrollTop);
    const id = view.list().rows[at]?.id;
    saveAnchor(
      id === undefined || isAtEnd()
        ? undefined
        : { id, offset: element.scrollTop - handle.getItemOffset(at) },
    );
  }

  return {
    isAtEnd,
    follow,
    /** The offset or a height has changed. */
    onChange: later,
    onScrollEnd: keepPlace,
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
    async toDate(date: Date) {
      const id = await view.goToDate(date);
      if (id === undefined) return;
      const { rows } = view.list();
      const found = rows.findIndex((row) => (row.id ?? Infinity) >= id);
      list()?.scrollToIndex(found < 0 ? rows.length - 1 : found, { align: found < 0 ? "end" : "start" });
    },
    /** By almost a screen, so that the last line stays in sight. */
    page(direction: 1 | -1) {
      const element = scroller();
      element?.scrollBy({ top: direction * element.clientHeight * PAGE_PART });
    },
    /** The oldest message that is known. */
    toTop() {
      list()?.scrollToIndex(0, { align: "start" });
    },
    show(index: number) {
      list()?.scrollToIndex(index, { align: "nearest" });
    },
    /** The first row that is wholly in the view. */
    firstVisible: () => {
      const [element, handle] = [scroller(), list()];
      return element && handle ? handle.findItemIndex(element.scrollTop + 1) : 0;
    },
  };
}
