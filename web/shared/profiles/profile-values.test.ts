import { expect, test } from "vitest";
import { optionsOf, peopleOf } from "./profile-values.ts";

test("options come in the organization's order, not in that of their keys", () => {
  const data = JSON.stringify({ 0: { text: "Vim", order: "2" }, b: { text: "Emacs", order: "1" } });
  expect(optionsOf(data)).toEqual([
    { value: "b", label: "Emacs" },
    { value: "0", label: "Vim" },
  ]);
});

test("a value names people by their ids, or nobody", () => {
  expect(peopleOf("[4,7]")).toEqual([4, 7]);
  expect(peopleOf("")).toEqual([]);
});
