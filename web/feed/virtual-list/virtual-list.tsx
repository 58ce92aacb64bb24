/**
 * A long list of which only the rows near the screen have elements. A turn of the wheel always counts,
 * and what is on the screen never moves by itself.
 */
import { createEffect, createMemo, createSignal, For, type JSX, on, onCleanup, onMount } from "solid-js";
import { isSameList } from "../../ui/same-list.ts";
import { ListLayout, type ListRow, type RowAtTop } from "./list-layout.ts";
import { Reader } from "./reader.ts";
import { RowElements } from "./row-elements.ts";
import type { KnownHeights } from "./row-heights.ts";

/** This near to the top, the reader soon sees where the rows begin. */
const NEAR_TOP_PX = 300;
/** Rows that are lower than the guess leave room for more of them. */
const MAX_ROUNDS = 4;

export interface VirtualList<Row> {
  /** Pixels from the top of the first row. */
  readonly top: number;
  /** Pixels below the view. */
  readonly below: number;
  /** Undefined before the list has rows and a size. */
  readonly rowAtTop: RowAtTop<Row> | undefined;
  /** From the row at the top of the view to the one at its bottom. */
  visible(): [first: number, last: number];
  /** `offset`: see RowAtTop. */
  scrollToRow(index: number, offset?: number): void;
  /** As little as is needed to see the whole row. `covered`: so many pixels at the top are not seen. */
  show(index: number, covered?: number): void;
  /** Stays there, whatever is added, until the reader scrolls or `leaveEnd`. */
  scrollToEnd(): void;
  /** From a view that is at the end. Does not stop a scroll. */
  followEnd(): void;
  leaveEnd(): void;
}

interface Props<Row> {
  rows: readonly Row[];
  scroller: HTMLElement;
  /** Rows so many pixels above and below the view have elements, too. */
  buffer: number;
  /** Has an element wherever it is. */
  kept: Row | undefined;
  /** From an earlier list of the same rows in the same width. */
  heights: KnownHeights | undefined;
  ref(list: VirtualList<Row> | undefined): void;
  /** The place or a height has changed. */
  onChange(): void;
  onRest(): void;
  /** The list ends. */
  onLeave(heights: KnownHeights): void;
  children(row: Row): JSX.Element;
}

export function VirtualList<Row extends ListRow>(props: Props<Row>) {
  const { scroller } = props;
  const layout = new ListLayout<Row>(props.heights);
  const elements = new RowElements(layout, scroller, () => change());
  let apart: HTMLElement | undefined;
  let container!: HTMLDivElement;
  let above!: HTMLDivElement;
  let isGone = false;
  let isPlacing = false;

  const { range, mounted, renew } = createMounted(props, layout);

  /** Elements for the rows that are near the view, their heights, and then everything in its place. */
  function change(): void {
    if (isGone || layout.viewport === 0) return;
    noteScroll();
    for (let round = 0; round < MAX_ROUNDS; round++) {
      renew();
      if (!elements.measureFresh()) break;
    }
    place(false);
    props.onChange();
    if (layout.isOff && !isPlacing) placeInQuietFrame();
  }

  function placeInQuietFrame(): void {
    isPlacing = true;
    reader.inQuietFrame(
      () => layout.above < NEAR_TOP_PX,
      () => {
        isPlacing = false;
        // A program may have scrolled in this frame.
        if (layout.isAt(scroller.scrollTop)) place(true);
        else placeInQuietFrame();
      },
    );
  }

  function place(isQuiet: boolean): void {
    const scrollTop = layout.position(isQuiet);
    const { origin, heights } = layout;
    const [first, last] = range();
    container.style.height = `${Math.max(0, heights.total + origin)}px`;
    // Each row moves those below it. Above the first one is nothing but this distance.
    above.style.marginTop = `${first > last ? 0 : origin + heights.offsetOf(first)}px`;
    apart?.classList.remove("apart");
    const index = props.kept ? props.rows.indexOf(props.kept) : -1;
    apart = index >= 0 && (index < first || index > last) ? elements.get(props.kept as Row) : undefined;
    apart?.classList.add("apart");
    if (apart) apart.style.top = `${origin + heights.offsetOf(index)}px`;
    if (scrollTop !== undefined) scroller.scrollTop = scrollTop;
  }

  /** Also of a scroll whose event is still to come. */
  function noteScroll(): boolean {
    const isNews = layout.scroll(scroller.scrollTop);
    if (isNews) reader.note();
    return isNews;
  }

  const reader = new Reader(scroller, {
    onScroll: () => noteScroll() && change(),
    onStart: () => layout.startScroll(),
    onRest() {
      layout.endScroll();
      change();
      props.onRest();
    },
  });
  onMount(() => elements.observe());
  onCleanup(() => {
    isGone = true;
    reader.leave();
    elements.leave();
    props.onLeave(layout.heights.known);
    props.ref(undefined);
  });
  // The elements are there after the effects.
  createEffect(on([() => props.rows, () => props.buffer, () => props.kept], () => queueMicrotask(change)));

  function goTo(...goal: Parameters<typeof layout.goTo>): void {
    layout.goTo(...goal);
    change();
  }

  props.ref(handleOf(layout, goTo));

  return (
    <div class="virtual-list" ref={container}>
      <div ref={above} />
      <For each={mounted()}>
        {(row) => {
          onCleanup(() => elements.remove(row));
          const note = (element: HTMLElement) => elements.add(row, element);
          return <div ref={note}>{props.children(row)}</div>;
        }}
      </For>
    </div>
  );
}

