/**
 * Which tabs live, where the browser has no locks. Each writes the time again and again, and says when it
 * ends. One that has crashed is given up after some minutes, since browsers let hidden pages sleep.
 */
import type { OutboxTab } from "../../../client/outbox/take-over.ts";
import { listStored, readStored, removeStored, writeStored } from "../state/browser-storage.ts";
import { lockOf } from "./own-tab.ts";

const BEAT_MS = 10_000;
const GONE_MS = 4 * 60_000;
const LOOK_MS = 3000;
/** Two tabs that find the same one gone write at different times, and the last one takes over. */
const SETTLE_MS = 400;

export function tabByTimes(name: string, previous: string | undefined): OutboxTab {
  const beat = () => writeStored(lockOf(name), String(Date.now()));
  beat();
  setInterval(beat, BEAT_MS);
  addEventListener("pagehide", () => removeStored(lockOf(name)));
  addEventListener("pageshow", beat);
  for (const key of listStored(lockOf(""))) if (isGone(key)) removeStored(key);
  return {
    name,
    whenGone(other, take) {
      const key = lockOf(other);
      const heirKey = `parley.tab-heir.${other}`;
      let looks = 0;
      const look = async () => {
        looks = isGone(key) ? looks + 1 : 0;
        // The page that is loaded again in a tab comes first.
        if (looks < (other === previous ? 1 : 2)) return;
        clearInterval(timer);
        if (readStored(heirKey) !== undefined) return;
        writeStored(heirKey, name);
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS * (1 + Math.random())));
        if (readStored(heirKey) === name) take();
        removeStored(heirKey);
      };
      const timer = setInterval(() => void look(), LOOK_MS);
      if (other === previous) void look();
    },
  };
}

function isGone(key: string): boolean {
  return Date.now() - Number(readStored(key) ?? 0) > GONE_MS;
}
