/**
 * Waits for a frame in which the reader does not scroll. Rows that are added or measured above the screen
 * change the place of all rows and the scroll offset by the same distance, so nothing moves. But in a frame
 * that the reader scrolls in, browsers can't tell the two apart: they report a layout shift, and may end a
 * smooth scroll.
 */
import { type Accessor, createEffect, onCleanup } from "solid-js";

/** After so many frames without a scroll, one in the next frame is unlikely. */
const PAUSE_FRAMES = 10;

export type QuietFrame = (isUrgent?: () => boolean) => Promise<void>;

/**
 * Resolves in a frame right after the reader's last scroll, or else in a pause. Between the two, the reader's
 * next scroll is likely. `isUrgent`: the change can't wait any longer.
 */
export function createQuietFrame(scroller: Accessor<HTMLElement | undefined>): QuietFrame {
  let scrolls = 0;
  let isGone = false;
  const note = () => void scrolls++;
  createEffect(() => {
    const element = scroller();
    element?.addEventListener("scroll", note, { passive: true });
    onCleanup(() => element?.removeEventListener("scroll", note));
  });
  onCleanup(() => {
    isGone = true;
  });
  return (isUrgent = () => false) =>
    new Promise((resolve) => {
      let known = scrolls;
      let hasScrolled = false;
      let quiet = 0;
      // Browsers report the scrolls of a frame before they call this. What follows it is in the same frame.
      const look = () => {
        const isQuiet = scrolls === known;
        if (isGone || isUrgent() || (isQuiet && hasScrolled) || quiet >= PAUSE_FRAMES) return resolve();
        quiet = isQuiet ? quiet + 1 : 0;
        hasScrolled ||= !isQuiet;
        known = scrolls;
        requestAnimationFrame(look);
      };
      // A hidden page has no frames.
      if (document.visibilityState === "hidden") resolve();
      else requestAnimationFrame(look);
    });
}
