import { expect, test } from "vitest";
import { lastText, MAX_FIELDS, parseForm } from "./form.ts";

test("a form is read into texts by name", () => {
  expect({ ...parseForm("a=1&b=x%20y&c&d=1&d=2&=e") }).toEqual({
    a: "1",
    b: "x y",
    c: "",
    d: ["1", "2"],
    "": "e",
  });
});

test("of several texts under one name the last counts", () => {
  expect(lastText(["1", "2"])).toBe("2");
  expect(lastText("1")).toBe("1");
});

test("bytes that are no text stay as they were written", () => {
  expect(parseForm("a=%ff&b=%ED%A0%80&c=%")).toMatchObject({ a: "%ff", b: "%ED%A0%80", c: "%" });
});

test("a form with more names than any endpoint has is not read", () => {
  expect(parseForm("a&".repeat(MAX_FIELDS - 1))).toBeDefined();
  expect(parseForm("a&".repeat(MAX_FIELDS))).toBeUndefined();
});
