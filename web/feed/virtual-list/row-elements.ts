/** The elements of those rows that have some, and the heights that the browser gives them. */
import type { ListLayout, ListRow } from "./list-layout.ts";

export class RowElements<Row extends ListRow> {
  readonly #layout: ListLayout<Row>;
  readonly #scroller: HTMLElement;
  readonly #onChange: () => void;
  readonly #elements = new Map<Row, HTMLElement>();
  readonly #rows = new WeakMap<Element, Row>();
  /** Those that were not measured yet. */
  readonly #fresh = new Set<Row>();
  readonly #observer: ResizeObserver;
  #width: number | undefined;
  #isDelivering = false;

  /** `onChange`: a height is another, or that of the view. */
  constructor(layout: ListLayout<Row>, scroller: HTMLElement, onChange: () => void) {
    this.#layout = layout;
    this.#scroller = scroller;
    this.#onChange = onChange;
    this.#observer = new ResizeObserver((entries) => this.#noteSizes(entries));
  }

  /** Once the list is on the screen. */
  observe(): void {
    this.#observer.observe(this.#scroller);
  }

  leave(): void {
    this.#observer.disconnect();
  }

  get(row: Row): HTMLElement | undefined {
    return this.#elements.get(row);
  }

  add(row: Row, element: HTMLElement): void {
    this.#elements.set(row, element);
    this.#rows.set(element, row);
    this.#fresh.add(row);
  }

  remove(row: Row): void {
    const element = this.#elements.get(row);
    if (element) this.#observer.unobserve(element);
    this.#elements.delete(row);
    this.#fresh.delete(row);
  }

  /** Says if there was one that is not as high as was guessed. */
  measureFresh(): boolean {
    let isNews = false;
    for (const row of this.#fresh) {
      const element = this.#elements.get(row);
      if (!element) continue;
      isNews = this.#layout.setHeight(row, element.getBoundingClientRect().height) || isNews;
      // An observer that is calling can't be given more to observe before the next frame.
      if (this.#isDelivering)
        requestAnimationFrame(() => element.isConnected && this.#observer.observe(element));
      else this.#observer.observe(element);
    }
    this.#fresh.clear();
    return isNews;
  }

  #noteSizes(entries: readonly ResizeObserverEntry[]): void {
    this.#isDelivering = true;
    let isNews = false;
    for (const { target, contentRect } of entries) {
      const isOther =
        target === this.#scroller ? this.#noteView(contentRect) : this.#noteRow(target, contentRect);
      isNews ||= isOther;
    }
    if (isNews) this.#onChange();
    this.#isDelivering = false;
  }

  #noteView({ height }: DOMRectReadOnly): boolean {
    const isNews = height !== this.#layout.viewport;
    this.#layout.setViewport(height, this.#scroller.scrollTop);
    return isNews;
  }

  #noteRow(element: Element, { width, height }: DOMRectReadOnly): boolean {
    const row = this.#rows.get(element);
    // Nothing has a height while the list is not displayed.
    if (!row || this.#layout.viewport === 0 || !element.isConnected) return false;
    if (this.#width !== undefined && this.#width !== width) this.#layout.forgetHeights();
    this.#width = width;
    return this.#layout.setHeight(row, height);
  }
}
