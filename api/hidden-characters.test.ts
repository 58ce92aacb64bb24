import { expect, test } from "vitest";
import { findHidden, isVisible, withoutHidden } from "./hidden-characters.ts";

/** Every character of category Cf that is not visible by itself. */
function formatCharacters(): string[] {
  const visible = /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u;
  const all: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point);
    if (/\p{Cf}/u.test(character) && !visible.test(character)) all.push(character);
  }
  return all;
}

test("every format character is hidden between letters that do not need it", () => {
  const all = formatCharacters();
  expect(all.length).toBeGreaterThan(140);
  expect(all.filter((each) => findHidden(`a${each}b`) !== 1)).toEqual([]);
  expect(all.filter((each) => withoutHidden(`a${each}b`) !== "ab")).toEqual([]);
});

test.each([
  ["a joiner in Persian", "می\u200cخواهم"],
  ["a joiner in Hindi", "क\u094d\u200dष"],
  ["a joiner in Sinhala", "ක\u0dca\u200dෂ"],
  ["a family", "👨\u200d👩\u200d👧"],
  ["a person with a tone of skin", "👩🏽\u200d💻"],
  ["a picture with a variation selector", "❤\ufe0f\u200d🔥"],
  ["the flag of England", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"],
  ["letters of Hangul with a filler", "\u115f\u1161"],
])("%s keeps what it needs", (_what, text) => {
  expect(findHidden(text)).toBe(-1);
  expect(withoutHidden(text)).toBe(text);
});

test.each([
  ["two joiners", "می\u200c\u200cخواهم", "میخواهم"],
  ["a joiner at the end", "می\u200c", "می"],
  ["tags without a flag", "a\u{E0061}\u{E007F}", "a"],
  ["tags of a flag without an end", "🏴\u{E0061}", "🏴"],
  ["marks of direction", "\u202eabc\u202c", "abc"],
])("%s are hidden", (_what, text, rest) => {
  expect(withoutHidden(text)).toBe(rest);
});

test("a text of hidden characters and spaces alone is not visible", () => {
  expect(["", " \n", "\u200b", "\u2060 \u200e", "\u3164", "\ufe0f"].filter(isVisible)).toEqual([]);
  expect(["a", ".", "\u200b🍲", "#\ufe0f\u20e3"].every(isVisible)).toBe(true);
});
