/**
 * Which parts of the state changed since the last flush, by name. A subject of the model has changed if it
 * handles the event, whatever the event did. Messages, users and presences also name the changed keys,
 * because screens show many of them and each event changes few. So do unread messages and typing, which most
 * events leave as they are: they have changed only if one of their keys has.
 */
import type { QueuedEvent } from "./contract.ts";
import type { Model } from "./model/model.ts";
import type { Subject } from "./model/subject.ts";

/** `messages`, or one of its keys: `messages:123`. */
export type Source = string;

type Listener = (changed: ReadonlySet<Source>) => void;

/** Stands for every key of a source. */
export const EVERY = "*";

export class Changes {
  #changed = new Set<Source>();
  readonly #listeners = new Set<Listener>();
  #subjectsOf = new Map<string, { name: string; subject: Subject }[]>();

  /** Called with each model, before its events. */
  readModel(model: Model): void {
    this.#subjectsOf = new Map();
    for (const [name, part] of Object.entries(model)) {
      const subject = part as Subject;
      for (const type of Object.keys(subject.handlers ?? {})) {
        this.#subjectsOf.set(type, [...(this.#subjectsOf.get(type) ?? []), { name, subject }]);
      }
      subject.takeChanged?.();
      this.note(name);
    }
  }

  noteEvent(event: QueuedEvent): void {
    for (const { name, subject } of this.#subjectsOf.get(event.type) ?? []) {
      const changed = subject.takeChanged?.();
      if (changed?.length !== 0) this.note(name, changed ?? keysOf(name, event));
    }
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
  if (subject === "presences") {
    const { user_id, presences } = event as { user_id?: number; presences?: Record<string, unknown> };
    return user_id === undefined ? Object.keys(presences ?? {}).map(Number) : [user_id];
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
