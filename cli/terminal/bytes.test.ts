import { expect, test } from "vitest";
import { describeBytes } from "./bytes.ts";

test("amounts of data have two or three digits and a unit", () => {
  expect([0, 999, 1000, 3_449_000, 44_400_000, 999_600_000, 5e15].map(describeBytes)).toEqual([
    "0 bytes",
    "999 bytes",
    "1.0 kB",
    "3.4 MB",
    "44 MB",
    "1.0 GB",
    "5000 TB",
  ]);
});
