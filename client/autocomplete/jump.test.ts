import { expect, test } from "vitest";
import { createJump, type Jump } from "./jump.ts";

const named = (name: string, order = 10, context = ""): Jump<string> => ({
  item: name,
  name,
  context,
  order,
});
const find = createJump(
  [
    named("Zoë Adams"),
    named("Ada Zimmer"),
    named("zoo", 5),
    named("bazooka"),
    named("sidebar density", 1, "design"),
    named("density of traffic", 8, "city"),
    named("Settings"),
  ],
  4,
);

test("names that begin with the text come before names with such a word, and those before the rest", () => {
  expect(find("zo")).toEqual(["zoo", "Zoë Adams", "bazooka"]);
  expect(find("zoo")).toEqual(["zoo", "bazooka"]);
  expect(find("ad")).toEqual(["Ada Zimmer", "Zoë Adams"]);
});

test("several words are found in any order, in a topic and its channel together", () => {
  expect(find("design den")).toEqual(["sidebar density"]);
  expect(find("adams zoe")).toEqual(["Zoë Adams"]);
});

test("letters in the right order find a name if they begin it", () => {
  expect(find("stgs")).toEqual(["Settings"]);
  expect(find("tings")).toEqual(["Settings"]);
  expect(find("xyz")).toEqual([]);
});

test("without a text, what was used lately comes first, and no more than fit", () => {
  expect(find("")).toEqual(["sidebar density", "zoo", "density of traffic", "Ada Zimmer"]);
});
