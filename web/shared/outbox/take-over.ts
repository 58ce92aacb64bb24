/** Shows what tabs that are gone have left unsent. It is loaded after the first screen. */

import { TakeOver } from "../../../client/outbox/take-over.ts";
import type { OutboxStorage } from "../../../client/outbox.ts";
import { needTexts, t } from "../../i18n/t.ts";
import { onStoredChange, readStored, writeStored } from "../state/browser-storage.ts";
import { state } from "../state/state.ts";
import { plainFile } from "../uploads/places.ts";
import { hasUploads } from "../uploads/uploads.ts";
import { ownTab } from "./own-tab.ts";
import { tabByLocks } from "./tab-locks.ts";
import { tabByTimes } from "./tab-times.ts";

/** The page that this tab has shown before, which a reload has ended. */
const PREVIOUS = "parley.tab";
const AGAIN_MS = 5000;

export async function takeOverUnsent(storage: OutboxStorage): Promise<void> {
  const previous = readStored(PREVIOUS, "tab");
  writeStored(PREVIOUS, ownTab, "tab");
  const tab = navigator.locks ? tabByLocks(ownTab, previous) : tabByTimes(ownTab, previous);
  const texts = { describe: describeProblem, describeFile: plainFile };
  let others: TakeOver | undefined;
  const look = () => {
    if (!state.isReady || state.isSpectator) return;
    const userId = state.model.viewer.id;
    if (others?.userId !== userId) others = new TakeOver(storage, tab, userId, texts);
    others.watchOthers((left) => {
      if (state.model.viewer.id === userId) state.outbox.takeOver(left);
    });
  };
  addEventListener("beforeunload", (event) => {
    if (!state.outbox.isSafe || hasUploads()) event.preventDefault();
  });
  await haveTexts();
  onStoredChange("parley.outbox.", look);
  state.changes.listen((changed) => changed.has("generation") && look());
  look();
}

/** Goes on asking for what could not be fetched. */
async function haveTexts(): Promise<void> {
  for (;;) {
    try {
      return await needTexts("more");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

const describeProblem = (problem: "interrupted" | "filesLost") => t(`outbox.${problem}`);