/** What the list's owner knows of it, and does with it. */
function handleOf<Row extends ListRow>(
  layout: ListLayout<Row>,
  goTo: (...goal: Parameters<ListLayout<Row>["goTo"]>) => void,
): VirtualList<Row> {
  return {
    get top() {
      return layout.top;
    },
    get below() {
      return layout.below;
    },
    get rowAtTop() {
      return layout.viewport === 0 ? undefined : layout.rowAtTop;
    },
    visible: () => layout.range(0),
    scrollToRow(index, offset = 0) {
      const row = layout.rows[index];
      if (row) goTo({ kind: "top", row, offset });
    },
    show(index, covered = 0) {
      const row = layout.rows[index];
      if (!row) return;
      const { top, viewport, heights } = layout;
      if (heights.offsetOf(index) < top + covered) goTo({ kind: "top", row, offset: -covered });
      else if (heights.offsetOf(index + 1) > top + viewport) goTo({ kind: "bottom", row });
    },
    scrollToEnd: () => goTo({ kind: "end" }),
    followEnd: () => layout.followEnd(),
    leaveEnd: () => layout.leaveEnd(),
  };
}

/** Which rows have elements. `renew`: the layout has changed. */
function createMounted<Row extends ListRow>(props: Props<Row>, layout: ListLayout<Row>) {
  const [moves, setMoves] = createSignal(0);
  const range = createMemo<[number, number]>(
    () => {
      moves();
      if (props.rows !== layout.rows) layout.setRows(props.rows);
      return layout.range(props.buffer);
    },
    [0, -1],
    { equals: false },
  );
  const mounted = createMemo<readonly Row[]>((before) => {
    const { rows, kept } = props;
    const [first, last] = range();
    const wanted = withKept(rows, first, last, kept);
    return isSameList(wanted, before) ? before : wanted;
  }, []);
  return { range, mounted, renew: () => setMoves((count) => count + 1) };
}

/** The rows of the range, and the one that always has an element, in their order. */
function withKept<Row>(
  rows: readonly Row[],
  first: number,
  last: number,
  kept: Row | undefined,
): readonly Row[] {
  const wanted = rows.slice(first, last + 1);
  if (kept === undefined || wanted.includes(kept)) return wanted;
  return rows.indexOf(kept) < first ? [kept, ...wanted] : [...wanted, kept];
}
