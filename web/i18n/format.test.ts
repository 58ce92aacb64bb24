import { expect, test } from "vitest";
import { format } from "./format.ts";
import { pseudo, pseudoFromRight } from "./pseudo.ts";

const messages = "{name} has {count, plural, one {# message} other {# messages}}";

test("a text is filled in, and takes the form that its number needs", () => {
  expect(format(messages, { name: "{count}", count: 1 }, "en")).toBe("{count} has 1 message");
  expect(format(messages, { name: "Bo", count: 2100 }, "en")).toBe("Bo has 2,100 messages");
  const short = messages.replaceAll("#", "#+");
  expect(format(short, { name: "Bo", count: 999 }, "en")).toBe("Bo has 999 messages");
  expect(format(short, { name: "Bo", count: 2100 }, "en")).toBe("Bo has 999+ messages");
  expect(format("{name}{missing}!", { name: "Bo" }, "en")).toBe("Bo!");
});

test("a form may hold values, its number more than once, and other forms", () => {
  const text =
    "{count, plural, =0 {nothing from {name}} one {# of # from {name}} other {{kind, select, bot {# by a bot} other {# by {name}}}}}";
  const write = (count: number, kind: string) => format(text, { count, kind, name: "Bo" }, "en");
  expect([write(0, "bot"), write(1, "bot"), write(2, "bot"), write(3, "person")]).toEqual([
    ...["nothing from Bo", "1 of 1 from Bo", "2 by a bot", "3 by Bo"],
  ]);
});

test("each language has its own forms, and what lacks one takes the last", () => {
  const polish = "{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}";
  const written = [1, 2, 5, 21, 22, 1.5].map((count) => format(polish, { count }, "pl"));
  expect(written).toEqual(["1 plik", "2 pliki", "5 plików", "21 plików", "22 pliki", "1,5 pliku"]);
  expect(format("{count, plural, one {# jour} other {# jours}}", { count: 0 }, "fr")).toBe("0 jour");
  expect(format("{count, plural, one {#} other {# mil}}", { count: 1_000_000 }, "es")).toBe("1.000.000 mil");
});

test("quotation marks make signs plain words", () => {
  expect(format("it's '{name}' of {name}, isn''t it", { name: "Bo" }, "en")).toBe(
    "it's {name} of Bo, isn't it",
  );
  expect(format("{count, plural, other {'#'# in '{'#'}'}}", { count: 4 }, "en")).toBe("#4 in {4}");
  expect(format("#{channel}", { channel: "a#b" }, "en")).toBe("#a#b");
});

test("a name keeps its direction in a text that is written from the right", () => {
  const text = "رسائل في {place}: {count, plural, other {# من {place}}}";
  expect(format(text, { place: "#ops", count: 3 }, "ar", true)).toBe(
    "رسائل في \u2068#ops\u2069: 3 من \u2068#ops\u2069",
  );
});

test("a language that nobody speaks changes all words, and nothing else", () => {
  const values = { name: "Bo", count: 2 };
  expect(format(pseudo(messages), values, "en")).toMatch(/^\[Bo hás 2 mësságës ~+\]$/);
  expect(format(pseudo("it's '{a}'"), {}, "en")).toMatch(/^\[ït's \{á\} ~+\]$/);
  const fromRight = format(pseudoFromRight(messages), values, "en");
  expect(fromRight).toMatch(/^\[Bo \p{Script=Arabic}+ 2 \p{Script=Arabic}+ ~\]$/u);
});
