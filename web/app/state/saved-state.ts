/**
 * The last state in this browser's database, so that the next start shows it at once. It belongs to a
 * session: the server's cookie names that, and what another session has left is erased. Without the cookie or
 * the database, the client starts as if it were new.
 */
import { type SavedState, saveWindows, withoutSecrets } from "../../../client/saved-state.ts";
import { whenIdle } from "../page/when-idle.ts";
import { readStored, removeStored, writeStored } from "./browser-storage.ts";
import { state } from "./state.ts";

declare global {
  interface Window {
    /** Undefined where nothing was saved. */
    parleySaved?: Promise<Saved | undefined> | undefined;
  }
}

/** The script in the page's HTML has these names too. */
const DATABASE = "parley";
const STORE = "state";
/** Another one erases what an older program has left. */
const VERSION = 1;
/** Said in a place that is read at once, so that a start without a saved state waits for nothing. */
const HAS_STATE = "parley.saved";
const WAIT_MS = 5000;

interface Saved extends Omit<SavedState, "snapshot"> {
  session: string;
  build: string;
  /** JSON. */
  snapshot: string;
}

const build = document.documentElement.dataset.build ?? "";
let saved: { snapshot: object; text: string } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let isErased = false;

export function mayHaveState(): boolean {
  return readStored(HAS_STATE) !== undefined && sessionName() !== undefined;
}

/** Shows the last state, if there is one. The page's HTML has begun to read it. */
export async function restoreState(): Promise<void> {
  const found = await attempt(async () => window.parleySaved);
  window.parleySaved = undefined;
  if (!found) return;
  if (found.session !== sessionName() || found.build !== build) return eraseState();
  if (isErased) return;
  try {
    state.restore({ ...found, snapshot: JSON.parse(found.snapshot) as object });
  } catch {
    // A state that this program can't read.
    await eraseState();
  }
}

/** Saves the state when it has changed and there is time, and when the page is left. */
export function keepSaving(): void {
  state.changes.listen(() => {
    timer ??= setTimeout(() => whenIdle(() => void save()), WAIT_MS);
  });
  addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void save();
  });
}

/** Called when the session ends, and before somebody signs out. */
export async function eraseState(): Promise<void> {
  removeStored(HAS_STATE);
  clearTimeout(timer);
  isErased = true;
  await attempt(() => done(indexedDB.deleteDatabase(DATABASE)));
}

async function save(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const { lastSnapshot, eventRecord } = state;
  const session = sessionName();
  if (!lastSnapshot || session === undefined || isErased) return;
  const events = eventRecord.events;
  if (!events) return eraseState();
  if (saved?.snapshot !== lastSnapshot)
    saved = { snapshot: lastSnapshot, text: withoutSecrets(lastSnapshot) };
  const record: Saved = {
    session,
    build,
    snapshot: saved.text,
    events: JSON.parse(withoutSecrets(events)) as typeof events,
    windows: saveWindows(state.windows.all, state.model.messages.byId),
    topics: [...state.topics.known].map(([channelId, topics]) => ({ channelId, topics: [...topics] })),
  };
  await attempt(async () => {
    const database = await open();
    await done(database.transaction(STORE, "readwrite").objectStore(STORE).put(record, "last"));
    database.close();
    if (!isErased) writeStored(HAS_STATE, "1");
  });
}

/** The server's name for the session, from which nothing of the session follows. */
function sessionName(): string | undefined {
  return /(?:^|; )parley-cache=([\w-]+)/.exec(document.cookie)?.[1];
}

/** Without it nothing is saved. */
export function forgetSessionName(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the store of cookies.
  document.cookie = "parley-cache=; Max-Age=0; Path=/; SameSite=Strict";
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE);
  };
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** A browser may have no database, or no room for one. */
async function attempt<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return undefined;
  }
}
