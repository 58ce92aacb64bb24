import { networkOf } from "../../platform/http/rate-limit.ts";

const WINDOW_MS = 10 * 60_000;
const MAX_OF_NETWORK = 10;
/** After this many networks, new ones share one count. */
const MAX_NETWORKS = 10_000;

/**
 * Counts wrong keys of the operator by network. It counts in memory, since the page must work while the
 * database is away. So each process counts for itself.
 */
export class WrongKeys {
  #endsAt = 0;
  readonly #counts = new Map<string, number>();

  /** Whether so many were wrong that none is looked at. */
  isOver(address: string, now = Date.now()): boolean {
    this.#begin(now);
    return (this.#counts.get(this.#keyOf(address)) ?? 0) >= MAX_OF_NETWORK;
  }

  note(address: string, now = Date.now()): void {
    this.#begin(now);
    const key = this.#keyOf(address);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** How long until all are forgotten, in seconds. */
  secondsLeft(now = Date.now()): number {
    return Math.max(1, Math.ceil((this.#endsAt - now) / 1000));
  }

  #begin(now: number): void {
    if (now < this.#endsAt) return;
    this.#endsAt = now + WINDOW_MS;
    this.#counts.clear();
  }

  #keyOf(address: string): string {
    const network = networkOf(address);
    return this.#counts.has(network) || this.#counts.size < MAX_NETWORKS ? network : "";
  }
}
