/**
 * Where the feed is scrolled to: opens it at its place, stays at the end while messages arrive there, fetches
 * more near both ends, marks as read what was seen, and keeps the place for Back.
 */
import { type Accessor, createSignal } from "solid-js";
import type { VirtualizerHandle } from "virtua/solid";
import { saveAnchor } from "../app/route.ts";
import { live } from "../ui/live.ts";
import type { createFeedView } from "./feed-view.ts";
import { markSeen } from "./mark-read.ts";
import { countUnread } from "./opening.ts";
import type { Row } from "./rows.ts";

/** This near to an end, more is fetched. */
const FETCH_PX = 1500;
const END_PX = 24;
/** Of the view's height: what is shown above the first unread message. */
const CONTEXT = 0.25;

type View = ReturnType<typeof createFeedView>;

export function createFeedScroll(
  view: View,
  scroller: Accessor<HTMLDivElement | undefined>,
  list: Accessor<VirtualizerHandle | undefined>,
) {
  const [isAtEnd, setAtEnd] = createSignal(true);
  const [firstNewId, setFirstNewId] = createSignal<number>();
  const unread = live(["unreads", "generation"], () => countUnread(view.narrow));
  let isOpened = false;
  let known: readonly Row[] = [];
  let frame = 0;

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
      if (isOwn || isAtEnd()) queueMicrotask(() => toEnd(handle));
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
    const [element, handle] = [scroller(), list()];
    if (!element || !handle || !isOpened) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const below = scrollHeight - scrollTop - clientHeight;
    setAtEnd(below <= END_PX && view.hasNewest());
    if (scrollTop < FETCH_PX) void view.loadOlder();
    if (below < FETCH_PX) void view.loadNewer();
    const { rows } = view.list();
    const [first, last] = [handle.findItemIndex(scrollTop), handle.findItemIndex(scrollTop + clientHeight)];
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
    onScroll: later,
    onScrollEnd: keepPlace,
    leave: () => cancelAnimationFrame(frame),
    isFirstNew: (row: Row) => row.id !== undefined && row.id === firstNewId(),
    /** Those above were read when they were seen. */
    countBelow: unread,
    async toNewest() {
      await view.jumpToNewest();
      const handle = list();
      if (handle) toEnd(handle);
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
