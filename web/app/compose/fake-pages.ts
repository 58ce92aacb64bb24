/** For tests: pages of several devices with their storages, and a server that takes its time. */
import type { NewDraft } from "../../../api/drafts.ts";
import type { TopicMove } from "../../../client/live-state.ts";
import type { Draft } from "../../../client/model/drafts.ts";
import { said } from "./begun-text.ts";
import { TextSaver } from "./save-texts.ts";
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

/** The storage of a browser, of whose changes its other pages hear later. */
export class FakeBrowser {
  readonly stored = new Map<string, string>();
  readonly pages: FakePage[] = [];

  write(by: FakePage, key: string, value: string | undefined): void {
    const before = this.stored.get(key);
    if (value === undefined) this.stored.delete(key);
    else this.stored.set(key, value);
    for (const page of this.pages)
      if (page !== by && before !== value) page.heard.push([key, said(value, before)]);
  }
}

export class FakePage {
  readonly events: Event[] = [];
  readonly heard: [key: string, said: string | undefined][] = [];
  readonly store: TextStore;
  readonly saver: TextSaver;
  readonly drafts: Map<number, Draft>;
  readonly previous = new Map<number, Draft>();
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
    this.store = new TextStore({
      prefix: "texts.",
      storage: {
        read: (key) => browser.stored.get(key),
        write: (key, value) => {
          browser.write(this, key, value);
          return true;
        },
        remove: (key) => browser.write(this, key, undefined),
        list: (prefix) => [...browser.stored.keys()].filter((key) => key.startsWith(prefix)),
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
      maxLength: () => 10_000,
    });
    this.saver.reconcile();
    for (const { id } of this.store.listRemoved()) this.waiting.add(id);
  }

  save(): void {
    for (const id of this.waiting) void this.saver.save(id);
    this.waiting.clear();
  }

  hear(): void {
    const [key, said] = this.heard.shift() ?? [];
    if (key !== undefined) this.store.refresh(key.slice("texts.".length), said);
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
    if (before) this.previous.set(id, before);
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
