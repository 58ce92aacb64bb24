import { createEffect, untrack } from "solid-js";
import { live } from "../../ui/live.ts";
import { state } from "./state.ts";

/** Runs again what may have failed while the server was away, each time that it answers again. */
export function whenBack(run: () => void): void {
  const kind = live("connection", () => state.connectionState.kind);
  createEffect<string>((before) => {
    if (kind() === "connected" && before === "waiting") untrack(run);
    return kind();
  }, "starting");
}
