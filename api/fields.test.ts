import { expect, test } from "vitest";
import { unprintableAt } from "./fields.ts";

test.each([
  ["lunch", undefined],
  ["🍲 süppe", undefined],
  ["a\tb", 2],
  ["🍲🍲\u2028", 3],
  ["a\ud83c", 2],
])("the first character of %j that can't be shown is at position %s", (text, position) => {
  expect(unprintableAt(text)).toBe(position);
});
