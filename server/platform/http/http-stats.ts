import { Histogram } from "../std/histogram.ts";

/** In seconds. Calls are timed in whole milliseconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The calls of one operation since the start. */
export class CallStats {
  /** By the first digit of the status. */
  readonly byClass = [0, 0, 0, 0, 0, 0];
  /**
   * Times of the calls whose handler ran. For a call that holds its response, only the time until it waits.
   */
  readonly seconds = new Histogram(DURATIONS);

  /** `ms`: how long the handler ran; undefined: it was not called. */
  count(status: number, ms: number | undefined): void {
    (this.byClass[Math.floor(status / 100)] as number)++;
    if (ms !== undefined) this.seconds.observe(ms / 1000);
  }
}

/** What is there at one moment. */
export interface HttpGauges {
  heldPolls: number;
  connections: number;
  /** Bytes of bodies of which more is to come, or that wait to be parsed. */
  arrivingBytes: number;
}

/**
 * What the HTTP edge has counted since the start, for the metrics. These are plain numbers, which cost
 * nothing while nobody reads them.
 */
export class HttpStats {
  /** The figures of each declared operation, by its name. */
  readonly calls = new Map<string, CallStats>();
  /** Requests under /api that reached no operation. */
  readonly unknown = new CallStats();
  /** Responses with status 429, of calls, pages and `/health`. */
  rateLimited = 0;
  /** Responses with status 503, likewise. */
  unavailable = 0;
  /** Set by the server that these are the numbers of. */
  gauges: () => Promise<HttpGauges> = async () => ({ heldPolls: 0, connections: 0, arrivingBytes: 0 });

  callsOf(operation: string): CallStats {
    let stats = this.calls.get(operation);
    if (!stats) {
      stats = new CallStats();
      this.calls.set(operation, stats);
    }
    return stats;
  }

  /** To be called once for each response that is an error. */
  countError(status: number): void {
    if (status === 429) this.rateLimited++;
    else if (status === 503) this.unavailable++;
  }
}
