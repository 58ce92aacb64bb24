/**
 * Where the rows of a list are and where it is scrolled to. The place of a list is a row and a distance,
 * and not a number of pixels: whatever is added, removed or measured, the row at the top stays where it is,
 * or the end does, or what was asked for.
 *
 * The scroll offset is the reader's: to write it can end a scroll, and in a frame with one, browsers report
 * a layout shift. So the rows keep their distances to the row at the top, and the first one may begin above
 * or below zero, at `origin`. That is made good in a frame without a scroll.
 */
import { type KnownHeights, RowHeights } from "./row-heights.ts";

/** A scroll offset that was written can come back rounded. */
const ROUNDING_PX = 1;
/** Rows that grow by more were opened by the reader, who reads on where they begin. */
const MAX_FOLLOWED_PX = 120;

export interface ListRow {
  readonly key: string;
}

/** `offset`: how much of the row is above the view; negative: how far below the top of the view it begins. */
export interface RowAtTop<Row> {
  row: Row;
  offset: number;
}

export type Goal<Row> = { kind: "end" } | ({ kind: "top" } & RowAtTop<Row>) | { kind: "bottom"; row: Row };

export class ListLayout<Row extends ListRow> {
  readonly #heights: RowHeights;
  #rows: readonly Row[] = [];
  #indexes = new Map<Row, number>();
  #place: RowAtTop<Row> | undefined;
  /** The end until the reader scrolls, or a row until it is reached. */
  #goal: Goal<Row> | undefined;
  /** Whether the view goes back to the end, if the turn of the wheel scrolled something else. */
  #returnsToEnd = false;
  #isScrolling = false;
  #viewport = 0;
  #scrollTop = 0;
  #origin = 0;

