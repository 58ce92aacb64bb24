import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { TurnBudget } from "./turn-budget.ts";

/** Pieces of work that take a number of milliseconds by the clock of the budget. */
function createBudget(turnMs = 8) {
  let now = 0;
  const done: string[] = [];
  const budget = new TurnBudget(turnMs, () => now);
  const work = (owner: string, name: string, ms: number, cost = 1) =>
    budget.run(owner, cost, () => {
      now += ms;
      done.push(name);
      return name;
    });
  return { budget, done, work };
}

test("work runs at once while the turn has time left", () => {
  const { done, work } = createBudget();
  expect(work("ada", "a", 3)).toBe("a");
  expect(work("dev", "b", 4)).toBe("b");
  expect(work("ada", "c", 100)).toBe("c");
  expect(done).toEqual(["a", "b", "c"]);
});

test("work that exceeds the turn is done in later turns, a few milliseconds in each", async () => {
  const { done, work } = createBudget();
  const results = ["a", "b", "c", "d", "e"].map((name) => work("ada", name, 5));
  expect(done).toEqual(["a", "b"]);
  const sizes = [done.length];
  while (done.length < 5) {
    await nextTurn();
    sizes.push(done.length);
  }
  expect(sizes.slice(0, 2)).toEqual([2, 4]);
  expect(await Promise.all(results)).toEqual(["a", "b", "c", "d", "e"]);
});

test("other things happen between the turns", async () => {
  const { done, work } = createBudget();
  const results = Array.from({ length: 20 }, (_, index) => work("ada", String(index), 10));
  let turns = 0;
  while (done.length < 20) {
    await nextTurn();
    turns++;
  }
  expect(turns).toBeGreaterThan(15);
  await Promise.all(results);
});

test("a new turn has all of its time again", async () => {
  const { work } = createBudget();
  work("ada", "a", 100);
  await nextTurn();
  expect(work("ada", "b", 100)).toBe("b");
});

test("owners take turns, and each keeps the order of its own work", async () => {
  const { done, work } = createBudget();
  const floods = ["a1", "a2", "a3", "a4", "a5"].map((name) => work("ada", name, 10));
  const others = [work("dev", "d1", 10), work("elin", "e1", 10), work("dev", "d2", 10)];
  await Promise.all([...floods, ...others]);
  expect(done).toEqual(["a1", "a2", "d1", "e1", "a3", "d2", "a4", "a5"]);
});

test("a short piece does not wait for the long pieces of many others", async () => {
  const { done, work } = createBudget();
  const floods = Array.from({ length: 50 }, (_, index) => work(`sender ${index}`, `long ${index}`, 10, 1000));
  while (done.length < 20) await nextTurn();
  const count = done.length;
  const short = [work("ada", "short", 10, 10), work("ada", "next", 10, 10)];
  await Promise.all([...floods, ...short]);
  expect(done.slice(count, count + 3)).toEqual(["short", "next", `long ${count}`]);
});

test("many short pieces of others do not keep a long piece waiting", async () => {
  const { done, work } = createBudget();
  work("ada", "first", 10);
  const long = work("ada", "long", 10, 100);
  let isWaiting = true;
  const others = ["dev", "elin"].map(async (name) => {
    while (isWaiting && done.length < 1000) await work(name, name, 10, 10);
  });
  await long;
  isWaiting = false;
  await Promise.all(others);
  // Each of the others had as much time as the long piece, and no more.
  const before = done.slice(0, done.indexOf("long"));
  for (const name of ["dev", "elin"]) expect(before.filter((each) => each === name).length).toBeLessThan(12);
});

test("owners with pieces of any length get equal shares", async () => {
  const { done, work } = createBudget();
  work("ada", "first", 10);
  const results = [
    ...Array.from({ length: 10 }, () => work("ada", "short", 1, 100)),
    ...Array.from({ length: 10 }, () => work("dev", "long", 1, 300)),
  ];
  await Promise.all(results);
  const [, ...waited] = done;
  expect(waited.slice(0, 8).filter((each) => each === "long")).toHaveLength(2);
});

test("later work does not overtake work that waits", async () => {
  const { done, work } = createBudget();
  work("ada", "a", 10);
  const waiting = work("ada", "b", 1);
  await Promise.resolve();
  const later = work("dev", "c", 1);
  expect(done).toEqual(["a"]);
  await Promise.all([waiting, later]);
  expect(done).toEqual(["a", "b", "c"]);
});

test("work that fails, at once or later, fails alone and counts", async () => {
  const { budget, work } = createBudget(0.5);
  const fail = () => {
    throw new Error("no soup");
  };
  expect(() => budget.run("ada", 1, fail)).toThrow("no soup");
  work("ada", "a", 1);
  await expect(Promise.resolve(budget.run("ada", 1, fail))).rejects.toThrow("no soup");
  await expect(Promise.resolve(budget.run("ada", 1, async () => fail()))).rejects.toThrow("no soup");
  expect(await work("ada", "b", 1)).toBe("b");
});
