import { expect, test } from "vitest";
import { findHidden, findHiddenInName, isVisible, withoutHidden } from "./hidden-characters.ts";

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

test.each([
  ["a filler of Hangul", "Olga Owner\u3164"],
  ["a filler of half width", "Olga\uffa0Owner"],
  ["a blank pattern of Braille", "Olga\u2800Owner"],
  ["a variation of a letter", "Olga\ufe0f"],
  ["a variation of a digit alone", "Room 1\ufe0f"],
  ["what holds marks apart, between letters", "ab\u034fc"],
  ["a mark of Mongolian in Latin", "ab\u180bc"],
  ["a variation of an ideograph in Latin", "a\u{E0100}"],
  ["a vowel of Khmer that nobody sees", "ក\u17b4"],
])("%s is refused in a new name", (_what, text) => {
  expect(findHiddenInName(text)).toBeGreaterThan(0);
  // Topics are left as they are: clients go on sending the names of those that there are.
  expect(withoutHidden(text)).toBe(text);
});

test.each([
  ["a picture", "I ❤\ufe0f soup"],
  ["a picture in black and white", "☎\ufe0e"],
  ["a key", "Room 1\ufe0f\u20e3"],
  ["a family", "👨\u200d👩\u200d👧"],
  ["an ideograph of a Japanese name", "葛\u{E0100}城"],
  ["a syllable of Hangul", "\u1112\u1160\u11ab"],
  ["a word of Mongolian", "ᠠ\u180bᠡ"],
  ["a joiner in Persian", "می\u200cخواهم"],
])("%s is no hidden character in a name", (_what, text) => {
  expect(findHiddenInName(text)).toBe(-1);
});

test("a text of hidden characters and spaces alone is not visible", () => {
  expect(["", " \n", "\u200b", "\u2060 \u200e", "\u3164", "\ufe0f"].filter(isVisible)).toEqual([]);
  expect(["a", ".", "\u200b🍲", "#\ufe0f\u20e3"].every(isVisible)).toBe(true);
});
