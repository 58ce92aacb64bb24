/** Writes the state to the database. `saved-state.ts` says when, and reads it. */
import { saveWindows, withoutSecrets } from "../../../client/save-windows.ts";
import { writeStored } from "./browser-storage.ts";
import {
  attempt,
  build,
  DATABASE,
  done,
  forgetState,
  HAS_STATE,
  isErased,
  mayHaveState,
  type Saved,
  STORE,
  sessionName,
  VERSION,
} from "./saved-state.ts";
import { state } from "./state.ts";

let saved: { snapshot: object; text: string } | undefined;

export async function saveState(): Promise<void> {
  const { lastSnapshot, eventRecord } = state;
  const session = sessionName();
  if (!lastSnapshot || session === undefined || isErased) return;
  const events = eventRecord.events;
  // With too many events since, there is nothing to save until the next snapshot.
  if (!events) return mayHaveState() ? forgetState() : undefined;
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

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE);
  };
  return done(request);
}
