/** Unsent messages are stored in this browser, each for the tab that it is shown in. */
import { whenIdle } from "../page/when-idle.ts";
import { listStored, readStored, removeStored, writeStored } from "../state/browser-storage.ts";
import { state } from "../state/state.ts";
import { lockOf, ownTab } from "./own-tab.ts";

const AGAIN_MS = 10_000;

/** Called before anything can be sent. */
export function keepOutbox(): void {
  // The browser ends the lock with the tab, however it ends. Pages without TLS have none, and say the time.
  if (navigator.locks) void navigator.locks.request(lockOf(ownTab), () => new Promise(() => {}));
  else writeStored(lockOf(ownTab), String(Date.now()));
  const storage = { list: listStored, read: readStored, write: writeStored, remove: removeStored };
  state.outbox.keep(storage, ownTab);
  const load = () =>
    import("./take-over.ts").then(
      ({ takeOverUnsent }) => takeOverUnsent(storage),
      () => setTimeout(load, AGAIN_MS),
    );
  whenIdle(() => void load());
}
