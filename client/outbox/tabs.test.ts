import { expect, test } from "vitest";
import { openTab, settle, TestBrowser, TestServer, type TestTab } from "./test-world.ts";

const SEEDS = 60;
const STEPS = 40;

/** Numbers from 0 to 1 that are the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** What people, tabs, the network and the server do, in any order. */
class Walk {
  readonly server = new TestServer();
  readonly browser = new TestBrowser();
  readonly written: string[] = [];
  readonly #chance: () => number;
  #tabs: TestTab[] = [];

  constructor(seed: number) {
    this.#chance = random(seed);
    for (let count = 0; count < 2; count++) this.#open();
  }

  async step(): Promise<void> {
    const tab = this.#one(this.#tabs);
    const step = Math.floor(this.#chance() * 10);
    if (step < 3) this.#write(tab);
    else if (step < 6) await this.#release();
    else if (step === 6) this.#setConnected(tab, !tab.isConnected);
    else if (step === 7) for (const message of tab.outbox.messages) this.#deliver(tab, message.id);
    else if (step === 8) this.#retryOne(tab);
    else this.#end(tab);
    await settle();
  }

  /** Everything is there again, and each tab has handled it. Gives what the tabs still show. */
  async rest(): Promise<string[]> {
    this.browser.grant();
    for (let round = 0; round < 12; round++) {
      for (const tab of this.#tabs) this.#setConnected(tab, true);
      for (const call of this.server.held.splice(0)) await call.run();
      await settle();
      for (const tab of this.#tabs) for (const message of tab.outbox.messages) this.#deliver(tab, message.id);
    }
    return this.#tabs.flatMap(({ outbox }) => outbox.messages.map(({ content }) => content));
  }

  get shown() {
    return this.#tabs.flatMap(({ outbox }) => outbox.messages);
  }

  #write(tab: TestTab): void {
    const text = `Message ${this.written.length}`;
    this.written.push(text);
    const topic = this.#chance() < 0.5 ? "soup" : "bread";
    tab.outbox.send({ kind: "channel", channelId: 4, topic }, text);
  }

  /** A call of a tab that is gone may still reach the server. */
  async #release(): Promise<void> {
    const { held } = this.server;
    const [call] = held.splice(Math.floor(this.#chance() * held.length), 1);
    const fate = this.#chance();
    await call?.run(fate < 0.15 ? "lost" : fate < 0.3 ? "away" : undefined);
  }

  #setConnected(tab: TestTab, isConnected: boolean): void {
    tab.isConnected = isConnected;
    if (isConnected) tab.outbox.handleConnection();
  }

  #deliver(tab: TestTab, id: number | undefined): void {
    if (id !== undefined) tab.outbox.handleArrival(undefined, id);
  }

  /** People press it while the server is there, and after the calls of the attempt have come to an end. */
  #retryOne(tab: TestTab): void {
    const failed = tab.outbox.messages.find(({ state }) => state === "failed");
    if (failed && tab.isConnected && this.server.held.length === 0) tab.outbox.retry(failed);
  }

  /** A crash, a closed tab, or a page that is loaded again. Another tab takes over at once or later. */
  #end(tab: TestTab): void {
    this.browser.close(tab.name);
    tab.isConnected = false;
    this.#tabs = this.#tabs.filter((one) => one !== tab);
    // What the page would do with the answers is never done.
    tab.outbox.messages.length = 0;
    this.#open();
    for (const one of this.#tabs) one.watchOthers();
    if (this.#chance() < 0.7) this.browser.grant();
  }

  #open(): void {
    this.#tabs.push(openTab(this.server, this.browser));
  }

  #one<T>(list: readonly T[]): T {
    return list[Math.floor(this.#chance() * list.length)] as T;
  }
}

test("whatever tabs, network and server do, a message is sent once or shown as not sent", async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const walk = new Walk(seed);
    for (let step = 0; step < STEPS; step++) await walk.step();
    const shown = await walk.rest();
    const sent = walk.server.messages.map(({ content }) => content);
    const seen = [...sent, ...shown].sort();
    expect(seen, `seed ${seed}`).toEqual([...walk.written].sort());
    expect(
      walk.shown.every(({ state }) => state === "failed"),
      `seed ${seed}`,
    ).toBe(true);
    expect(walk.browser.stored.size, `seed ${seed}`).toBe(shown.length);
  }
}, 120_000);
