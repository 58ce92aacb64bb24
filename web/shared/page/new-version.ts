/**
 * Whether the server has another version of this program. The page is loaded again when nobody is using it:
 * texts are kept as drafts, messages that were not sent are stored, and the entry of the browser's history
 * has the place. Others press the banner.
 */
import { createEffect, onCleanup } from "solid-js";
import { live } from "../../ui/live.ts";
import { state } from "../state/state.ts";
import { hasUploads } from "../uploads/uploads.ts";
import { askForVersion, isOutdated } from "./outdated.ts";

const ASK_MS = 30 * 60_000;
const IDLE_MS = 5 * 60_000;
const LOOK_MS = 20_000;

export function watchVersion(): void {
  let usedAt = Date.now();
  const onUse = () => {
    usedAt = Date.now();
  };
  const onVisible = () => {
    if (document.visibilityState === "visible") void askForVersion();
    else reloadIfIdle();
  };
  const reloadIfIdle = () => {
    const isUsed = document.visibilityState === "visible" && Date.now() - usedAt < IDLE_MS;
    if (isOutdated() && !isUsed && state.isIdle && state.outbox.isSafe && !hasUploads() && !isAtWork())
      location.reload();
  };
  for (const sign of ["keydown", "pointerdown"]) addEventListener(sign, onUse, { passive: true });
  document.addEventListener("visibilitychange", onVisible);
  const timers = [setInterval(() => void askForVersion(), ASK_MS), setInterval(reloadIfIdle, LOOK_MS)];
  onCleanup(() => timers.forEach(clearInterval));
  const kind = live("connection", () => state.connectionState.kind);
  let wasAway = false;
  createEffect(() => {
    if (kind() === "waiting") wasAway = true;
    else if (wasAway && kind() === "connected") {
      wasAway = false;
      void askForVersion();
    }
  });
}

/** A dialog, or a text that is being changed in its place, would be lost. */
function isAtWork(): boolean {
  return document.querySelector("dialog[open], :popover-open, .edit-box") !== null;
}
