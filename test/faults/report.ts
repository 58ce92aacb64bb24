import type { Listener } from "./listener.ts";
import type { Send } from "./senders.ts";

/** What a run went through. */
export class Report {
  readonly seed: number;
  rounds = 0;
  readonly #silentMs = new Map<string, number[]>();
  sends = { acknowledged: 0, unknown: 0, refused: 0 };
  events = 0;
  polls = 0;
  failedPolls = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** By kind of fault, the longest time in each round in which no send was acknowledged. */
  get silentMs(): ReadonlyMap<string, readonly number[]> {
    return this.#silentMs;
  }

  round(fault: string, silentMs: number): void {
    this.rounds++;
    const times = this.#silentMs.get(fault);
    if (times) times.push(silentMs);
    else this.#silentMs.set(fault, [silentMs]);
  }

  add(sends: readonly Send[], listeners: readonly Listener[]): this {
    const count = (outcome: Send["outcome"]) => sends.filter((send) => send.outcome === outcome).length;
    this.sends = {
      acknowledged: count("acknowledged"),
      unknown: count("unknown"),
      refused: count("refused"),
    };
    const sum = (of: (listener: Listener) => number) =>
      listeners.reduce((total, each) => total + of(each), 0);
    this.events = sum(({ counts }) => counts.events);
    this.polls = sum(({ counts }) => counts.polls);
    this.failedPolls = sum(({ counts }) => counts.failed);
    return this;
  }

  toString(): string {
    const { acknowledged, unknown, refused } = this.sends;
    const lines = [
      `seed ${this.seed}: ${this.rounds} rounds; sends: ${acknowledged} acknowledged, ${unknown} with an unknown fate, ` +
        `${refused} refused; ${this.events} events in ${this.polls} polls, ${this.failedPolls} of which failed`,
    ];
    for (const [fault, times] of this.#silentMs) {
      const sorted = [...times].sort((a, b) => a - b);
      lines.push(
        `  ${fault}: ${times.length} times; no send was acknowledged for ` +
          `${sorted[Math.floor(sorted.length / 2)]} ms (median), ${sorted.at(-1)} ms (longest)`,
      );
    }
    return lines.join("\n");
  }
}
