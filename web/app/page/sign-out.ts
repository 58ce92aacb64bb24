/** Ends the session, and removes everything that this browser keeps of the account. */
import { endSession } from "../../../api/sessions.ts";
import { needTexts, t } from "../../i18n/t.ts";
import { askFirst } from "../../ui/menus.tsx";
import { reportFailure } from "../../ui/notice.ts";
import { clearStored, listStored, readStored, writeStored } from "../state/browser-storage.ts";
import { eraseState, forgetSessionName } from "../state/saved-state.ts";
import { state } from "../state/state.ts";

const MESSAGES = "parley.outbox.";
const ownMessages = () => `${MESSAGES}${state.model.viewer.id}.`;

/** What was not sent would be gone, so the person is asked first. */
export async function signOut(): Promise<void> {
  const count = listStored(ownMessages()).length;
  if (count === 0) return endAndLeave();
  await needTexts("more");
  askFirst({
    title: t("outbox.signOut.title"),
    text: t("outbox.signOut.text", { count }),
    action: t("outbox.signOut.action"),
    async run() {
      await endAndLeave();
      return undefined;
    },
  });
}

async function endAndLeave(): Promise<void> {
  const reply = await reportFailure(() => state.track(() => state.connection.call(endSession, {})));
  if (reply === undefined) return;
  await forgetEverything();
  location.assign("/login");
}

/** What a browser can't do is no reason to stay. */
async function forgetEverything(): Promise<void> {
  await eraseState();
  forgetSessionName();
  const ofOthers = listStored(MESSAGES).filter((key) => !key.startsWith(ownMessages()));
  const kept = ofOthers.map((key) => [key, readStored(key) ?? ""] as const);
  clearStored();
  // Another account has not signed out.
  for (const [key, value] of kept) writeStored(key, value);
  const databases = (await indexedDB.databases?.()) ?? [];
  for (const { name } of databases) if (name !== undefined) indexedDB.deleteDatabase(name);
  // There are none on pages without TLS.
  if ("caches" in globalThis) {
    await Promise.all((await caches.keys()).map((key) => caches.delete(key)));
  }
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(workers.map((worker) => worker.unregister()));
}
