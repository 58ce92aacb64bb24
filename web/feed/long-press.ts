/**
 * A long press, where the browser has no event for it, as Safari on iOS. While the finger is held, the row
 * is selected. Its menu opens when the finger is lifted, since the browser closes what opened before.
 */
import { onCleanup } from "solid-js";

const HELD_MS = 500;
/** A finger is never quite still. */
const STILL_PX = 10;
/** The press of a link that comes with the lifted finger. */
const CLICK_MS = 400;

export function watchLongPress(feed: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let held: { target: Element; x: number; y: number; isLong: boolean } | undefined;

  function end(): void {
    clearTimeout(timer);
    held = undefined;
  }

  function onDown(event: PointerEvent): void {
    end();
    const { target, clientX: x, clientY: y } = event;
    if (event.pointerType !== "touch" || !event.isPrimary || !(target instanceof Element)) return;
    const row = target.closest<HTMLElement>("article.row");
    if (!row || target.closest("input, textarea")) return;
    const press = { target, x, y, isLong: false };
    held = press;
    timer = setTimeout(() => {
      press.isLong = true;
      row.focus({ preventScroll: true });
    }, HELD_MS);
  }

  function onMove(event: PointerEvent): void {
    if (held && Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL_PX) end();
  }

  function onUp(): void {
    const press = held;
    end();
    if (!press?.isLong) return;
    addEventListener("click", refuse, { capture: true, once: true });
    setTimeout(() => {
      removeEventListener("click", refuse, { capture: true });
    }, CLICK_MS);
    const { target, x, y } = press;
    const init = { bubbles: true, cancelable: true, pointerType: "touch", clientX: x, clientY: y };
    setTimeout(() => target.dispatchEvent(new PointerEvent("contextmenu", init)));
  }

  feed.addEventListener("pointerdown", onDown);
  feed.addEventListener("pointermove", onMove);
  feed.addEventListener("pointerup", onUp);
  // Other browsers send their own event, and take the finger.
  for (const type of ["pointercancel", "contextmenu", "scroll"]) feed.addEventListener(type, end);
  onCleanup(end);
}

function refuse(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
