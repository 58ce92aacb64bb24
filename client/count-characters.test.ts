import { expect, test } from "vitest";
import { countCharacters } from "./count-characters.ts";

test.each([
  ["", 0],
  ["soup", 4],
  ["😀😀", 2],
  ["a😀b", 3],
  ["\ud83d", 1],
  ["\ude00\ud83d", 2],
  ["👩‍🍳", 3],
])("%j is counted in code points, as the server counts", (text, count) => {
  expect(countCharacters(text)).toBe(count);
  expect([...text]).toHaveLength(count);
});
