import { Random } from "../../../harness/random.ts";

export class Dice extends Random {
  chance(percent: number): boolean {
    return this.upTo(100) < percent;
  }

  /** One of the entries, each as often as its weight says. */
  weighted<T>(entries: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.upTo(entries.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of entries) {
      if (left < weight) return value;
      left -= weight;
    }
    throw new Error("There are no entries.");
  }
}
