import { createEffect, on } from "solid-js";
import { isShownIn } from "../../shared/outbox/shown-in.ts";
import { state } from "../../shared/state/state.ts";
import { live } from "../../ui/live.ts";
import type { createFeedView } from "../feed-view.ts";
import type { createFeedScroll } from "./feed-scroll.ts";

/** A message that is sent from an old part of a conversation is shown at the end, where it belongs. */
export function jumpToSent(
  view: ReturnType<typeof createFeedView>,
  scroll: ReturnType<typeof createFeedScroll>,
): void {
  const last = live("outbox", () => state.outbox.lastSent?.localId);
  createEffect(
    on(
      last,
      () => {
        const { lastSent } = state.outbox;
        if (lastSent && isShownIn(lastSent, view.narrow) && !view.hasNewest()) void scroll.toNewest();
      },
      { defer: true },
    ),
  );
}
