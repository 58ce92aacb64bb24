import { networkOf, wideNetworkOf } from "../../platform/http/rate-limit.ts";

const WINDOW_MS = 10 * 60_000;
const MAX_OF_NETWORK = 10;
/** One customer of a provider may have 65,536 networks of IPv6, and would fill the memory for all others. */
const MAX_OF_WIDE_NETWORK = 40;
/** After this many counts, new networks share one. */
const MAX_COUNTS = 20_000;

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
    return limitsOf(address).some(({ key, max }) => (this.#counts.get(this.#keyOf(key)) ?? 0) >= max);
  }

  /** Call it for a key that was looked at. */
  note(address: string, now = Date.now()): void {
    this.#begin(now);
    for (const { key } of limitsOf(address)) {
      const counted = this.#keyOf(key);
      this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
    }
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

  #keyOf(key: string): string {
    return this.#counts.has(key) || this.#counts.size < MAX_COUNTS ? key : "";
  }
}

function limitsOf(address: string): { key: string; max: number }[] {
  return [
    { key: `in ${networkOf(address)}`, max: MAX_OF_NETWORK },
    { key: `around ${wideNetworkOf(address)}`, max: MAX_OF_WIDE_NETWORK },
  ];
}
