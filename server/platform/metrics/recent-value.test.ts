import { expect, test } from "vitest";
import { RecentValue } from "./recent-value.ts";

test("a database that does not answer holds a reader up for a moment only", async () => {
  let asked = 0;
  const value = new RecentValue(
    () => {
      asked++;
      return new Promise<number>(() => {});
    },
    { waitMs: 10 },
  );
  expect(await value.read()).toBeUndefined();
  expect(await value.read()).toBeUndefined();
  expect(asked).toBe(1);
});

test("a fresh value is given again without asking", async () => {
  let asked = 0;
  const value = new RecentValue(async () => ++asked);
  expect([await value.read(), await value.read()]).toEqual([1, 1]);
});

test("the last value stands for a while when the database is away, and then no more", async () => {
  let isAway = false;
  const ask = async () => {
    if (isAway) throw new Error("away");
    return 7;
  };
  const patient = new RecentValue(ask, { freshMs: -1 });
  const strict = new RecentValue(ask, { freshMs: -1, staleMs: 100 });
  expect([await patient.read(), await strict.read()]).toEqual([7, 7]);
  isAway = true;
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect([await patient.read(), await strict.read()]).toEqual([7, undefined]);
  isAway = false;
  expect(await strict.read()).toBe(7);
});
