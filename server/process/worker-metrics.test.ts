import { expect, test } from "vitest";
import { Exposition } from "../../test/harness/exposition.ts";
import { writeText } from "../platform/metrics/exposition.ts";
import { counter, gauge, histogram, type Reading } from "../platform/metrics/reading.ts";
import { Histogram } from "../platform/std/histogram.ts";
import { CountedByWorkers } from "./worker-metrics.ts";

/** What a worker answers that has counted this many calls. */
function worker(calls: number): Reading[] {
  const sizes = new Histogram([1, 2]);
  for (let count = 0; count < calls; count++) sizes.observe(2);
  return [
    counter("calls_total", "Calls.", calls),
    gauge("connections", "Connections.", 10),
    gauge("position", "Position.", calls, "max"),
    histogram("size", "Sizes.", [[{}, sizes]]),
  ];
}

async function round(
  counted: CountedByWorkers,
  answers: Record<number, Reading[]>,
  running: number[],
): Promise<Exposition> {
  const map = new Map(Object.entries(answers).map(([id, readings]) => [Number(id), readings]));
  const silent = await counted.note(map, new Set(running));
  return new Exposition(await writeText([...map.values(), ...silent]));
}

test("a silent worker's gauges are left out, and its counters stay as they were", async () => {
  const counted = new CountedByWorkers();
  expect((await round(counted, { 1: worker(5), 2: worker(7) }, [1, 2])).value("calls_total")).toBe(12);
  const without = await round(counted, { 1: worker(6) }, [1, 2]);
  expect(without.value("calls_total")).toBe(13);
  expect(without.value("size_count")).toBe(13);
  expect(without.value("connections")).toBe(10);
  expect(without.value("position")).toBe(6);
  const again = await round(counted, { 1: worker(6), 2: worker(9) }, [1, 2]);
  expect(again.value("calls_total")).toBe(15);
  expect(again.value("connections")).toBe(20);
});

test("a worker that takes the place of another starts at zero, and the sum goes on", async () => {
  const counted = new CountedByWorkers();
  await round(counted, { 1: worker(5), 2: worker(7) }, [1, 2]);
  expect((await round(counted, { 1: worker(5) }, [1])).value("calls_total")).toBe(12);
  expect((await round(counted, { 1: worker(5), 3: worker(0) }, [1, 3])).value("calls_total")).toBe(12);
  const later = await round(counted, { 1: worker(5), 3: worker(4) }, [1, 3]);
  expect(later.value("calls_total")).toBe(16);
  expect(later.value("size_bucket", { le: "2" })).toBe(16);
  expect((await round(counted, { 4: worker(1) }, [4])).value("calls_total")).toBe(17);
});

test("a worker that ends right after its answer counts once", async () => {
  const counted = new CountedByWorkers();
  expect((await round(counted, { 1: worker(5), 2: worker(7) }, [1])).value("calls_total")).toBe(12);
  expect((await round(counted, { 1: worker(5) }, [1])).value("calls_total")).toBe(12);
});
