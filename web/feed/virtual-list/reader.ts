/** What the reader of a list does with it: scrolls, is about to, or rests. */

/** Without a scroll for so long, the reader rests. */
const REST_MS = 150;
/** After so many frames without a scroll, one in the next frame is unlikely. */
const PAUSE_FRAMES = 10;

interface Handlers {
  /** An event of the scroller, also of what a program wrote. */
  onScroll(): void;
  /** A wheel or a finger moves. */
  onStart(): void;
  onRest(): void;
}

export class Reader {
  readonly #scroller: HTMLElement;
  readonly #handlers: Handlers;
  readonly #listeners = new AbortController();
  /** Scrolls, and signs that one may follow. */
  #movements = 0;
  #isTouching = false;
  #restTimer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  constructor(scroller: HTMLElement, handlers: Handlers) {
    this.#scroller = scroller;
    this.#handlers = handlers;
    const touch = (isTouching: boolean) => () => {
      this.#isTouching = isTouching;
    };
    const start = () => {
      // At the top, a wheel turns and nothing scrolls.
      if (scroller.scrollTop > 0) this.#movements++;
      this.#restLater();
      handlers.onStart();
    };
    this.#on(scroller, "scroll", () => {
      this.#restLater();
      handlers.onScroll();
    });
    this.#on(scroller, "wheel", start);
    this.#on(scroller, "touchmove", start);
    this.#on(scroller, "touchstart", touch(true));
    this.#on(scroller, "touchend", touch(false));
    this.#on(scroller, "touchcancel", touch(false));
    // A press may lead to another place, which ends this list.
    for (const type of ["pointerdown", "keydown"])
      this.#on(window, type, () => this.#restTimer !== undefined && this.#rest());
  }

  /** The reader has scrolled. */
  note(): void {
    this.#movements++;
    this.#restLater();
  }

  /**
   * Calls back in the first frame after the reader's last scroll, or else in a pause: between the two,
   * the next scroll is likely. Browsers report the scrolls of a frame before that, in the same frame. A
   * later call takes the place of an earlier one. `isUrgent`: any frame without a scroll will do.
   */
  inQuietFrame(isUrgent: () => boolean, run: () => void): void {
    let known: number | undefined;
    let hasScrolled = false;
    let quiet = 0;
    const look = () => {
      const isQuiet = this.#movements === known && !this.#isTouching;
      if (isQuiet && (hasScrolled || isUrgent() || quiet >= PAUSE_FRAMES)) return run();
      quiet = isQuiet ? quiet + 1 : 0;
      hasScrolled ||= known !== undefined && !isQuiet;
      known = this.#movements;
      this.#frame = requestAnimationFrame(look);
    };
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(look);
  }

  leave(): void {
    this.#listeners.abort();
    clearTimeout(this.#restTimer);
    cancelAnimationFrame(this.#frame);
  }

  #on(target: EventTarget, type: string, listener: () => void): void {
    const { signal } = this.#listeners;
    target.addEventListener(type, listener, { capture: target !== this.#scroller, passive: true, signal });
  }

  #restLater(): void {
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#rest(), REST_MS);
  }

  #rest(): void {
    if (this.#isTouching) {
      this.#restLater();
      return;
    }
    clearTimeout(this.#restTimer);
    this.#restTimer = undefined;
    this.#handlers.onRest();
  }
}
