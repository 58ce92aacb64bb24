import { listStored, removeStored } from "../state/browser-storage.ts";

/** The keys of the visits of each account in this browser. Addresses have names of topics in them. */
export const VISITS = "parley.visits.";

/** Forgets those of all accounts. A session that ends calls it. */
export function forgetVisits(): void {
  for (const key of listStored(VISITS)) removeStored(key);
}
