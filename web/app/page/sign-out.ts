/** Ends the session, and removes everything that this browser keeps of the account. */
import { endSession } from "../../../api/sessions.ts";
import { reportFailure } from "../../ui/notice.ts";
import { clearStored } from "../state/browser-storage.ts";
import { eraseState, forgetSessionName } from "../state/saved-state.ts";
import { state } from "../state/state.ts";

export async function signOut(): Promise<void> {
  const reply = await reportFailure(() => state.track(() => state.connection.call(endSession, {})));
  if (reply === undefined) return;
  await forgetEverything();
  location.assign("/login");
}

/** What a browser can't do is no reason to stay. */
async function forgetEverything(): Promise<void> {
  await eraseState();
  forgetSessionName();
  clearStored();
  const databases = (await indexedDB.databases?.()) ?? [];
  for (const { name } of databases) if (name !== undefined) indexedDB.deleteDatabase(name);
  // There are none on pages without TLS.
  if ("caches" in globalThis) {
    await Promise.all((await caches.keys()).map((key) => caches.delete(key)));
  }
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(workers.map((worker) => worker.unregister()));
}
