/** Where the last state is in the browser, and whose it is. */
import type { SavedState } from "../../../client/saved-state.ts";

/** The script in the page's HTML has these names too. */
export const DATABASE = "parley";
export const STORE = "state";
/** Another one erases what an older program has left. */
export const VERSION = 1;
/** Said in a place that is read at once, so that a start without a saved state waits for nothing. */
export const HAS_STATE = "parley.saved";

export interface Saved extends Omit<SavedState, "snapshot"> {
  session: string;
  build: string;
  /** JSON. */
  snapshot: string;
}

export const build = document.documentElement.dataset.build ?? "";

/** The server's name for the session, from which nothing of the session follows. */
export function sessionName(): string | undefined {
  return /(?:^|; )parley-cache=([\w-]+)/.exec(document.cookie)?.[1];
}

export function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** A browser may have no database, or no room for one. */
export async function attempt<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return undefined;
  }
}
