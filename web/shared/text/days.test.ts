import { afterEach, expect, test } from "vitest";
import { dayAfter, dayBefore, startOfDay } from "./days.ts";

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

/** The midnights around a day, with their distance in hours. */
function around(noon: string) {
  const day = startOfDay(Date.parse(noon));
  const hours = (ms: number) => ms / 3_600_000;
  return [hours(day - dayBefore(day)), hours(dayAfter(day) - day)];
}

test("a day ends at the next midnight, also when the clock is put on or back", () => {
  process.env.TZ = "Europe/Berlin";
  expect(around("2026-07-01T12:00:00+02:00")).toEqual([24, 24]);
  expect(around("2026-03-29T12:00:00+02:00")).toEqual([24, 23]);
  expect(around("2026-03-30T12:00:00+02:00")).toEqual([23, 24]);
  expect(around("2026-10-25T12:00:00+01:00")).toEqual([24, 25]);
  expect(around("2026-10-26T12:00:00+01:00")).toEqual([25, 24]);
});
