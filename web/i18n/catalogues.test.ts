import { expect, test } from "vitest";
import german from "./de.json" with { type: "json" };
import english from "./en.json" with { type: "json" };
import { format, pseudo } from "./format.ts";

const blanks = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).sort();

test("German has every text of the English catalogue, with the same values in it", () => {
  expect(Object.keys(german)).toEqual(Object.keys(english));
  for (const [key, text] of Object.entries(english)) {
    expect(blanks(german[key as keyof typeof german]), key).toEqual(blanks(text));
  }
});

test("a text is filled in, and takes the form that its number needs", () => {
  const text = "{name} has {count, plural, one {# message} other {# messages}}";
  expect(format(text, { name: "{count}", count: 1 }, "en")).toBe("{count} has 1 message");
  expect(format(text, { name: "Bo", count: 2100 }, "en")).toBe("Bo has 2,100 messages");
  expect(format(pseudo(text), { name: "Bo", count: 2 }, "en")).toContain("Bo hás 2 messages");
});
