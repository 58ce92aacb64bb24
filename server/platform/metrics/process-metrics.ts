import { collectDefaultMetrics, Registry } from "prom-client";
import { fromLibrary } from "./exposition.ts";
import type { Aggregator, Reading } from "./reading.ts";

/** They list all open sockets, which takes long with thousands of them, and the server counts its own. */
const unused = ["handles", "requests", "resources"].flatMap((what) => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
]);

/**
 * How several processes become one, where the library's choice would hide the process that is in trouble, or
 * leave the number out.
 */
const aggregators: Readonly<Record<string, Aggregator>> = {
  process_start_time_seconds: "min",
  process_max_fds: "min",
  nodejs_eventloop_lag_seconds: "max",
  nodejs_eventloop_lag_p50_seconds: "max",
  nodejs_eventloop_lag_p90_seconds: "max",
  nodejs_eventloop_lag_p99_seconds: "max",
};

/**
 * Node's own metrics: processor time, memory, garbage collection and the delay of the event loop. They have
 * the names that dashboards for Node know. The delay is measured from one reading to the next.
 */
export class ProcessMetrics {
  readonly #registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    for (const name of unused) this.#registry.removeSingleMetric(name);
  }

  async read(): Promise<Reading[]> {
    const readings = fromLibrary(await this.#registry.getMetricsAsJSON());
    return readings.map((reading) => ({
      ...reading,
      aggregator: aggregators[reading.name] ?? reading.aggregator,
    }));
  }
}
