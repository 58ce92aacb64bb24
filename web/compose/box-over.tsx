import { onCleanup, Show } from "solid-js";
import { chosen, offered } from "../shared/compose/compose-target.ts";
import { route } from "../shared/routing/route.ts";
import { Compose } from "./compose.tsx";
import { DropHint } from "./drop-hint.tsx";

/** The message box over a view that has none of its own, while somebody writes. The view stays as it is. */
export function BoxOver() {
  const isWanted = () => route().view !== "messages" && (chosen() !== undefined || offered() !== undefined);
  return (
    <Show when={isWanted()}>
      <Box />
    </Show>
  );
}

function Box() {
  const before = document.activeElement;
  onCleanup(() => {
    // The box had the focus and took it along. Keys go on where they were.
    queueMicrotask(() => {
      if (document.activeElement !== document.body || !(before instanceof HTMLElement)) return;
      if (before.isConnected) before.focus();
    });
  });
  return (
    <>
      <Compose place={undefined} />
      <DropHint />
    </>
  );
}
