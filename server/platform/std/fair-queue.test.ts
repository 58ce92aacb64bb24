import { expect, test } from "vitest";
import { FairQueue, type LaneLimits, NoPlace } from "./fair-queue.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A queue in which work ends when the test says so, and what has begun in it. */
function watched<L extends string>(concurrency: number, lanes: Record<L, LaneLimits>) {
  const queue = new FairQueue(concurrency, lanes);
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const enter = (lane: L, key: string, name = key) => {
    const turn = queue.enter(lane, key, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
    turn.result.catch((error) => {
      expect(error).toBeInstanceOf(NoPlace);
      refused.push(name);
    });
    return turn;
  };
  const endOne = async () => {
    ends.shift()?.();
    await settle();
  };
  const endAll = async () => {
    while (ends.length > 0) await endOne();
  };
  return { queue, begun, refused, enter, endOne, endAll };
}

test("work beyond the limit waits, and who brings much waits for their own work", async () => {
  const { queue, begun, enter, endAll } = watched(2, { open: { maxWaiting: 10 } });
  for (let each = 1; each <= 5; each++) enter("open", "busy", `busy ${each}`);
  enter("open", "one");
  enter("open", "two");
  expect(begun).toEqual(["busy 1", "busy 2"]);
  await endAll();
  expect(begun).toEqual(["busy 1", "busy 2", "busy 3", "one", "two", "busy 4", "busy 5"]);
  expect(queue.running).toBe(0);
});

test("a key has all places while nobody else needs them, and then gives up its last ones", async () => {
  const { begun, refused, enter, endAll } = watched(1, { open: { maxWaiting: 4 } });
  for (let each = 0; each < 6; each++) enter("open", "busy", `busy ${each}`);
  await settle();
  expect(refused).toEqual(["busy 5"]);
  enter("open", "one", "one 1");
  enter("open", "one", "one 2");
  enter("open", "two");
  enter("open", "busy", "busy 6");
  await settle();
  expect(refused).toEqual(["busy 5", "busy 4", "busy 3", "busy 2", "busy 6"]);
  await endAll();
  expect(begun).toEqual(["busy 0", "busy 1", "one 1", "two", "one 2"]);
});

test("a lane of higher priority goes first, and each fourth turn belongs to who has waited longest", async () => {
  const { begun, enter, endAll } = watched(1, {
    first: { maxWaiting: 9 },
    second: { maxWaiting: 9 },
    last: { maxWaiting: 9, maxRunning: 1 },
  });
  enter("first", "a", "first");
  for (let each = 0; each < 3; each++) {
    enter("last", "c", "last");
    enter("second", "b", "second");
  }
  for (let each = 0; each < 6; each++) enter("first", "a", "first");
  await endAll();
  const order = "first first first second first first first last first second second last last";
  expect(begun.join(" ")).toBe(order);
});

test("a lane with one place leaves the other to work that comes later", async () => {
  const { begun, enter, endOne } = watched(2, {
    first: { maxWaiting: 9 },
    last: { maxWaiting: 2, maxRunning: 1 },
  });
  for (let each = 1; each <= 4; each++) enter("last", "c", `last ${each}`);
  expect(begun).toEqual(["last 1"]);
  enter("first", "a");
  expect(begun).toEqual(["last 1", "a"]);
  await endOne();
  expect(begun).toEqual(["last 1", "a", "last 2"]);
});

test("work that leaves gives its place away, and begins no more", async () => {
  const { begun, refused, enter, endAll } = watched(1, { open: { maxWaiting: 1 } });
  enter("open", "a");
  enter("open", "b").leave();
  enter("open", "c");
  await endAll();
  expect([begun, refused]).toEqual([["a", "c"], []]);
});

test("work that fails gives its place to the next", async () => {
  const queue = new FairQueue(1, { open: { maxWaiting: 1 } });
  const failing = queue.enter("open", "a", () => Promise.reject(new Error("no")));
  const next = queue.enter("open", "b", async () => "done");
  await expect(failing.result).rejects.toThrow("no");
  expect(await next.result).toBe("done");
});

test("a key with one place leaves the other to other keys, and to none", async () => {
  const { begun, enter, endOne, endAll } = watched(2, { open: { maxWaiting: 9, maxRunningOfKey: 1 } });
  for (let each = 1; each <= 3; each++) enter("open", "busy", `busy ${each}`);
  expect(begun).toEqual(["busy 1"]);
  enter("open", "other");
  expect(begun).toEqual(["busy 1", "other"]);
  await endOne();
  expect(begun).toEqual(["busy 1", "other", "busy 2"]);
  await endAll();
  expect(begun).toEqual(["busy 1", "other", "busy 2", "busy 3"]);
});
