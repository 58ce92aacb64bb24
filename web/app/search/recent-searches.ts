/** What was searched for lately, as addresses. It is kept in this browser only, for each account. */
const PREFIX = "parley.searches.";
const MAX_KEPT = 10;

export function recentSearches(userId: number): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + userId) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string").slice(0, MAX_KEPT) : [];
  } catch {
    return [];
  }
}

export function keepSearch(userId: number, hash: string): void {
  const others = recentSearches(userId).filter((one) => one !== hash);
  localStorage.setItem(PREFIX + userId, JSON.stringify([hash, ...others].slice(0, MAX_KEPT)));
}

/** Of all accounts in this browser: at the end of a session, and when the person wants it. */
export function forgetSearches(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
