import { expect, test } from "vitest";
import { fieldTime, laterTimes, timeOfField } from "./later-times.ts";

const offered = (now: Date) => laterTimes(now).map(({ label, at }) => [label, fieldTime(at)]);

test("what is offered is later than now, the next one first", () => {
  expect(offered(new Date(2026, 10, 18, 8, 30))).toEqual([
    ["later.thisMorning", "2026-11-18T09:00"],
    ["later.oneHour", "2026-11-18T09:30"],
    ["later.threeHours", "2026-11-18T11:30"],
    ["later.thisAfternoon", "2026-11-18T14:00"],
    ["later.tomorrowMorning", "2026-11-19T09:00"],
    ["later.nextMonday", "2026-11-23T09:00"],
  ]);
});

test("in the evening nothing of the day is offered, and on Sunday the Monday after the next day", () => {
  expect(offered(new Date(2026, 10, 22, 20, 0)).slice(2)).toEqual([
    ["later.tomorrowMorning", "2026-11-23T09:00"],
    ["later.nextMonday", "2026-11-30T09:00"],
  ]);
});

test("a field gives back the time that it was given, and nothing while it is empty", () => {
  const date = new Date(2027, 0, 2, 3, 4);
  expect(timeOfField(fieldTime(date))).toEqual(date);
  expect(timeOfField("")).toBeUndefined();
  expect(timeOfField("later")).toBeUndefined();
});
