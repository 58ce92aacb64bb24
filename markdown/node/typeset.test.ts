import { expect, test, vi } from "vitest";
import { typeset } from "./typeset.ts";

test("a formula is typeset in a line or on its own", () => {
  expect(typeset("x^2", false)).toMatch(/^<span class="katex"><span class="katex-mathml">/);
  expect(typeset("x^2", true)).toMatch(/^<span class="katex-display"><span class="katex">/);
});

test("a formula that does not parse, or is too long or too deep, gives nothing", () => {
  expect(typeset("\\frac{", false)).toBeNull();
  expect(typeset("x".repeat(1501), false)).toBeNull();
  expect(typeset(`\\def\\a{b}${"x".repeat(300)}`, false)).toBeNull();
  expect(typeset("\\def\\a{\\a\\a}\\a", false)).toBeNull();
});

test("a formula that is moved far from its place gives nothing", () => {
  for (const tex of [
    "\\kern{-1000em}x",
    "\\kern{-30em}\\kern{-30em}x",
    "\\rule[-1000em]{1em}{1em}",
    "\\raisebox{-1000em}{x}",
  ]) {
    expect(typeset(tex, true), tex).toBeNull();
  }
  for (const tex of ["\\!\\!\\kern{-1em}x", "\\text{a-100em}"])
    expect(typeset(tex, true), tex).not.toBeNull();
});

test("a macro does not outlive its formula", () => {
  expect(typeset("\\gdef\\mine{7}\\mine", false)).toContain("7");
  expect(typeset("\\mine", false)).toBeNull();
});

test("characters without metrics are not reported to the console", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  expect(typeset("\\text{😀}", false)).toContain("😀");
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});
