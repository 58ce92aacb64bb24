import { setTimeout as sleep } from "node:timers/promises";
import { type Account, demand } from "./ask.ts";
import type { Cluster } from "./cluster.ts";
import type { Listener } from "./listener.ts";
import type { Send } from "./senders.ts";

const PAGE = 1000;
const CATCH_UP_MS = 15_000;

interface Stored {
  id: number;
  key: string;
  senderId: number;
}

/** What an account finds in history under a narrow, after a message. */
export class History {
  readonly #cluster: Cluster;
  readonly #account: Account;
  readonly #narrow: readonly (readonly [string, unknown])[];
  readonly #after: number;
  readonly messages: Stored[] = [];

  constructor(
    cluster: Cluster,
    account: Account,
    narrow: readonly (readonly [string, unknown])[],
    after: number,
  ) {
    this.#cluster = cluster;
    this.#account = account;
    this.#narrow = narrow;
    this.#after = after;
  }

  /** Reads what is new; from the beginning with `again`. */
  async read(again = false): Promise<readonly Stored[]> {
    if (again) this.messages.length = 0;
    for (;;) {
      const { messages, found_newest } = await demand(
        this.#cluster.address(0),
        "GET",
        "/messages",
        {
          anchor: String(this.messages.at(-1)?.id ?? this.#after),
          include_anchor: false,
          num_before: 0,
          num_after: PAGE,
          narrow: this.#narrow,
          apply_markdown: false,
        },
        { account: this.#account },
      );
      for (const { id, content, sender_id } of messages) {
        this.messages.push({ id, key: content.split(" ")[0], senderId: sender_id });
      }
      if (found_newest) return this.messages;
    }
  }
}

/**
 * Every acknowledged send is in its sender's history once and under the id that the sender was told, one
 * whose fate was unknown at most once, one that was refused never; and nothing else is there.
 */
export function checkSends(sends: readonly Send[], histories: ReadonlyMap<Account, readonly Stored[]>): void {
  const found = new Map<string, number[]>();
  for (const [{ userId }, messages] of histories) {
    for (const { id, key, senderId } of messages) {
      if (senderId !== userId) continue;
      const ids = found.get(key);
      if (ids) ids.push(id);
      else found.set(key, [id]);
    }
  }
  for (const { key, outcome, id } of sends) {
    const ids = found.get(key) ?? [];
    found.delete(key);
    const isRight =
      outcome === "acknowledged"
        ? ids.length === 1 && ids[0] === id
        : ids.length <= (outcome === "refused" ? 0 : 1);
    if (!isRight) throw new Error(`${key}, ${outcome} as ${id}, is in history as [${ids}]`);
  }
  if (found.size > 0) throw new Error(`history has messages that nobody sent: ${[...found.keys()]}`);
}

/** A listener has heard of exactly the messages that history has for it, in that order. */
export async function checkListener(listener: Listener, history: readonly Stored[]): Promise<void> {
  const expected = history.map(({ id }) => id);
  const last = expected.at(-1) ?? 0;
  const deadline = Date.now() + CATCH_UP_MS;
  // A listener that has given up says so here.
  await Promise.race([listener.running, Promise.resolve()]);
  while ((listener.messageIds.at(-1) ?? 0) < last && Date.now() < deadline) {
    await Promise.race([sleep(10), listener.running]);
  }
  const heard = listener.messageIds;
  const at = expected.findIndex((id, index) => heard[index] !== id);
  if (at < 0 && heard.length === expected.length) return;
  const place = at < 0 ? expected.length : at;
  throw new Error(
    `the listener '${listener.habits.name}' of ${listener.account.email} heard of ${heard.length} messages of ${expected.length}; ` +
      `at place ${place} it heard of ${heard.slice(place, place + 5)} where history has ${expected.slice(place, place + 5)}`,
  );
}
