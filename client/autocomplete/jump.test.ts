import { expect, test } from "vitest";
import { createJump, type Jump } from "./jump.ts";

const named = (name: string, order = 10, context = ""): Jump<string> => ({
  ...{ item: name, name, context, order },
  kind: "channel",
});
const topic = (name: string, visits = 0): Jump<string> => ({
  ...{ item: name, name, visits, order: 1 },
  kind: "topic",
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

test("names of places come first, then what was visited most, then topics that fit as well", () => {
  const other = createJump(
    [topic("incident"), topic("incoming", 1), topic("the income", 3), named("incidents"), named("the inch")],
    12,
  );
  expect(other("inc")).toEqual(["incidents", "the income", "incoming", "the inch", "incident"]);
  expect(other("incident")).toEqual(["incidents", "incident"]);
  expect(other("")).toEqual(["the income", "incoming", "incident", "incidents", "the inch"]);
});

test("no kind takes the room of the others, and one alone has all of it", () => {
  const topics = Array.from({ length: 20 }, (_one, at) => topic(`part ${String(at).padStart(2, "0")}`));
  const people = ["Bo Part", "Cy Part"].map(
    (name): Jump<string> => ({
      ...{ item: name, name, order: 9 },
      kind: "person",
    }),
  );
  const inside = { ...named("apart"), kind: "view" } as const;
  const few = createJump([...topics, ...people, inside], 6);
  expect(few("part")).toEqual(["Bo Part", "Cy Part", "part 00", "part 01", "part 02", "apart"]);
  expect(createJump(topics, 6)("part")).toHaveLength(6);
});
