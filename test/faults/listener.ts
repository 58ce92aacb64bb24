import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../harness/random.ts";
import { type Account, ask, demand, type Json } from "./ask.ts";
import type { Cluster } from "./cluster.ts";

export interface Habits {
  name: string;
  /** Whose queue it is. */
  email: string;
  /** For `/register`. */
  params: Record<string, unknown>;
  /** How history is asked for the same messages. */
  narrow: readonly (readonly [string, unknown])[];
  /** Milliseconds between an answer and the next poll, at least and at most. */
  pause: readonly [number, number];
  /** Gives a poll up after at least and at most so long, and asks again as if nothing had happened. */
  patience?: readonly [number, number];
  /** Asks another server each time. */
  roams?: boolean;
}

const message = ["message"];

export const habits: readonly Habits[] = [
  { name: "quick", email: "dev@demo.test", params: { event_types: message }, narrow: [], pause: [0, 0] },
  {
    name: "of all events, roaming",
    email: "elin@demo.test",
    params: { apply_markdown: true },
    narrow: [],
    pause: [0, 5],
    roams: true,
  },
  {
    name: "of one channel",
    email: "gus@demo.test",
    params: { event_types: message, narrow: [["channel", "design"]] },
    narrow: [["channel", "design"]],
    pause: [0, 50],
  },
  {
    name: "of one topic, slow",
    email: "ada@demo.test",
    params: {
      event_types: message,
      narrow: [
        ["channel", "general"],
        ["topic", "other"],
      ],
    },
    narrow: [
      ["channel", "general"],
      ["topic", "other"],
    ],
    pause: [200, 800],
  },
  {
    name: "of one sender",
    email: "ben@demo.test",
    params: { event_types: message, narrow: [["sender", "dev@demo.test"]] },
    narrow: [["sender", "dev@demo.test"]],
    pause: [0, 50],
  },
  {
    name: "impatient",
    email: "cleo@demo.test",
    params: { event_types: ["message", "update_message_flags"] },
    narrow: [],
    pause: [0, 10],
    patience: [1, 120],
    roams: true,
  },
  { name: "slow", email: "dev@demo.test", params: {}, narrow: [], pause: [300, 1200] },
  { name: "sleepy", email: "ada@demo.test", params: {}, narrow: [], pause: [1500, 4000] },
];

/**
 * A client with one queue, which it keeps whatever happens. What the rules of queues forbid makes it throw.
 */
export class Listener {
  readonly habits: Habits;
  readonly account: Account;
  readonly queueId: string;
  readonly startedAt: number;
  /** The ids of the messages that it was told of, in that order. */
  readonly messageIds: number[] = [];
  readonly counts = { events: 0, heartbeats: 0, polls: 0, failed: 0 };
  readonly #cluster: Cluster;
  readonly #random: Random;
  #node: number;
  #lastEventId: number;
  #isRunning = true;
  #isHurried = false;
  readonly #over = new AbortController();
  readonly #wake = new EventTarget();
  /** Rejects with what was wrong. */
  readonly running: Promise<void>;

  private constructor(
    setup: { cluster: Cluster; account: Account; habits: Habits; random: Random; node: number },
    registered: Json,
  ) {
    this.#cluster = setup.cluster;
    this.account = setup.account;
    this.habits = setup.habits;
    this.#random = setup.random;
    this.#node = setup.node;
    this.queueId = registered.queue_id;
    this.startedAt = registered.last_event_id;
    this.#lastEventId = this.startedAt;
    this.running = this.#listen();
    this.running.catch(() => {});
  }

  static async register(setup: {
    cluster: Cluster;
    account: Account;
    habits: Habits;
    random: Random;
    node: number;
  }): Promise<Listener> {
    const { cluster, account, habits: own, node } = setup;
    const params = { fetch_event_types: [], ...own.params };
    const registered = await demand(cluster.address(node), "POST", "/register", params, { account });
    return new Listener(setup, registered);
  }

  /** Whether it may take its time. While a check waits for it, it does not. */
  hurry(isHurried: boolean): void {
    this.#isHurried = isHurried;
    this.#wake.dispatchEvent(new Event("hurry"));
  }

  /** Throws what was wrong at any time. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#over.abort();
    await this.running;
  }

  /**
   * Stops, and sees to it that no message is left in the queue. To be called when it has heard of all there
   * are.
   */
  async finish(): Promise<void> {
    await this.stop();
    const { length } = this.messageIds;
    const place = { queue_id: this.queueId, last_event_id: this.#lastEventId, dont_block: true };
    const call = { account: this.account };
    for (const event of (await demand(this.#cluster.address(this.#node), "GET", "/events", place, call))
      .events) {
      this.#hear(event);
    }
    if (this.messageIds.length > length) {
      throw this.#wrong(`got messages too many: ${this.messageIds.slice(length)}`);
    }
  }

  async #listen(): Promise<void> {
    while (this.#isRunning) {
      const isHeard = await this.#poll();
      if (!isHeard || this.habits.roams) this.#node++;
      await this.#rest(isHeard ? this.#random.between(...this.habits.pause) : 50);
    }
  }

  /** False when there was no answer. */
  async #poll(): Promise<boolean> {
    this.counts.polls++;
    const params = { queue_id: this.queueId, last_event_id: this.#lastEventId };
    const { signal, release } = this.#patience();
    const call = { account: this.account, signal };
    const outcome = await ask(this.#cluster.address(this.#node), "GET", "/events", params, call);
    release();
    if (outcome.kind !== "answer" || outcome.status >= 500) {
      if (!signal.aborted) this.counts.failed++;
      return false;
    }
    if (outcome.status !== 200) {
      throw this.#wrong(`got ${JSON.stringify(outcome.body)} for ${JSON.stringify(params)}`);
    }
    for (const event of outcome.body.events) this.#hear(event);
    return true;
  }

  #hear(event: Json): void {
    if (event.id <= this.#lastEventId) {
      throw this.#wrong(`got event ${event.id} (${event.type}) after ${this.#lastEventId}`);
    }
    this.#lastEventId = event.id;
    this.counts.events++;
    if (event.type === "heartbeat") this.counts.heartbeats++;
    if (event.type === "message") this.messageIds.push(event.message.id);
  }

  /** Ends a poll when the listener stops, or has had enough. */
  #patience(): { signal: AbortSignal; release: () => void } {
    const { patience } = this.habits;
    const enough = new AbortController();
    const abort = () => enough.abort();
    this.#over.signal.addEventListener("abort", abort, { once: true });
    const timer = patience && setTimeout(abort, this.#random.between(...patience));
    const release = () => {
      clearTimeout(timer);
      this.#over.signal.removeEventListener("abort", abort);
    };
    return { signal: enough.signal, release };
  }

  async #rest(ms: number): Promise<void> {
    if (this.#isHurried || ms === 0) return;
    const hurried = new AbortController();
    const wake = () => hurried.abort();
    this.#wake.addEventListener("hurry", wake, { once: true });
    this.#over.signal.addEventListener("abort", wake, { once: true });
    await sleep(ms, undefined, { signal: hurried.signal }).catch(() => {});
    this.#wake.removeEventListener("hurry", wake);
    this.#over.signal.removeEventListener("abort", wake);
  }

  #wrong(what: string): Error {
    return new Error(`the listener '${this.habits.name}' of ${this.account.email} ${what}`);
  }
}
