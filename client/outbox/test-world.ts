/** A server that can be slow, away or lose answers, and tabs that share a browser's storage. For tests. */
import type { Fetch } from "../connection.ts";
import { Connection } from "../connection.ts";
import { Outbox, type OutboxStorage } from "../outbox.ts";
import { findSent } from "./find-sent.ts";
import { type OutboxTab, TakeOver } from "./take-over.ts";

export interface SentMessage {
  id: number;
  content: string;
  subject: string;
  localId: string | undefined;
}

type Answer = { status: number; body: object } | Error;

export class TestServer {
  readonly messages: SentMessage[] = [];
  /** The calls to send that were made, carried out or not. */
  posts = 0;
  /** What happens to calls: decided when the test releases them. */
  readonly held: { method: string; run(fate?: "lost" | "away" | Answer): Promise<void> }[] = [];
  #nextId = 101;

  get newestId(): number {
    return this.#nextId - 1;
  }

  readonly fetch: Fetch = (url, { method, body }) =>
    new Promise((resolve, reject) => {
      if (method === "POST") this.posts++;
      this.held.push({
        method,
        run: async (fate) => {
          if (fate === "away") reject(new TypeError("fetch failed"));
          else if (fate instanceof Error) reject(fate);
          else if (typeof fate === "object") resolve(responseOf(fate));
          else {
            const answer = method === "POST" ? this.#send(body as URLSearchParams) : this.#list(url);
            if (fate === "lost") reject(new TypeError("fetch failed"));
            else resolve(responseOf({ status: 200, body: answer }));
          }
          await settle();
        },
      });
    });

  #send(form: URLSearchParams): object {
    const id = this.#nextId++;
    const [content, subject] = [form.get("content") ?? "", form.get("topic") ?? ""];
    this.messages.push({ id, content, subject, localId: form.get("local_id") ?? undefined });
    return { result: "success", msg: "", id };
  }

  #list(url: string): object {
    const { searchParams } = new URL(url, "http://parley.test");
    if (searchParams.get("apply_markdown") !== "false") throw new Error("It compares HTML with Markdown.");
    const after = Number(searchParams.get("anchor"));
    return { result: "success", msg: "", messages: this.messages.filter(({ id }) => id > after) };
  }
}

/** A storage that several tabs share. */
export class TestBrowser {
  readonly stored = new Map<string, string>();
  readonly open = new Set<string>();
  readonly #waiting: { other: string; mine: string; take: () => void }[] = [];
  isFull = false;
  #count = 0;

  tab(): { storage: OutboxStorage; tab: OutboxTab } {
    const name = `tab${++this.#count}`;
    this.open.add(name);
    const { stored } = this;
    return {
      storage: {
        list: (prefix) => [...stored.keys()].filter((key) => key.startsWith(prefix)),
        read: (key) => stored.get(key),
        write: (key, value) => {
          if (!this.isFull) stored.set(key, value);
          return !this.isFull;
        },
        remove: (key) => void stored.delete(key),
      },
      tab: { name, whenGone: (other, take) => void this.#waiting.push({ other, mine: name, take }) },
    };
  }

  close(name: string): void {
    this.open.delete(name);
  }

  /** Locks of tabs that are gone are given to those who wait, one after another. */
  grant(): void {
    for (const request of [...this.#waiting]) {
      if (this.open.has(request.other)) continue;
      this.#waiting.splice(this.#waiting.indexOf(request), 1);
      if (this.open.has(request.mine)) request.take();
    }
  }
}

export interface TestTab {
  name: string;
  outbox: Outbox;
  isConnected: boolean;
  /** Changes with each snapshot. */
  queue: string;
  known: Set<number>;
  isHeard: boolean;
  fetched: number[];
  changes: number;
  /** Called again when others have stored something. */
  watchOthers(): void;
}

export function openTab(server: TestServer, browser: TestBrowser, userId = 7): TestTab {
  const { storage, tab: own } = browser.tab();
  const { name } = own;
  const connection = new Connection({ site: "", credentials: "cookie", retries: 0, fetch: server.fetch });
  const tab: Omit<TestTab, "outbox" | "watchOthers"> = {
    ...{ name, isConnected: true, queue: `queue of ${name}`, known: new Set<number>() },
    ...{ isHeard: true, fetched: [], changes: 0 },
  };
  const outbox = new Outbox({
    connection,
    queueId: () => tab.queue,
    viewerId: () => userId,
    canSend: () => tab.isConnected,
    newestId: () => server.newestId,
    isKnown: (id) => tab.known.has(id),
    isHeard: () => tab.isHeard,
    fetchMessage: async (id) => {
      tab.fetched.push(id);
      outbox.handleArrival(undefined, id);
    },
    findSent: (message, isOther) => findSent(connection, userId, message, isOther),
    onChange: () => void tab.changes++,
  });
  outbox.keep(storage, name);
  const texts = {
    describe: (problem: string) => problem,
    describeFile: (place: string) => `(add ${place} again)`,
  };
  const others = new TakeOver(storage, own, userId, texts);
  const watchOthers = () => others.watchOthers((left) => outbox.takeOver(left));
  watchOthers();
  return Object.assign(tab, { outbox, watchOthers });
}

export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function responseOf({ status, body }: Exclude<Answer, Error>) {
  return { status, headers: { get: () => null }, text: async () => JSON.stringify(body) };
}
