import { expect, test } from "vitest";
import { closest } from "./suggest.ts";

const names = ["serve", "demo", "organization create", "user create", "api-key", "send", "tail", "doctor"];

test.each([
  ["sreve", "serve"],
  ["dem", "demo"],
  ["docter", "doctor"],
  ["apikey", "api-key"],
  ["tial", "tail"],
  ["organization", "organization create"],
])("for '%s' the command '%s' is suggested", (written, meant) => {
  expect(closest(written, names)).toBe(meant);
});

test("a word that resembles no command gets no suggestion", () => {
  expect(closest("frobnicate", names)).toBeUndefined();
  expect(closest("x", names)).toBeUndefined();
});
