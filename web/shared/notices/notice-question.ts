/** Whether the person wants notices of the browser. They are asked once, in a banner. */
import { createSignal } from "solid-js";
import { readStored, writeStored } from "../state/browser-storage.ts";

const ANSWERED = "parley.notices";
const [isAsking, setAsking] = createSignal(false);

/** Whether the banner asks. */
export { isAsking };

export function askOnce(): void {
  if (readStored(ANSWERED) === undefined) setAsking(true);
}

/** Called by a press of a button, as browsers demand. */
export async function allowNotices(): Promise<void> {
  setAsking(false);
  writeStored(ANSWERED, "yes");
  await Notification.requestPermission();
}

export function declineNotices(): void {
  setAsking(false);
  writeStored(ANSWERED, "no");
}
