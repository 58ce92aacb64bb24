import { listStored, removeStored } from "../state/browser-storage.ts";

/** The keys of the visits of each account in this browser. Addresses have names of topics in them. */
export const VISITS = "parley.visits.";

/** Of all accounts, at the end of a session. */
export function forgetVisits(): void {
  for (const key of listStored(VISITS)) removeStored(key);
}
