/** Writes the state to the database. `saved-state.ts` says when, and reads it. */
import { saveWindows, withoutSecrets } from "../../../client/save-windows.ts";
import { writeStored } from "./browser-storage.ts";
import { state } from "./state.ts";
import {
  attempt,
  build,
  DATABASE,
  done,
  HAS_STATE,
  type Saved,
  STORE,
  sessionName,
  VERSION,
} from "./state-database.ts";

let saved: { snapshot: object; text: string } | undefined;

/** False: what was saved before is of no use any more, and neither is what there is now. */
export async function saveState(isWanted: () => boolean): Promise<boolean> {
  const { lastSnapshot, eventRecord } = state;
  const session = sessionName();
  if (!lastSnapshot || session === undefined) return true;
  const { events } = eventRecord;
  // With too many events since, there is nothing to save until the next snapshot.
  if (!events) return false;
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
    if (!isWanted()) return;
    const database = await open();
    await done(database.transaction(STORE, "readwrite").objectStore(STORE).put(record, "last"));
    database.close();
    if (isWanted()) writeStored(HAS_STATE, "1");
  });
  return true;
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE);
  };
  return done(request);
}
