import { afterEach, expect, test, vi } from "vitest";
import {
  clearStored,
  listStored,
  readStored,
  readStoredJson,
  removeStored,
  writeStored,
} from "./browser-storage.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  clearStored();
});

/** A storage that takes texts up to a length in all. */
function stubStorage(limit = Infinity): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const hidden = (value: unknown) => ({ value, enumerable: false });
  const length = () => Object.values(kept).join("").length;
  Object.defineProperties(kept, {
    getItem: hidden((key: string) => kept[key] ?? null),
    setItem: hidden((key: string, value: string) => {
      if (length() + value.length > limit) throw new DOMException("full", "QuotaExceededError");
      kept[key] = value;
    }),
    removeItem: hidden((key: string) => delete kept[key]),
    clear: hidden(() => {
      for (const key of Object.keys(kept)) delete kept[key];
    }),
  });
  vi.stubGlobal("localStorage", kept);
  return kept;
}

test("what is written is in the storage, and listed by how its key begins", () => {
  const kept = stubStorage();
  expect(writeStored("parley.a.1", "one")).toBe(true);
  writeStored("parley.b.1", "two");
  expect([kept["parley.a.1"], readStored("parley.a.1"), readStored("parley.a.2")]).toEqual([
    "one",
    "one",
    undefined,
  ]);
  expect(listStored("parley.a.")).toEqual(["parley.a.1"]);
  removeStored("parley.a.1");
  expect(listStored("parley.")).toEqual(["parley.b.1"]);
});

test("what a full storage does not take stays in memory, and the older value is hidden", () => {
  const kept = stubStorage(5);
  expect(writeStored("parley.a", "short")).toBe(true);
  expect(writeStored("parley.a", "much longer")).toBe(false);
  expect([kept["parley.a"], readStored("parley.a")]).toEqual(["short", "much longer"]);
  expect(listStored("parley.")).toEqual(["parley.a"]);
  expect(writeStored("parley.a", "")).toBe(true);
  expect(readStored("parley.a")).toBe("");
});

test("a storage that is forbidden is as one that is empty", () => {
  vi.stubGlobal("localStorage", undefined);
  expect([readStored("a"), listStored("")]).toEqual([undefined, []]);
  expect(writeStored("a", "1")).toBe(false);
  expect([readStored("a"), listStored("")]).toEqual(["1", ["a"]]);
  removeStored("a");
  expect([readStored("a"), listStored("")]).toEqual([undefined, []]);
});

test("what is no JSON is undefined, and nothing is null", () => {
  stubStorage();
  writeStored("a", "{");
  writeStored("b", "[1]");
  expect([readStoredJson("a"), readStoredJson("b"), readStoredJson("c")]).toEqual([undefined, [1], null]);
});
