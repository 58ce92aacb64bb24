import { expect, test } from "vitest";
import { textSizes } from "./text-sizes.js";

/** What the build makes of a declaration. */
function built(prop: string, value: string): string {
  const declaration = { prop, value };
  const plugin = textSizes();
  plugin.Declaration(declaration);
  plugin.Declaration(declaration);
  return declaration.value;
}

test("sizes of text are multiplied by the account's setting, once", () => {
  expect(built("font-size", "13.5px")).toBe("calc(13.5px * var(--text))");
  expect(built("font", "13px / 20px var(--mono)")).toBe(
    "calc(13px * var(--text)) / calc(20px * var(--text)) var(--mono)",
  );
});

test("other lengths, and sizes that follow other texts, stay as they are", () => {
  expect(built("width", "13px")).toBe("13px");
  expect(built("font-size", "1.2em")).toBe("1.2em");
  expect(built("font", "var(--size) / var(--leading) var(--font)")).toBe(
    "var(--size) / var(--leading) var(--font)",
  );
});
