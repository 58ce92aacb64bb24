/** Marks messages as read that were seen, many in one call. */
import { updateMessageFlags } from "../../../api/messages/flags.ts";
import { CallError } from "../../../client/call-error.ts";
import { conversationOf } from "../../../client/narrow.ts";
import { readPolicies, readPolicy } from "../../shared/preferences/preferences.ts";
import { route } from "../../shared/routing/route.ts";
import { state } from "../../shared/state/state.ts";

const WAIT_MS = 200;
const MAX_IDS = 1000;

const seen = new Set<number>();
/** The person marked messages of the open view as unread, so seeing them does not count. */
let isHeld = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Nothing is seen in a window that is covered. */
export function markSeen(ids: Iterable<number>): void {
  if (isHeld || !readsBySeeing() || document.visibilityState !== "visible") return;
  for (const id of ids) if (state.model.unreads.has(id)) seen.add(id);
  if (seen.size > 0) wait();
}

/** Whether the account wants messages of the open view to be read when they were seen. */
function readsBySeeing(): boolean {
  if (readPolicy() !== readPolicies.conversations) return readPolicy() === readPolicies.always;
  const current = route();
  const place = current.view === "messages" ? conversationOf(current.narrow) : undefined;
  return place?.kind === "direct" || place?.topic !== undefined;
}

export function holdReading(): void {
  isHeld = true;
  seen.clear();
}

/** Called when a view opens. */
export function resumeReading(): void {
  isHeld = false;
}

function wait(): void {
  if (timer === undefined) timer = setTimeout(() => void send(), WAIT_MS);
}

/** What could not be marked is unread still, and is seen again. */
async function send(): Promise<void> {
  timer = undefined;
  const ids = [...seen].slice(0, MAX_IDS);
  for (const id of ids) seen.delete(id);
  const parameters = { messages: ids, op: "add", flag: "read" };
  try {
    await state.track(() => state.connection.call(updateMessageFlags, parameters));
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
  if (seen.size > 0) wait();
}
