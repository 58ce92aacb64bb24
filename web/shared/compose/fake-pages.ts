/** For tests: pages of several devices with their storages, and a server that takes its time. */
import { MAX_MESSAGE_LENGTH } from "../../../api/limits.ts";
import type { NewDraft } from "../../../api/personal/drafts.ts";
import type { Draft } from "../../../client/model/drafts.ts";
import type { TopicMove } from "../../../client/moved-topics.ts";
import { TextSaver } from "./save-texts.ts";
import type { StoredChange } from "./stored-texts.ts";
import { TextStore } from "./text-store.ts";

type Event =
  | { kind: "put"; draft: Draft }
  | { kind: "remove"; id: number }
  | { kind: "move"; move: TopicMove };

/** Calls are carried out when the test says so, and answered later still. */
export class FakeServer {
  readonly drafts = new Map<number, Draft>();
  readonly pages: FakePage[] = [];
  readonly calls: (() => void)[] = [];
  #count = 0;

  /** Each page learns it when its turn comes. */
  emit(event: Event): void {
    for (const page of this.pages) page.events.push(event);
  }

  async call<T>(run: () => T): Promise<T> {
    const done = await new Promise<T>((resolve) => this.calls.push(() => resolve(run())));
    await new Promise<void>((resolve) => this.calls.push(resolve));
    return done;
  }

  put(id: number, draft: NewDraft): number {
    const to = toOf(draft);
    const record = { id, to, content: draft.content.trim(), editedAt: 1 };
    this.drafts.set(id, record);
    this.emit({ kind: "put", draft: record });
    return id;
  }

  create = (draft: NewDraft) => this.call<number | undefined>(() => this.put(++this.#count, draft));
  edit = (id: number, draft: NewDraft) =>
    this.call<"done" | "gone" | undefined>(() => {
      if (!this.drafts.has(id)) return "gone";
      this.put(id, draft);
      return "done";
    });
  remove = (id: number) =>
    this.call(() => {
      if (this.drafts.delete(id)) this.emit({ kind: "remove", id });
    });
}

function toOf({ type, to, topic }: NewDraft): Draft["to"] {
  if (type === "private") return { kind: "direct", userIds: to };
  return type === "stream" ? { kind: "channel", channelId: to[0] ?? 0, topic } : { kind: "nobody" };
}

interface Write extends StoredChange {
  key: string;
  /** Which of all writes to the storage it was. */
  order: number;
}

/**
 * The storage of a browser, of whose changes its other pages hear later. `isLate`: until then they read what
 * was there before, as pages with processes of their own do.
 */
export class FakeBrowser {
  readonly stored = new Map<string, string>();
  readonly pages: FakePage[] = [];
  readonly #isLate: boolean;
  #order = 0;

  constructor({ isLate = false } = {}) {
    this.#isLate = isLate;
  }

  write(by: FakePage, key: string, value: string | undefined): void {
    const before = this.stored.get(key);
    if (value === undefined) this.stored.delete(key);
    else this.stored.set(key, value);
    const write = { key, value, before, order: ++this.#order };
    by.see(write);
    for (const page of this.pages) {
      if (page === by || before === value) continue;
      page.heard.push(write);
      if (!this.#isLate) page.see(write);
    }
  }
}

export class FakePage {
  readonly events: Event[] = [];
  readonly heard: Write[] = [];
  /** The storage as the page sees it. */
  readonly #view: Map<string, string>;
  /** The last write to each key that it has seen. */
  readonly #orders = new Map<string, number>();
  readonly store: TextStore;
  readonly saver: TextSaver;
  readonly drafts: Map<number, Draft>;
  readonly previous = new Map<number, readonly Draft[]>();
  /** What is to be saved once its time has come. */
  readonly waiting = new Set<string>();
  changes = 0;

  readonly server: FakeServer;
  readonly browser: FakeBrowser;

  constructor(server: FakeServer, browser: FakeBrowser) {
    this.server = server;
    this.browser = browser;
    browser.pages.push(this);
    server.pages.push(this);
    this.drafts = new Map(server.drafts);
    this.#view = new Map(browser.stored);
    this.store = new TextStore({
      prefix: "texts.",
      storage: {
        read: (key) => this.#seen.get(key),
        write: (key, value) => {
          browser.write(this, key, value);
          return true;
        },
        remove: (key) => browser.write(this, key, undefined),
        list: (prefix) => [...this.#seen.keys()].filter((key) => key.startsWith(prefix)),
      },
      now: () => ++clock,
      makeId: () => `t${++clock}`,
      onChange: () => this.changes++,
      onWrite: (id) => this.waiting.add(id),
      onRemove: (id) => this.waiting.add(id),
    });
    this.saver = new TextSaver(this.store, {
      isOn: () => true,
      now: () => clock,
      drafts: () => this.drafts,
      previous: () => this.previous,
      create: server.create,
      edit: server.edit,
      remove: server.remove,
      maxLength: () => MAX_MESSAGE_LENGTH,
    });
    this.saver.reconcile();
    for (const { id } of this.store.listRemoved()) this.waiting.add(id);
  }

  /** A page that is closed still handles its answers here, and is told of no writes. */
  get #seen(): ReadonlyMap<string, string> {
    return this.browser.pages.includes(this) ? this.#view : this.browser.stored;
  }

  save(): void {
    for (const id of this.waiting) void this.saver.save(id);
    this.waiting.clear();
  }

  hear(): void {
    const write = this.heard.shift();
    if (!write) return;
    this.see(write);
    this.store.refresh(write.key.slice("texts.".length), write);
  }

  /** An own write that came later is not undone. */
  see({ key, value, order }: Write): void {
    if (order < (this.#orders.get(key) ?? 0)) return;
    this.#orders.set(key, order);
    if (value === undefined) this.#view.delete(key);
    else this.#view.set(key, value);
  }

  /** The events of one response. */
  handleEvents(count = 1): TopicMove[] {
    const moves: TopicMove[] = [];
    for (const event of this.events.splice(0, count)) {
      if (event.kind === "move") moves.push(event.move);
      else this.#handle(event.kind === "put" ? event.draft.id : event.id, event);
    }
    if (moves.length > 0) this.store.move(moves);
    this.saver.reconcile();
    return moves;
  }

  /** As the model does. */
  #handle(id: number, event: Event): void {
    const before = this.drafts.get(id);
    if (before) this.previous.set(id, [...(this.previous.get(id) ?? []), before]);
    if (event.kind === "put") this.drafts.set(id, event.draft);
    else this.drafts.delete(id);
  }

  close(): void {
    this.store.flush();
    this.browser.pages.splice(this.browser.pages.indexOf(this), 1);
    this.server.pages.splice(this.server.pages.indexOf(this), 1);
  }
}

let clock = 0;

/** Until nothing is on its way any more. */
export async function comeToRest(server: FakeServer): Promise<void> {
  for (let round = 0; round < 1000; round++) {
    await settle();
    const isDone = server.pages.every(
      (page) => !page.waiting.size && !page.heard.length && !page.events.length,
    );
    if (isDone && server.calls.length === 0) return;
    for (const page of server.pages) {
      page.save();
      page.hear();
      page.handleEvents(10);
    }
    server.calls.shift()?.();
  }
  throw new Error("The pages did not come to rest.");
}

/** What was answered is handled. */
export async function settle(): Promise<void> {
  for (let count = 0; count < 20; count++) await Promise.resolve();
}
