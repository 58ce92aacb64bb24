/**
 * The dialog, menu or picker above the page. There is one at a time, and a question above it, which what is
 * asked for there may need answered first.
 */
import { createEffect, createRoot, createSignal, type JSX, on } from "solid-js";
import { hasFollowed, route } from "../shared/routing/route.ts";

type Draw = () => JSX.Element;

const [overlay, setOverlay] = createSignal<Draw | undefined>();

const [question, setQuestion] = createSignal<Draw | undefined>();

export { overlay, question };

/** What was above one view has no place above another. A view that has only moved keeps it. */
createRoot(() => createEffect(on(route, () => hasFollowed() || closeAll(), { defer: true })));

/** `show` gets what closes it. That does nothing once another one has taken its place. */
export function openOverlay(show: (close: () => void) => JSX.Element): void {
  const close = () => {
    if (overlay() === draw) setOverlay(undefined);
  };
  const draw: Draw = () => show(close);
  setOverlay(() => draw);
}

/** The same above what is shown already, which stays. */
export function openQuestion(show: (close: () => void) => JSX.Element): void {
  const close = () => {
    if (question() === draw) setQuestion(undefined);
  };
  const draw: Draw = () => show(close);
  setQuestion(() => draw);
}

function closeAll(): void {
  setOverlay(undefined);
  setQuestion(undefined);
}
