import { expect, test } from "vitest";
import { lastText, MAX_FIELDS, parseForm } from "./form.ts";

const parse = (text: string) => parseForm(Buffer.from(text));

test("a form is parsed into texts by name", () => {
  expect({ ...parse("a=1&b=x%20y+z%2b&c&&d=1&d=2&=e&f=g=h") }).toEqual({
    a: "1",
    b: "x y z+",
    c: "",
    d: ["1", "2"],
    "": "e",
    f: "g=h",
  });
});

test("the last text of a repeated name takes precedence", () => {
  expect(lastText(["1", "2"])).toBe("2");
  expect(lastText("1")).toBe("1");
});

test("any text is accepted, percent-encoded or as it is", () => {
  const text = "naïve – 日本語 🦜\n\t+%&=";
  expect(parse(new URLSearchParams({ [text]: text }).toString())?.[text]).toBe(text);
  expect(parse("a=naïve 日本語 🦜")?.a).toBe("naïve 日本語 🦜");
  const long = "é".repeat(100_000);
  expect(parse(`a=${encodeURIComponent(long)}`)?.a).toBe(long);
});

test("a special name of JavaScript is an ordinary name", () => {
  expect(parse("__proto__=1&constructor=2")).toMatchObject({ constructor: "2" });
  expect(parse("a=1")?.toString).toBeUndefined();
});

test("bytes that are not valid text stay as they were sent", () => {
  expect(parse("a=%ff&b=%ED%A0%80&c=%&d=%4&e=%zz+%41")).toMatchObject({
    a: "%ff",
    b: "%ED%A0%80",
    c: "%",
    d: "%4",
    e: "%zz %41",
  });
});

test("a form with more fields than any endpoint has is refused", () => {
  expect(parse("a&".repeat(MAX_FIELDS))).toBeDefined();
  expect(parse("a&".repeat(MAX_FIELDS + 1))).toBeUndefined();
});
