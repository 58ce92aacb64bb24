/** Marks messages as read that were seen, many in one call. */
import { updateMessageFlags } from "../../api/flags.ts";
import { CallError } from "../../client/call-error.ts";
import { state } from "../app/state.ts";

const WAIT_MS = 200;
const MAX_IDS = 1000;

const seen = new Set<number>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Nothing is seen in a window that is covered. */
export function markSeen(ids: Iterable<number>): void {
  if (document.visibilityState !== "visible") return;
  for (const id of ids) if (state.model.unreads.has(id)) seen.add(id);
  if (seen.size > 0) wait();
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
    await state.track(() => state.connection.call(updateMessageFlags, parameters as never));
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
  if (seen.size > 0) wait();
}
