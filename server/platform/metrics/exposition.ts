import { AggregatorRegistry } from "prom-client";
import type { Reading } from "./reading.ts";

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

/** What several processes measured, as Prometheus' text. */
export function writeText(processes: readonly (readonly Reading[])[]): Promise<string> {
  return AggregatorRegistry.aggregate([...processes]).metrics();
}

/** What several processes measured, as if they were one. */
export async function addUp(processes: readonly (readonly Reading[])[]): Promise<Reading[]> {
  return fromLibrary(await AggregatorRegistry.aggregate([...processes]).getMetricsAsJSON());
}

type LibraryReadings = Awaited<ReturnType<AggregatorRegistry<never>["getMetricsAsJSON"]>>;

export function fromLibrary(metrics: LibraryReadings): Reading[] {
  return metrics.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    type: String(type),
    aggregator,
    values: values.map((value) => ({ ...value, labels: defined(value.labels) })),
  }));
}

function defined(
  labels: Readonly<Record<string, string | number | undefined>>,
): Reading["values"][number]["labels"] {
  const known: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(labels)) if (value !== undefined) known[name] = value;
  return known;
}
