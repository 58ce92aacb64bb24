import { expect, test } from "vitest";
import { userSettings } from "../../../api/people/user-settings.ts";
import { densityOf, lookOf } from "./look.ts";

const usual = {
  fontSizePx: userSettings.webFontSizePx.default,
  lineHeightPercent: userSettings.webLineHeightPercent.default,
  hasMoreContrast: false,
  isFullWidth: false,
};

test("an account that has changed nothing has the usual look", () => {
  expect(lookOf(usual)).toEqual({ text: 1, data: {} });
});

test("the size of texts grows with the setting, and attributes say the rest", () => {
  const look = lookOf({ fontSizePx: 20, lineHeightPercent: 140, hasMoreContrast: true, isFullWidth: true });
  expect(look).toEqual({ text: 1.429, data: { density: "comfortable", contrast: "more", width: "full" } });
});

test.each([
  [100, "compact"],
  [112, "compact"],
  [113, "usual"],
  [122, "usual"],
  [131, "usual"],
  [132, "comfortable"],
  [200, "comfortable"],
] as const)("a line height of %i per cent is %s", (percent, density) => {
  expect(densityOf(percent)).toBe(density);
});
