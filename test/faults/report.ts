import type { Listener } from "./listener.ts";
import type { Send } from "./senders.ts";

/** What became of a fault, in milliseconds since it happened. */
interface Recovery {
  /** The longest time in which no send was acknowledged. */
  silentMs: number;
  /** Until every process was there again. */
  wholeMs: number;
}

/** What a run went through. */
export class Report {
  readonly seed: number;
  rounds = 0;
  readonly recoveries = new Map<string, Recovery[]>();
  sends = { acknowledged: 0, unknown: 0, refused: 0 };
  events = 0;
  polls = 0;
  failedPolls = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  round(fault: string, recovery: Recovery): void {
    this.rounds++;
    const recoveries = this.recoveries.get(fault);
    if (recoveries) recoveries.push(recovery);
    else this.recoveries.set(fault, [recovery]);
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
    for (const [fault, recoveries] of this.recoveries) {
      lines.push(
        `  ${fault}: ${recoveries.length} ×; no send was acknowledged for ` +
          `${middleAndMost(recoveries.map(({ silentMs }) => silentMs))}; all processes were there after ` +
          middleAndMost(recoveries.map(({ wholeMs }) => wholeMs)),
      );
    }
    return lines.join("\n");
  }
}

function middleAndMost(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  return `${sorted[(sorted.length - 1) >> 1]} ms (median), ${sorted.at(-1)} ms (longest)`;
}
