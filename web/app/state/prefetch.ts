/**
 * Fetches the newest messages of all conversations when there is time, so that most switches need no request.
 */
import { createEffect } from "solid-js";
import { CallError } from "../../../client/call-error.ts";
import { combinedFeed } from "../../../client/narrow.ts";
import { live } from "../../ui/live.ts";
import { whenIdle } from "../page/when-idle.ts";
import { state } from "./state.ts";

const COUNT = 300;

export function prefetchNewest(): void {
  const generation = live("generation", () => state.generation);
  createEffect(() => {
    generation();
    whenIdle(() => void fetchNewest());
  });
}

/** Without it, each view fetches its own. */
async function fetchNewest(): Promise<void> {
  if (state.isStale) return;
  const window = state.windows.open(combinedFeed);
  if (window.isLoaded || window === state.windowInUse) return;
  try {
    await state.load(window, { anchor: "newest", before: COUNT, after: 0 });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}
