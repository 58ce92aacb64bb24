/** Says regularly that the viewer is there, and learns who else is. */
import { onCleanup } from "solid-js";
import { PRESENCE_PING_SECONDS, reportPresence } from "../../../api/profiles/presence.ts";
import { CallError } from "../../../client/call-error.ts";
import { state } from "../state/state.ts";

/** Without a key or a movement for so long, the person counts as away. */
const IDLE_MS = 5 * 60_000;
const signs = ["keydown", "pointerdown", "pointermove", "focus"] as const;

export function reportOwnPresence(): void {
  let usedAt = Date.now();
  const note = () => {
    usedAt = Date.now();
  };
  for (const sign of signs) addEventListener(sign, note, { passive: true });
  const isActive = () => document.visibilityState === "visible" && Date.now() - usedAt < IDLE_MS;
  const seconds = Number(
    state.model.constants.server_presence_ping_interval_seconds ?? PRESENCE_PING_SECONDS,
  );
  void report(isActive());
  const timer = setInterval(() => void report(isActive()), seconds * 1000);
  onCleanup(() => {
    clearInterval(timer);
    for (const sign of signs) removeEventListener(sign, note);
  });
}

/** A report that is lost is followed by the next one. */
async function report(isActive: boolean): Promise<void> {
  const parameters = {
    status: isActive ? "active" : "idle",
    last_update_id: state.model.presences.lastUpdateId ?? -1,
  };
  try {
    const reply = await state.connection.call(reportPresence, parameters, { retries: 0 });
    state.model.presences.add({ ...reply });
    state.changes.note("presences");
    state.changes.flush();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}
