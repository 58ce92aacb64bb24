/** What was searched for lately, as addresses. It is kept in this browser only, for each account. */
import { listStored, readStoredJson, removeStored, writeStored } from "../state/browser-storage.ts";

const PREFIX = "parley.searches.";
const MAX_KEPT = 10;

export function recentSearches(userId: number): readonly string[] {
  const kept = readStoredJson(PREFIX + userId);
  return Array.isArray(kept) ? kept.filter((hash) => typeof hash === "string").slice(0, MAX_KEPT) : [];
}

export function keepSearch(userId: number, hash: string): void {
  const others = recentSearches(userId).filter((search) => search !== hash);
  writeStored(PREFIX + userId, JSON.stringify([hash, ...others].slice(0, MAX_KEPT)));
}

/** Forgets those of all accounts in this browser: at the end of a session, and when the person wants it. */
export function forgetSearches(): void {
  for (const key of listStored(PREFIX)) removeStored(key);
}
