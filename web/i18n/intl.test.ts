import { expect, test } from "vitest";
import { compareTexts, joinTexts, plainClock, pluralForm, writeNumber } from "./intl.ts";

test("plain texts have the order that the browser's alphabet has", () => {
  const names = [
    "design",
    "Deploy",
    "a-team",
    "a team",
    "ab",
    "general 10",
    "general 9",
    "general",
    "Zoo",
    "zoo",
    "9 to 5",
  ];
  for (const language of ["en", "de"]) {
    const { compare } = new Intl.Collator(language, { numeric: true });
    for (const name of names) {
      for (const other of names) {
        const isCaseAlone = name.toLowerCase() === other.toLowerCase();
        const expected = isCaseAlone ? 0 : Math.sign(compare(name, other));
        expect(compareTexts(name, other, language), `${name}, ${other}`).toBe(expected);
      }
    }
  }
  expect(compareTexts("ähre", "zoo", "de")).toBe(-1);
  expect(compareTexts("ähre", "zoo", "sv")).toBe(1);
});

test("a clock of English and German is written without the browser's table", () => {
  const at = (hours: number) => new Date(2026, 0, 5, hours, 4);
  expect([0, 9, 12, 23].map((hours) => plainClock(at(hours), "de", true))).toEqual([
    ...["00:04", "09:04", "12:04", "23:04"],
  ]);
  expect([0, 9, 12, 23].map((hours) => plainClock(at(hours), "en-GB", false))).toEqual([
    ...["12:04\u202fAM", "9:04\u202fAM", "12:04\u202fPM", "11:04\u202fPM"],
  ]);
  expect(plainClock(at(9), "fi", true)).toBeUndefined();
});

test("counts are written, and choose a form, as the language has it", () => {
  for (const language of ["en", "de", "pl"]) {
    const [rules, numbers] = [new Intl.PluralRules(language), new Intl.NumberFormat(language)];
    for (const count of [0, 1, 2, 5, 21, 999, 1000, 12345, 1.5, -1]) {
      const expected = [count === -1 ? "any" : rules.select(count), numbers.format(count)];
      const form = count === -1 ? "any" : pluralForm(count, language);
      expect([form, writeNumber(count, language)], `${count}, ${language}`).toEqual(expected);
    }
  }
});

test("texts are joined as the language joins them", () => {
  const names = ["Ada", "Bo", "Cleo", "Dev"];
  for (const language of ["en", "en-GB", "de", "pl"]) {
    for (const [style, width] of [
      ["wide", "long"],
      ["narrow", "narrow"],
    ] as const) {
      const format = new Intl.ListFormat(language, { style: width });
      for (let count = 0; count <= names.length; count++) {
        const some = names.slice(0, count);
        expect(joinTexts(some, language, style), `${language}, ${style}`).toBe(format.format(some));
      }
    }
  }
});
