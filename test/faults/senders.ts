import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../harness/random.ts";
import { type Account, ask } from "./ask.ts";
import type { Cluster } from "./cluster.ts";

export interface Send {
  /** The first word of the content; no two sends have the same. */
  key: string;
  account: Account;
  startedAt: number;
  endedAt: number;
  /** Acknowledged: its message's id. Refused: nobody got it. Unknown: it may have been stored or not. */
  outcome: "acknowledged" | "refused" | "unknown" | "under way";
  id: number | undefined;
}

/** To channels that they are subscribed to: what they send is then in the history of their own. */
const destinations: Record<string, readonly Record<string, unknown>[]> = {
  "ada@demo.test": [
    { type: "channel", to: "general", topic: "faults" },
    { type: "direct", to: ["dev@demo.test"] },
  ],
  "ben@demo.test": [{ type: "channel", to: "engineering", topic: "faults" }],
  "cleo@demo.test": [
    { type: "channel", to: "leads", topic: "faults" },
    { type: "channel", to: "general", topic: "other" },
  ],
  "dev@demo.test": [
    { type: "channel", to: "general", topic: "faults" },
    { type: "channel", to: "design", topic: "faults" },
    { type: "direct", to: ["elin@demo.test", "ada@demo.test"] },
  ],
  "elin@demo.test": [{ type: "channel", to: "engineering", topic: "faults" }],
  "gus@demo.test": [{ type: "channel", to: "design", topic: "other" }],
};

/** People who write without a pause, each message once: what became of it is noted and never tried again. */
export class Senders {
  readonly sends: Send[] = [];
  readonly #cluster: Cluster;
  readonly #accounts: readonly Account[];
  readonly #random: Random;
  #isRunning = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(cluster: Cluster, accounts: readonly Account[], random: Random) {
    this.#cluster = cluster;
    this.#accounts = accounts;
    this.#random = random;
  }

  /** So many at a time for each account. */
  start(each: number): void {
    this.#isRunning = true;
    const loops = this.#accounts.flatMap((account) => Array.from({ length: each }, () => account));
    this.#running = Promise.all(loops.map((account, index) => this.#write(account, index)));
    // Thrown again by `stop`.
    this.#running.catch(() => {});
  }

  /** Resolves when the outcome of every send is known, as far as it can be; throws if one was turned down. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#running;
  }

  /** Whether one that began after a time was acknowledged. */
  hasSucceededSince(time: number): boolean {
    const success = ({ startedAt, outcome }: Send) => outcome === "acknowledged" && startedAt > time;
    return this.sends.findLast(success) !== undefined;
  }

  /** The longest time since then in which nothing was acknowledged. */
  longestSilence(since: number): number {
    const times = this.sends
      .filter(({ outcome }) => outcome === "acknowledged")
      .map(({ endedAt }) => endedAt);
    const after = [since, ...times.filter((time) => time > since).sort((a, b) => a - b)];
    return Math.max(0, ...after.slice(1).map((time, index) => time - (after[index] as number)));
  }

  async #write(account: Account, index: number): Promise<void> {
    for (let node = index; this.#isRunning; ) {
      const send = await this.#send(account, node);
      // A sender that gets no answer turns to another server, after a moment.
      if (send.outcome !== "acknowledged") node++;
      await sleep(send.outcome === "acknowledged" ? this.#random.between(0, 20) : 50);
    }
  }

  async #send(account: Account, node: number): Promise<Send> {
    const key = `send-${this.sends.length}`;
    const content = `${key} ${"and so on ".repeat(Math.floor(this.#random.between(0, 30)))}`.trim();
    const destination = this.#random.pick(destinations[account.email] ?? []);
    const send: Send = {
      key,
      account,
      startedAt: Date.now(),
      endedAt: 0,
      outcome: "under way",
      id: undefined,
    };
    this.sends.push(send);
    const answer = await ask(
      this.#cluster.address(node),
      "POST",
      "/messages",
      { ...destination, content },
      { account },
    );
    send.endedAt = Date.now();
    if (answer.kind === "answer" && answer.status === 200) {
      send.outcome = "acknowledged";
      send.id = answer.body.id as number;
    } else if (answer.kind === "answer" && answer.status < 500) {
      throw new Error(`${key} was turned down: ${JSON.stringify(answer)}`);
    } else {
      send.outcome = answer.kind === "refused" ? "refused" : "unknown";
    }
    return send;
  }
}
