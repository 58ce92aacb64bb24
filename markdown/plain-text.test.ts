import { describe, expect, test } from "vitest";
import { castLookups } from "./cases/cast.ts";
import { Random } from "./cases/random.ts";
import { renderDocument } from "./document.ts";
import { renderPlainText } from "./plain-text.ts";
import { Session } from "./session.ts";

const PIECES = [
  "the",
  "kettle",
  "is on",
  " ",
  " ",
  " ",
  " ",
  "\n",
  "\n\n",
  ". ",
  ".",
  ", ",
  ": ",
  ":",
  "!",
  "?",
  "-",
  "--",
  "+",
  "1",
  "2. ",
  "10",
  "(",
  ")",
  "'",
  '"',
  "/",
  "/me ",
  "\\",
  "=",
  "%",
  "_",
  "___",
  "{",
  "}",
  "^",
  ";",
  ";)",
  "naïve",
  "привет",
  "日本",
  "😀",
  "©",
  "\u00a0",
  "\u2003",
  "\t",
  "a.b",
  "x.com",
  "www",
  "*",
  "`",
  "@",
  "#",
  "# ",
  "> ",
  "* ",
  "- ",
  "    ",
  "|",
  "<",
  "&",
  "&amp;",
  "$",
  "~",
  "[",
  "]",
  "http",
  "://",
  "bitcoin",
  "\r",
  "\x02",
];

describe("the fast path for plain text", () => {
  test("gives the same HTML as the full renderer, for 15,000 texts of all kinds of pieces", () => {
    const random = new Random(20);
    let taken = 0;
    for (let i = 0; i < 15_000; i++) {
      // Few kinds of pieces at a time; otherwise hardly any text would be plain.
      const pieces = Array.from({ length: 1 + random.below(5) }, () => random.pick(PIECES));
      const text = Array.from({ length: 1 + random.below(9) }, () => random.pick(pieces)).join("");
      const short = renderPlainText(text);
      if (short === null) continue;
      taken++;
      expect(short, JSON.stringify(text)).toBe(renderDocument(text, new Session(castLookups(), {})));
    }
    expect(taken).toBeGreaterThan(1000);
  });

  test("takes an ordinary message of several lines", () => {
    expect(renderPlainText("Morning all, 3 things:\nthe build (again) is fixed.")).toBe(
      "<p>Morning all, 3 things:<br>\nthe build (again) is fixed.</p>",
    );
  });

  test.each([
    "a.b",
    ":)",
    "see :x:",
    "a\n- b",
    "1. a",
    "    a",
    " a",
    "a & b",
    "a\n\nb",
    "a\n",
    "mail me@x",
    "© 2024",
    "a\tb",
  ])("leaves %j to the full renderer", (text) => {
    expect(renderPlainText(text)).toBeNull();
  });
});
