/**
 * What a process measures at one moment, as plain data: it goes to the primary process by message. The shape
 * is prom-client's own JSON, so that its aggregation takes it. The parts of the server count in plain numbers
 * and know nothing of this.
 */
import type { Histogram } from "../std/histogram.ts";

export type Labels = Readonly<Record<string, string | number>>;

/** How the values of several processes become one. Counters and histograms are always added up. */
export type Aggregator = "sum" | "max" | "min" | "first";

export interface Reading {
  name: string;
  help: string;
  type: string;
  aggregator: string;
  /** A histogram's values have names of their own: its buckets, its sum and its count. */
  values: readonly { value: number; labels: Labels; metricName?: string }[];
}

/** A number, or one for each set of labels. */
export type Values = number | readonly (readonly [Labels, number])[];

/** A number that only grows while the process runs. By convention its name ends in `_total`. */
export function counter(name: string, help: string, values: Values): Reading {
  return { name, help, type: "counter", aggregator: "sum", values: valuesOf(values) };
}

export function gauge(name: string, help: string, values: Values, aggregator: Aggregator = "sum"): Reading {
  return { name, help, type: "gauge", aggregator, values: valuesOf(values) };
}

export function histogram(
  name: string,
  help: string,
  histograms: readonly (readonly [Labels, Histogram])[],
): Reading {
  const values = histograms.flatMap(([labels, each]) => bucketsOf(name, labels, each));
  return { name, help, type: "histogram", aggregator: "sum", values };
}

/** Whether the numbers only grow: those of a process that has ended must then be kept. */
export function isCumulative({ type }: Reading): boolean {
  return type === "counter" || type === "histogram";
}

function valuesOf(values: Values): Reading["values"] {
  return typeof values === "number"
    ? [{ value: values, labels: {} }]
    : values.map(([labels, value]) => ({ value, labels }));
}

function bucketsOf(name: string, labels: Labels, { bounds, counts, sum }: Histogram): Reading["values"] {
  let upTo = 0;
  const buckets = counts.map((count, index) => {
    upTo += count;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[index] ?? "+Inf" }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: upTo },
  ];
}
