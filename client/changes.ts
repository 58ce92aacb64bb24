/**
 * Which parts of the state changed since the last flush, by name. A subject of the model has changed if it
 * handles the event, whatever the event did. Messages and users also name the changed keys, because screens
 * show many of them and each event changes few.
 */
import type { QueuedEvent } from "./contract.ts";
import type { Model } from "./model/model.ts";

/** `messages`, or one of its keys: `messages:123`. */
export type Source = string;

type Listener = (changed: ReadonlySet<Source>) => void;

/** Stands for every key of a source. */
export const EVERY = "*";

export class Changes {
  #changed = new Set<Source>();
  readonly #listeners = new Set<Listener>();
  #subjectsOf = new Map<string, string[]>();

  /** Called with each model, before its events. */
  readModel(model: Model): void {
    this.#subjectsOf = new Map();
    for (const [name, subject] of Object.entries(model)) {
      const handlers = (subject as { handlers?: Record<string, unknown> } | undefined)?.handlers;
      for (const type of Object.keys(handlers ?? {})) {
        this.#subjectsOf.set(type, [...(this.#subjectsOf.get(type) ?? []), name]);
      }
      this.note(name);
    }
  }

  noteEvent(event: QueuedEvent): void {
    for (const name of this.#subjectsOf.get(event.type) ?? []) this.note(name, keysOf(name, event));
  }

  /** Without keys, all of them may have changed. */
  note(source: string, keys?: readonly (string | number)[]): void {
    this.#changed.add(source);
    for (const key of keys ?? [EVERY]) this.#changed.add(`${source}:${key}`);
  }

  /** Calls the listeners once for everything that was noted. */
  flush(): void {
    if (this.#changed.size === 0) return;
    const changed = this.#changed;
    this.#changed = new Set();
    for (const listener of this.#listeners) listener(changed);
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** undefined: it can't be known from the event. */
function keysOf(subject: string, event: QueuedEvent): readonly number[] | undefined {
  if (subject === "users" && event.type === "realm_user") {
    const person = event.person as { user_id?: number } | undefined;
    return person?.user_id === undefined ? undefined : [person.user_id];
  }
  if (subject !== "messages") return undefined;
  const { message, message_id, message_ids, messages, all } = event as {
    message?: { id: number };
    message_id?: number;
    message_ids?: number[];
    messages?: number[];
    all?: boolean;
  };
  if (all === true) return undefined;
  const ids = [message?.id, message_id, ...(message_ids ?? []), ...(messages ?? [])];
  const known = ids.filter((id) => id !== undefined);
  return known.length > 0 ? known : undefined;
}
