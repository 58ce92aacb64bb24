/** The person's date as a signal, so that what says "Today" changes at midnight. */
import { createSignal } from "solid-js";
import { dayAfter, startOfDay } from "./days.ts";

/** A computer that slept has late timers, and its clock and zone may have been changed. */
const LONGEST_WAIT_MS = 60_000;

const [today, setToday] = createSignal(startOfDay(Date.now()));
let timer: ReturnType<typeof setTimeout> | undefined;

/** The last midnight, in milliseconds. */
export { today };

/** Follows the date as long as the page lives. */
export function watchDate(): void {
  look();
  document.addEventListener("visibilitychange", look);
}

function look(): void {
  const now = Date.now();
  setToday(startOfDay(now));
  clearTimeout(timer);
  timer = setTimeout(look, Math.min(LONGEST_WAIT_MS, dayAfter(today()) - now));
}
