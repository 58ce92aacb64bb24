/**
 * Begun texts in the browser's storage, which all its pages share. A page may write before it has seen what
 * another one has just written: browsers carry writes from page to page, which takes some milliseconds. So
 * each version names the writes that it knows of, and a page sees whether one of its own was overwritten
 * unseen.
 */
import {
  type BegunText,
  contentHash,
  givenUp,
  isBlank,
  readText,
  sameText,
  writeText,
} from "./begun-text.ts";

/** A version knows of so many pages. Each page load is one. */
const MAX_WRITERS = 20;

export interface TextStorage {
  read(key: string): string | undefined;
  write(key: string, value: string): boolean;
  remove(key: string): void;
  list(prefix: string): string[];
}

/** What another page says that it did: it has written `value` in the place of `before`. */
export interface StoredChange {
  value: string | undefined;
  before: string | undefined;
}

/** What has become of a text in the storage. */
export interface StoredNews {
  was: BegunText | undefined;
  /** undefined: it is gone. A blank one is gone too, and may leave a mark for the server's draft. */
  theirs: BegunText | undefined;
  /** The hash of what it said at last, if that is known of one that is gone. */
  last: number | undefined;
  /** Hashes of what the writer had saved or read of it. */
  versions: readonly number[];
  /** Whether the page that wrote this did not know what this page had written. */
  isUnaware: boolean;
}

export class StoredTexts {
  /** As the storage was last known. */
  readonly #known = new Map<string, string>();
  readonly #prefix: string;
  readonly #storage: TextStorage;
  readonly #page: string;
  #writes = 0;

  /** `page`: a name that no other page has. */
  constructor(prefix: string, storage: TextStorage, page: string) {
    this.#prefix = prefix;
    this.#storage = storage;
    this.#page = page;
  }

  /** Everything that is stored. What is no text is removed. */
  readAll(): BegunText[] {
    return this.#storage.list(this.#prefix).flatMap((key) => {
      const [id, value] = [key.slice(this.#prefix.length), this.#storage.read(key)];
      const text = readText(id, value);
      if (value !== undefined && text && !(isBlank(text) && !text.saved)) {
        this.#known.set(id, value);
        return text;
      }
      this.#storage.remove(key);
      return [];
    });
  }

  /** Those that this page knows of. */
  ids(): string[] {
    return [...this.#known.keys()];
  }

  /** Also those that another page has begun, and those that it has removed. */
  allIds(): ReadonlySet<string> {
    const stored = this.#storage.list(this.#prefix).map((key) => key.slice(this.#prefix.length));
    return new Set([...this.#known.keys(), ...stored]);
  }

  has(id: string): boolean {
    return this.#known.has(id);
  }

  /** What it said when this page last read or wrote it. */
  contentOf(id: string): string | undefined {
    return readText(id, this.#known.get(id))?.content;
  }

  /** undefined: the storage says what this page knows. `change`: what another one says that it did. */
  readNews(id: string, change?: StoredChange): StoredNews | undefined {
    const [before, value] = [this.#known.get(id), this.#storage.read(this.#prefix + id)];
    if (value === before) return undefined;
    // It was removed after this change. Why will be heard later.
    const claim = readText(id, change?.value);
    if (value === undefined && claim && !isBlank(claim)) return undefined;
    if (value === undefined) this.#known.delete(id);
    else this.#known.set(id, value);
    const [was, theirs] = [readText(id, before), readText(id, value)];
    // The text itself may be gone by the time at which its change is heard of.
    const writer = theirs ?? claim;
    const own = was?.writes?.[this.#page] ?? 0;
    const final = writer ?? readText(id, change?.before);
    return {
      ...{ was, theirs, last: final && lastOf(final), versions: final?.versions ?? [] },
      isUnaware: writer !== undefined && (writer.writes?.[this.#page] ?? 0) < own,
    };
  }

  write(text: BegunText): void {
    const known = readText(text.id, this.#known.get(text.id))?.writes ?? {};
    const others = Object.entries(known).filter(([page]) => page !== this.#page);
    const writes = Object.fromEntries([...others.slice(1 - MAX_WRITERS), [this.#page, ++this.#writes]]);
    const value = writeText({ ...text, writes });
    this.#known.set(text.id, value);
    this.#storage.write(this.#prefix + text.id, value);
  }

  remove(id: string): void {
    if (this.#known.delete(id)) this.#storage.remove(this.#prefix + id);
  }

  /** Removes one that is sent or given up. Others learn first which version that was. */
  retire(text: BegunText): void {
    if (!this.has(text.id)) return;
    this.write(givenUp(text));
    this.remove(text.id);
  }
}

/** Compares what another page did with what this page has. */
export function judge(mine: BegunText | undefined, news: StoredNews) {
  const { was, theirs, last, versions, isUnaware } = news;
  const isGone = !theirs || isBlank(theirs);
  const hash = mine && contentHash(mine.content);
  const isGivenUp = isGone && hash !== undefined && last === hash;
  // The page that gave it up had read what this page has, say from the server.
  const isRead = isGone && hash !== undefined && versions.includes(hash);
  const before = isUnaware ? "" : (was?.content ?? "");
  return {
    isGone,
    /** Only what is known of the server has changed, or the place. */
    isOld: !isGone && was !== undefined && sameText(theirs.content, was.content),
    /** What this page has says all that theirs does. */
    isCovered: !isGone && isUnaware && mine?.content.includes(theirs.content.trim()),
    was: mine && (isGivenUp || isRead) ? mine.content : before,
    isLast: last === undefined ? mine !== undefined && sameText(mine.content, before) : isGivenUp,
  };
}

function lastOf(text: BegunText): number | undefined {
  return isBlank(text) ? text.last : contentHash(text.content);
}
