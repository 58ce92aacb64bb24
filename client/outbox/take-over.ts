/**
 * Stored messages of tabs that are gone. Each entry belongs to one tab, and goes to one of the others. A
 * client loads this when its screen is there.
 */
import type { OutboxStorage } from "../outbox.ts";
import { type Entry, entryKey, type OutgoingMessage } from "./message.ts";

/** The program among those that share the storage. */
export interface OutboxTab {
  readonly name: string;
  /** Calls `take` when the other one is gone, and never in two tabs at once. */
  whenGone(other: string, take: () => void): void;
}

export interface TakeOverTexts {
  /** Why a message is there that was not sent. */
  describe(problem: "interrupted" | "filesLost"): string;
  /** Stands in the text for a file that has to be added again. */
  describeFile(place: string): string;
}

export class TakeOver {
  readonly userId: number;
  readonly #storage: OutboxStorage;
  readonly #tab: OutboxTab;
  readonly #texts: TakeOverTexts;
  readonly #watched = new Set<string>();

  constructor(storage: OutboxStorage, tab: OutboxTab, userId: number, texts: TakeOverTexts) {
    this.#storage = storage;
    this.#tab = tab;
    this.userId = userId;
    this.#texts = texts;
  }

  /** Calls `take` with what each tab that is gone has left. Called again when entries have changed. */
  watchOthers(take: (left: OutgoingMessage[]) => void): void {
    for (const { tab } of this.#all()) {
      if (tab === this.#tab.name || this.#watched.has(tab)) continue;
      this.#watched.add(tab);
      this.#tab.whenGone(tab, () => take(this.#takeFrom(tab)));
    }
  }

  #takeFrom(owner: string): OutgoingMessage[] {
    const left = this.#all().filter(({ tab }) => tab === owner);
    for (const entry of left) {
      const own: Entry = { ...entry, tab: this.#tab.name };
      this.#storage.write(entryKey(this.userId, entry.localId), JSON.stringify(own));
    }
    return left.map(({ tab, ...fields }) =>
      this.#withoutFiles({ ...fields, id: undefined, isStored: true, problem: this.#problemOf(fields) }),
    );
  }

  /** The answer of one that was on its way will not come. If it is not found, this is why it has failed. */
  #problemOf({ state, problem }: Pick<OutgoingMessage, "state" | "problem">): string | undefined {
    return state === "failed" ? problem : this.#texts.describe("interrupted");
  }

  /** Uploads end with their page. */
  #withoutFiles(message: OutgoingMessage): OutgoingMessage {
    if (message.files.length === 0) return message;
    const { describe, describeFile } = this.#texts;
    let { content } = message;
    for (const place of message.files) content = content.replace(place, () => describeFile(place));
    return { ...message, content, files: [], state: "failed", problem: describe("filesLost") };
  }

  /** The oldest first: the names of entries begin with the time. */
  #all(): Entry[] {
    const keys = [...this.#storage.list(entryKey(this.userId, ""))].sort();
    return keys.flatMap((key) => readEntry(this.#storage.read(key)) ?? []);
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
