/**
 * The last state in this browser's database, so that the next start shows it at once. It belongs to a
 * session: the server's cookie names that, and what another session has left is erased. Without the cookie or
 * the database, the client starts as if it were new.
 */
import { whenIdle } from "../page/when-idle.ts";
import { readStored, removeStored } from "./browser-storage.ts";
import { state } from "./state.ts";
import { attempt, build, DATABASE, done, HAS_STATE, type Saved, sessionName } from "./state-database.ts";

declare global {
  interface Window {
    /** Undefined where nothing was saved. */
    parleySaved?: Promise<Saved | undefined> | undefined;
  }
}

const WAIT_MS = 5000;

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
  if (found.session !== sessionName() || found.build !== build) return forgetState();
  if (isErased) return;
  try {
    state.restore({ ...found, snapshot: JSON.parse(found.snapshot) as object });
  } catch {
    // A state that this program can't read.
    await forgetState();
  }
}

/** Saves the state when it has changed and there is time, and when the page is left. */
export function keepSaving(): void {
  whenIdle(() => void loadSaving());
  state.changes.listen(() => {
    timer ??= setTimeout(() => whenIdle(() => void save()), WAIT_MS);
  });
  addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void save();
  });
}

/** Called when the session ends, and before somebody signs out. Nothing is saved from then on. */
export async function eraseState(): Promise<void> {
  isErased = true;
  await forgetState();
}

async function forgetState(): Promise<void> {
  removeStored(HAS_STATE);
  clearTimeout(timer);
  timer = undefined;
  await attempt(() => done(indexedDB.deleteDatabase(DATABASE)));
}

/** Without the network it may be missing. Then the last state is the one of before. */
function loadSaving() {
  return import("./save-state.ts").catch(() => undefined);
}

/** The part that saves comes when there is time, so that the first screen does not wait for it. */
async function save(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  if (isErased) return;
  const part = await loadSaving();
  if (part && !(await part.saveState(() => !isErased)) && mayHaveState()) await forgetState();
}

/** Without it nothing is saved. */
export function forgetSessionName(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the store of cookies.
  document.cookie = "parley-cache=; Max-Age=0; Path=/; SameSite=Strict";
}
