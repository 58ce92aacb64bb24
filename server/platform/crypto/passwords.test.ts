import { availableParallelism } from "node:os";
import { expect, test, vi } from "vitest";
import { hashPassword, isPassword, passwordQueue } from "./passwords.ts";

test("passwords leave a processor and threads to others", async () => {
  const hash = await hashPassword("correct horse battery");
  const checks = Array.from({ length: 6 }, (_, n) =>
    isPassword(hash, n === 3 ? "correct horse battery" : "wrong"),
  );
  const running: number[] = [];
  const watch = setInterval(() => running.push(passwordQueue.running), 1);
  expect(await Promise.all(checks)).toEqual([false, false, false, true, false, false]);
  clearInterval(watch);
  expect(Math.max(...running)).toBe(availableParallelism() > 2 ? 2 : 1);
  expect(passwordQueue.running).toBe(0);
});

test("checks of users without a password don't wait for themselves", async () => {
  const checks = Array.from({ length: 4 }, () => isPassword(null, "whatever"));
  expect(await Promise.all(checks)).toEqual([false, false, false, false]);
});

test("the password of a user without one is compared with a real hash, as any other", async () => {
  const comparisons = vi.spyOn(passwordQueue, "run");
  const text = "a password that nobody has";
  expect(await isPassword(null, text)).toBe(false);
  expect(await isPassword(await hashPassword(text), text)).toBe(true);
  const [ofNobody, , ofSomebody] = comparisons.mock.results.map(({ value }) => value);
  // It is right, and is refused all the same.
  expect([await ofNobody, await ofSomebody]).toEqual([true, true]);
  comparisons.mockRestore();
});