  constructor(known?: KnownHeights) {
    this.#heights = new RowHeights(known);
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  get heights(): RowHeights {
    return this.#heights;
  }

  get viewport(): number {
    return this.#viewport;
  }

  /** The offset of the scroller. */
  get scrollTop(): number {
    return this.#scrollTop;
  }

  /** Where the first row begins, in the scroller. */
  get origin(): number {
    return this.#origin;
  }

  /** The top of the view, from the top of the first row. */
  get top(): number {
    const goal = this.#goal;
    if (goal?.kind === "end") return this.#within(this.#heights.total - this.#viewport);
    if (goal?.kind === "bottom") {
      const index = this.#indexes.get(goal.row) as number;
      return this.#within(this.#heights.offsetOf(index + 1) - this.#viewport);
    }
    const at = goal ?? this.#place;
    if (!at) return 0;
    // At its ends, browsers let a list be pulled further than it is.
    return this.#isScrolling ? this.#topOf(at) : this.#within(this.#topOf(at));
  }

  /** The height of what is below the view. */
  get below(): number {
    return this.#heights.total - this.top - this.#viewport;
  }

  get rowAtTop(): RowAtTop<Row> | undefined {
    return this.#rowAt(this.top);
  }

  /** The first and the last row that are within so many pixels of the view; an empty range is [0, -1]. */
  range(buffer: number): [first: number, last: number] {
    if (this.#viewport === 0 || this.#rows.length === 0) return [0, -1];
    const { top } = this;
    const last = this.#heights.indexAt(top + this.#viewport + buffer);
    return [this.#heights.indexAt(top - buffer), last];
  }

  setRows(rows: readonly Row[]): void {
    const before = this.#rows;
    const place = this.#place;
    const top = place ? this.top : 0;
    const indexes = new Map(rows.map((row, index) => [row, index]));
    if (place && !indexes.has(place.row)) {
      const from = this.#indexes.get(place.row) as number;
      const isThere = (row: Row) => indexes.has(row);
      const kept = before.slice(from).find(isThere) ?? before.slice(0, from).findLast(isThere);
      const index = kept && (this.#indexes.get(kept) as number);
      this.#place =
        index === undefined ? undefined : { row: kept as Row, offset: top - this.#heights.offsetOf(index) };
    }
    if (this.#goal && "row" in this.#goal && !indexes.has(this.#goal.row)) this.#goal = undefined;
    this.#rows = rows;
    this.#indexes = indexes;
    this.#heights.setKeys(rows.map(({ key }) => key));
  }

  /** `viewport` is 0 while the list is not displayed, and then browsers forget the scroll offset. */
  setViewport(viewport: number, scrollTop: number): void {
    if (this.#viewport === 0) this.#scrollTop = scrollTop;
    this.#viewport = viewport;
  }

  /** Says if that is news. */
  setHeight(row: Row, height: number): boolean {
    const index = this.#indexes.get(row);
    if (index === undefined) return false;
    const before = this.#heights.heightOf(index);
    const wasKnown = this.#heights.isKnown(index);
    if (wasKnown && before === height) return false;
    this.#heights.set(index, height);
    if (wasKnown && height - before > MAX_FOLLOWED_PX) this.#goal = undefined;
    return before !== height;
  }

  /** The rows have another width. */
  forgetHeights(): void {
    this.#heights.forget();
  }

  goTo(goal: Goal<Row>): void {
    if ("row" in goal && !this.#indexes.has(goal.row)) return;
    this.#goal = goal;
    this.#returnsToEnd = false;
    this.#isScrolling = false;
  }

  /** From now on if the view is at the end, and from the reader's rest on if it gets there by a scroll. */
  followEnd(): void {
    if (!this.#isScrolling) this.#goal = { kind: "end" };
    else if (this.below < ROUNDING_PX) this.#returnsToEnd = true;
  }

  leaveEnd(): void {
    if (this.#goal?.kind === "end") this.#goal = undefined;
    this.#returnsToEnd = false;
  }

  /** A wheel or a finger moves, and a scroll may follow. */
  startScroll(): void {
    this.#isScrolling = true;
    this.#returnsToEnd ||= this.#goal?.kind === "end";
    this.#goal = undefined;
  }

  isAt(scrollTop: number): boolean {
    return Math.abs(scrollTop - this.#scrollTop) < ROUNDING_PX;
  }

  /** After an event of the scroller. Says if it was the reader's, and not an answer to what was written. */
  scroll(scrollTop: number): boolean {
    if (this.isAt(scrollTop)) return false;
    // Rows may have been added since.
    const before = this.#place ? this.#topOf(this.#place) : this.#scrollTop;
    this.#place = this.#rowAt(before + scrollTop - this.#scrollTop);
    this.#scrollTop = scrollTop;
    this.#isScrolling = true;
    this.#goal = undefined;
    this.#returnsToEnd = false;
    return true;
  }

  endScroll(): void {
    this.#isScrolling = false;
    if (this.#returnsToEnd) this.#goal ??= { kind: "end" };
    this.#returnsToEnd = false;
  }

  /** The rows do not begin where they should. */
  get isOff(): boolean {
    return Math.abs(this.#origin) >= ROUNDING_PX;
  }

  /** The height of what is left to scroll: to the first row, or to where the scroller begins. */
  get above(): number {
    return Math.min(this.#scrollTop, this.top);
  }

  /**
   * After every change. Gives what the scroll offset is to be, unless it is that. Where nothing on the screen
   * has to move, it waits for a frame in which the reader does not scroll: `isQuiet`.
   */
  position(isQuiet = false): number | undefined {
    const goal = this.#goal;
    const shown = this.#place && this.#topOf(this.#place);
    const isAtEnd = goal?.kind === "end" && Math.abs((shown ?? Infinity) - this.top) < ROUNDING_PX;
    if ((!goal || isAtEnd) && !isQuiet) {
      this.#origin = this.#scrollTop - this.top;
      return undefined;
    }
    const top = this.#within(this.top);
    if (goal?.kind !== "end") this.#goal = undefined;
    this.#place = this.#rowAt(top);
    // What is added below scrolls the rows. Browsers report those that also move in the scroller.
    const kept = goal?.kind === "end" && shown !== undefined && !isQuiet ? this.#scrollTop - shown : 0;
    const begin = top + kept < 0 ? 0 : kept;
    const wanted = goal?.kind === "end" ? top + begin : Math.round(top);
    this.#origin = wanted - top;
    if (Math.abs(wanted - this.#scrollTop) < ROUNDING_PX / 2) return undefined;
    this.#scrollTop = wanted;
    return wanted;
  }

  #topOf({ row, offset }: RowAtTop<Row>): number {
    return this.#heights.offsetOf(this.#indexes.get(row) as number) + offset;
  }

  #within(top: number): number {
    return Math.max(0, Math.min(top, this.#heights.total - this.#viewport));
  }

  #rowAt(top: number): RowAtTop<Row> | undefined {
    const index = this.#heights.indexAt(top);
    const row = this.#rows[index];
    return row && { row, offset: top - this.#heights.offsetOf(index) };
  }
}
