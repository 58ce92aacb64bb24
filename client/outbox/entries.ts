/**
 * Messages that were not sent, as they are stored. Each has an entry of its own, so that tabs do not overwrite
 * each other's, and belongs to one tab. Entries of a tab that is gone go to one of the others.
 */
import type { OutgoingMessage } from "./message.ts";

/** Where entries are kept. Nothing throws: `write` says whether the entry will be there after a reload. */
export interface OutboxStorage {
  list(prefix: string): readonly string[];
  read(key: string): string | undefined;
  write(key: string, value: string): boolean;
  remove(key: string): void;
}

/** The program among those that share the storage. */
export interface OutboxTab {
  readonly name: string;
  /** Calls `take` when the other one is gone, and never in two tabs at once. */
  whenGone(other: string, take: () => void): void;
}

type Entry = Omit<OutgoingMessage, "id" | "isStored"> & { tab: string };

export class StoredEntries {
  readonly userId: number;
  readonly #storage: OutboxStorage;
  readonly #tab: OutboxTab;
  readonly #watched = new Set<string>();

  constructor(storage: OutboxStorage, tab: OutboxTab, userId: number) {
    this.#storage = storage;
    this.#tab = tab;
    this.userId = userId;
  }

  put({ id, isStored, ...fields }: OutgoingMessage): boolean {
    const entry: Entry = { ...fields, tab: this.#tab.name };
    return this.#storage.write(this.#key(fields.localId), JSON.stringify(entry));
  }

  remove({ localId }: OutgoingMessage): void {
    this.#storage.remove(this.#key(localId));
  }

  /** Calls `take` with what each tab that is gone has left, once that is known. */
  watchOthers(take: (left: OutgoingMessage[]) => void): void {
    for (const { tab } of this.#all()) {
      if (tab === this.#tab.name || this.#watched.has(tab)) continue;
      this.#watched.add(tab);
      this.#tab.whenGone(tab, () => take(this.#takeFrom(tab)));
    }
  }

  #takeFrom(owner: string): OutgoingMessage[] {
    const left: OutgoingMessage[] = [];
    for (const { tab, ...fields } of this.#all()) {
      if (tab !== owner) continue;
      const message = { ...fields, id: undefined, isStored: true };
      message.isStored = this.put(message);
      left.push(message);
    }
    return left;
  }

  /** The oldest first: the names of entries begin with the time. */
  #all(): Entry[] {
    const keys = [...this.#storage.list(this.#key(""))].sort();
    return keys.flatMap((key) => readEntry(this.#storage.read(key)) ?? []);
  }

  #key(localId: string): string {
    return `parley.outbox.${this.userId}.${localId}`;
  }
}

/** undefined for what is no entry, or one of another version of this program that can't be read. */
function readEntry(text: string | undefined): Entry | undefined {
  try {
    const entry = JSON.parse(text ?? "null") as Entry | null;
    const isWhole =
      typeof entry?.tab === "string" &&
      typeof entry.localId === "string" &&
      typeof entry.content === "string" &&
      typeof entry.to === "object" &&
      Array.isArray(entry.files);
    return isWhole ? entry : undefined;
  } catch {
    return undefined;
  }
}
