/** Ends the session, and removes everything that this browser keeps of the account. */
import { endSession } from "../../../api/accounts/sessions.ts";
import { t } from "../../i18n/t.ts";
import { askFirst } from "../../ui/menus.tsx";
import { reportFailure, withPart } from "../../ui/notice.ts";
import { clearStored, listStored, readStored, writeStored } from "../state/browser-storage.ts";
import { eraseState, forgetSessionName } from "../state/saved-state.ts";
import { state } from "../state/state.ts";

const MESSAGES = "parley.outbox.";
const TEXTS = "parley.texts.";
const own = (prefix: string) => `${prefix}${state.model.viewer.id}.`;

/** What was not sent, and texts that the server does not have, would be gone. So people are asked first. */
export function signOut(): Promise<void> {
  return withPart(() => import("../compose/unsaved-texts.ts"), askAndEnd);
}

async function askAndEnd({ countUnsaved }: typeof import("../compose/unsaved-texts.ts")): Promise<void> {
  const texts = await state.track(countUnsaved);
  const messages = listStored(own(MESSAGES)).length;
  if (texts + messages === 0) return endOwnSession();
  const lost = [
    ...(messages > 0 ? [t("outbox.signOut.text", { count: messages })] : []),
    ...(texts > 0 ? [t("signOut.text", { count: texts })] : []),
  ];
  askFirst({
    ...{ title: t("signOut.title"), text: lost.join(" "), action: t("signOut.action") },
    async run() {
      await endOwnSession();
      return undefined;
    },
  });
}

async function endOwnSession(): Promise<void> {
  const reply = await reportFailure(() => state.track(() => state.connection.call(endSession, {})));
  if (reply === undefined) return;
  await forgetEverything();
  location.assign("/login");
}

/** What this browser keeps of the account. What a browser can't do is no reason to stay. */
export async function forgetEverything(): Promise<void> {
  await eraseState();
  forgetSessionName();
  const ofOthers = [MESSAGES, TEXTS].flatMap((prefix) =>
    listStored(prefix).filter((key) => !key.startsWith(own(prefix))),
  );
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
