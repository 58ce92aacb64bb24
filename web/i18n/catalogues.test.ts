import { expect, test } from "vitest";
import german from "./de.json" with { type: "json" };
import english from "./en.json" with { type: "json" };
import { format, pseudo } from "./format.ts";
import germanMore from "./more/de.json" with { type: "json" };
import englishMore from "./more/en.json" with { type: "json" };
import germanSettings from "./settings/de.json" with { type: "json" };
import englishSettings from "./settings/en.json" with { type: "json" };

const blanks = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).sort();

test.each<[string, Record<string, string>, Record<string, string>]>([
  ["the first screens", english, german],
  ["what is loaded later", englishMore, germanMore],
  ["settings", englishSettings, germanSettings],
])("German has every text of %s, with the same values in it", (_name, original, translated) => {
  expect(Object.keys(translated)).toEqual(Object.keys(original));
  for (const [key, text] of Object.entries(original))
    expect(blanks(translated[key] ?? ""), key).toEqual(blanks(text));
});

test("no text is in two catalogues", () => {
  const keys = [english, englishMore, englishSettings].flatMap((texts) => Object.keys(texts));
  expect(new Set(keys).size).toBe(keys.length);
});

test("a text is filled in, and takes the form that its number needs", () => {
  const text = "{name} has {count, plural, one {# message} other {# messages}}";
  expect(format(text, { name: "{count}", count: 1 }, "en")).toBe("{count} has 1 message");
  expect(format(text, { name: "Bo", count: 2100 }, "en")).toBe("Bo has 2,100 messages");
  const short = text.replaceAll("#", "#+");
  expect(format(short, { name: "Bo", count: 999 }, "en")).toBe("Bo has 999 messages");
  expect(format(short, { name: "Bo", count: 2100 }, "en")).toBe("Bo has 999+ messages");
  expect(format(pseudo(text), { name: "Bo", count: 2 }, "en")).toContain("Bo hás 2 messages");
});
