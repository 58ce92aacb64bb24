import { availableParallelism } from "node:os";
import * as argon2 from "@node-rs/argon2";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  hashNewPassword,
  hashPassword,
  isPassword,
  passwordQueue,
  TooManyPasswords,
  turnOfAccount,
} from "./passwords.ts";

vi.unmock("@node-rs/argon2");

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
  const comparisons = vi.spyOn(passwordQueue, "enter");
  const text = "a password that nobody has";
  // It is the one of that hash, and is refused all the same.
  expect(await isPassword(null, text)).toBe(false);
  expect(comparisons).toHaveBeenCalledTimes(1);
  comparisons.mockRestore();
  expect(await isPassword(await hashPassword(text), text)).toBe(true);
});

describe("while all places to hash are taken", () => {
  const KEY = "192.0.2.1";
  let hash: string;
  let free: () => void;

  beforeEach(async () => {
    hash = await hashPassword("right one");
    const opened = new Promise<void>((resolve) => {
      free = resolve;
    });
    for (let n = 0; passwordQueue.enter("known", `busy ${n}`, () => opened).hasBegun; n++);
  });
  afterEach(() => free());

  const open = { lane: "open", key: KEY } as const;
  const ahead = async () => ({ lane: "known", key: "user 1" }) as const;
  /** As long as a hash takes, but for its processor time. */
  const hashing = () => new Promise<boolean>((resolve) => setTimeout(resolve, 50, false));
  /** Strangers, each in a network of their own. Returns the order in which checks are answered. */
  const wait = (count: number, work = hashing) => {
    const answered: string[] = [];
    const note = (name: string, check: Promise<boolean>) =>
      check.then(
        (isRight) => answered.push(`${name}: ${isRight}`),
        (error) => answered.push(`${name}: ${error instanceof TooManyPasswords ? "no place" : error}`),
      );
    const all = Array.from({ length: count }, (_, n) =>
      note("stranger", passwordQueue.enter("open", `stranger ${n}`, work).result),
    );
    return { answered, note, all };
  };

  test("a right password that may be looked at ahead is known before others have had their turn", async () => {
    // Their hashes are real ones. So on a busy machine they take as long as the one that is looked at.
    const { answered, note, all } = wait(12, () => argon2.verify(hash, "wrong"));
    const right = note("known", isPassword(hash, "right one", { ...open, ahead }));
    await new Promise((resolve) => setImmediate(resolve));
    free();
    await right;
    // Two others may be in the threads before it, by the turns that no lane can take from another.
    expect(answered.length).toBeLessThanOrEqual(4);
    await Promise.all(all);
    expect(answered.filter((line) => line === "known: true")).toHaveLength(1);
  });

  test("a wrong one is answered when it would have been otherwise", async () => {
    const { answered, note, all } = wait(12);
    const wrong = note("known", isPassword(hash, "wrong", { ...open, ahead }));
    await new Promise((resolve) => setImmediate(resolve));
    free();
    await Promise.all([wrong, ...all]);
    expect(answered.indexOf("known: false")).toBeGreaterThanOrEqual(11);
  });

  test("a right one is found without a place among the others, and a wrong one has none", async () => {
    const { answered, note, all } = wait(64);
    const checks = ["right one", "wrong", "right one"].map((text, n) =>
      note(text, isPassword(hash, text, n === 2 ? open : { ...open, ahead })),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toEqual(["right one: no place"]);
    free();
    await Promise.all(checks);
    expect(answered).toContain("right one: true");
    expect(answered).toContain("wrong: no place");
    await Promise.all(all);
  });

  test("what is refused in any case has eight places, and takes none of the others", async () => {
    const { answered, note } = wait(0);
    const all = Array.from({ length: 10 }, (_, n) =>
      note("refused", isPassword(hash, "wrong", { lane: "refused", key: `stranger ${n}` })),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toEqual(["refused: no place", "refused: no place"]);
    const other = note("other", isPassword(hash, "right one", open));
    free();
    await Promise.all([...all, other]);
    expect(answered.indexOf("other: true")).toBeLessThanOrEqual(4);
  });

  test("a new password waits where its person does", async () => {
    const { answered, note, all } = wait(12);
    const strong = "a long one that nobody guesses";
    const chosen = hashNewPassword(strong, [], turnOfAccount(1, 2)).then(() => true);
    const known = note("chosen", chosen);
    // One that keeps the places taken waits too.
    await expect.poll(() => passwordQueue.waiting).toBe(14);
    free();
    await known;
    expect(answered.length).toBeLessThanOrEqual(4);
    await Promise.all(all);
  });
});

test("a hash takes 19 MiB of memory, which makes guessing expensive", async () => {
  expect(await hashPassword("correct horse battery")).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});
