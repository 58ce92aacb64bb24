/**
 * Fetches the newest messages of all conversations when there is time, so that most switches need no request.
 */
import { createEffect } from "solid-js";
import { CallError } from "../../../client/call-error.ts";
import { combinedFeed, keyOfNarrow } from "../../../client/narrow.ts";
import { live } from "../../ui/live.ts";
import { whenIdle } from "../page/when-idle.ts";
import { state } from "./state.ts";

const COUNT = 300;

export function prefetchNewest(): void {
  const changed = live(["generation", `windows:${keyOfNarrow(combinedFeed)}`], () => ({}));
  createEffect(() => {
    changed();
    if (!isWaiting) whenIdle(() => void fetchNewest());
    isWaiting = true;
  });
}

let isWaiting = false;

/** Without it, each view fetches its own. */
async function fetchNewest(): Promise<void> {
  isWaiting = false;
  if (state.isStale) return;
  const window = state.windows.open(combinedFeed);
  if ((window.isLoaded && !window.isOutdated) || state.windows.isInUse(window)) return;
  try {
    await state.load(window, { anchor: "newest", before: COUNT, after: 0 });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}
