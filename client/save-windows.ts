/** Chooses what of the state is saved. A start does not need this. */
import type { MessageWindow } from "./message-windows/message-window.ts";
import type { Message } from "./model/messages.ts";
import type { SavedWindow } from "./saved-state.ts";

const MAX_WINDOWS = 6;
const MAX_MESSAGES = 150;
const secret = /api_?key|token|secret|password/i;

/** As JSON, without fields whose name says that they are secret. */
export function withoutSecrets(value: unknown): string {
  return JSON.stringify(value, (key, field: unknown) =>
    secret.test(key) && typeof field === "string" ? "" : field,
  );
}

/** The windows that were used last, the last one first, with their newest messages. */
export function saveWindows(
  windows: Iterable<MessageWindow>,
  byId: ReadonlyMap<number, Message>,
): SavedWindow[] {
  const loaded = [...windows].filter(({ isLoaded }) => isLoaded).reverse();
  return loaded.slice(0, MAX_WINDOWS).map(({ narrow, ids, foundOldest, foundNewest }) => {
    const kept = ids.slice(-MAX_MESSAGES);
    return {
      narrow,
      ids: kept,
      foundOldest: foundOldest && kept.length === ids.length,
      foundNewest,
      messages: kept.flatMap((id) => byId.get(id) ?? []),
    };
  });
}
