import { expect, test } from "vitest";
import { WorkQueue } from "./work-queue.ts";

/** Work that ends when the test says so. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("work beyond the limit waits for its turn, in order", async () => {
  const queue = new WorkQueue(2, 10);
  const gates = Array.from({ length: 5 }, gate);
  const begun: number[] = [];
  const done = gates.map(({ opened }, index) =>
    queue.run(async () => {
      begun.push(index);
      await opened;
      return index;
    }),
  );
  await settle();
  expect(begun).toEqual([0, 1]);
  gates[1]?.open();
  await settle();
  expect(begun).toEqual([0, 1, 2]);
  for (const { open } of gates) open();
  expect(await Promise.all(done)).toEqual([0, 1, 2, 3, 4]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(queue.running).toBe(0);
});

test("work that finds the queue full is refused, and has room later", async () => {
  const queue = new WorkQueue(1, 1);
  const { open, opened } = gate();
  const accepted = [queue.run(() => opened), queue.run(() => opened)];
  expect(queue.run(() => opened)).toBeUndefined();
  open();
  await Promise.all(accepted);
  expect(await queue.run(async () => "room")).toBe("room");
});

test("work that fails gives its place to the next", async () => {
  const queue = new WorkQueue(1, 1);
  const failing = queue.run(() => Promise.reject(new Error("no")));
  const next = queue.run(async () => "done");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("done");
});
