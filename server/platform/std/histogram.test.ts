import { expect, test } from "vitest";
import { Histogram } from "./histogram.ts";

test("a value falls into the first bucket that is large enough, and into the last if none is", () => {
  const sizes = new Histogram([1, 2, 4]);
  for (const value of [0, 1, 1.5, 2, 4, 5, 1000]) sizes.observe(value);
  expect(sizes.counts).toEqual([2, 2, 1, 2]);
  expect(sizes.sum).toBe(1013.5);
});
