import type { OutboxTab } from "../../../client/outbox/take-over.ts";
import { lockOf } from "./own-tab.ts";

/** The page that is loaded again in a tab has its own messages before others take them over. */
const PATIENCE_MS = 2000;

/** Each tab holds a lock of its name while it lives. `previous`: the page that this tab has shown before. */
export function tabByLocks(name: string, previous: string | undefined): OutboxTab {
  const { locks } = navigator;
  async function whenGone(other: string, take: () => void): Promise<void> {
    if (other !== previous) {
      await locks.request(lockOf(other), () => {});
      await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    }
    await locks.request(lockOf(other), take);
  }
  return { name, whenGone: (other, take) => void whenGone(other, take) };
}
