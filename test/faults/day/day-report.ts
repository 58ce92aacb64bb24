import type { Report } from "../report.ts";

export interface DayRound {
  fault: string;
  /** How long it was broken, in milliseconds. */
  lastedMs: number;
  /** The longest time since it began in which no send was acknowledged. */
  silentMs: number;
  /** From its end until all processes were there and `/ready` said so. */
  wholeMs: number;
  /** The memory of the server's process at the end of the round. */
  memoryKiB: number;
  /** What people did meanwhile failed, and succeeded afterwards. */
  deedFailed: boolean;
}

/** What a game day went through. */
export class DayReport {
  readonly rounds: DayRound[] = [];
  load: Report | undefined;
  around = "";
  /** Errors in the log that came with a stack, by message. */
  errors: ReadonlyMap<string, number> = new Map();

  lastLine(): string {
    const round = this.rounds.at(-1);
    if (!round) return "";
    return `broken for ${round.lastedMs} ms, sends silent for ${round.silentMs} ms, whole ${round.wholeMs} ms after the end, ${Math.round(round.memoryKiB / 1024)} MiB${round.deedFailed ? ", what people did had to be done again" : ""}`;
  }

  toString(): string {
    const { acknowledged, unknown, refused } = this.load?.sends ?? {
      acknowledged: 0,
      unknown: 0,
      refused: 0,
    };
    const lines = this.rounds.map(
      ({ fault, lastedMs, silentMs, wholeMs }) =>
        `| ${fault} | ${seconds(lastedMs)} | ${seconds(silentMs)} | ${seconds(wholeMs)} |`,
    );
    return [
      `${this.rounds.length} rounds; sends: ${acknowledged} acknowledged, ${unknown} with an unknown fate, ${refused} refused; ${this.load?.events ?? 0} events; ${this.around}`,
      "| fault | broken | sends silent | whole after |",
      ...lines,
      ...[...this.errors].map(([message, count]) => `logged with a stack, ${count} ×: ${message}`),
    ].join("\n");
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
