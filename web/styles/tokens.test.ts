/** The contrast of every pair of tokens that is used together, as WCAG 2.2 counts it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const sheet = readFileSync(new URL("tokens.css", import.meta.url), "utf8");

const grounds = ["bg", "rail", "raised", "hover"];
/** Text, and the grounds on which it is. */
const texts: readonly (readonly [string, readonly string[]])[] = [
  ["fg", [...grounds, "sel", "mention-row"]],
  ["fg2", [...grounds, "sel", "mention-row"]],
  ["fg3", ["bg", "rail", "raised"]],
  ["link", [...grounds, "mention-row"]],
  ["ok", ["bg", "raised"]],
  ["warn", ["bg", "raised"]],
  ["bad", ["bg", "raised"]],
  ["acc-fg", ["acc"]],
  ["mention-fg", ["mention"]],
];
/** Edges of controls, marks and the ring of the focus. */
const edges: readonly (readonly [string, readonly string[]])[] = [
  ["ctl", ["bg", "rail", "raised"]],
  ["acc", ["bg", "rail", "raised"]],
];
/** They say nothing by themselves. */
const decoration = ["line"];

const hues = Array.from({ length: 72 }, (_one, at) => at * 5);

for (const [theme, selectors] of Object.entries({
  light: [":root"],
  dark: [":root", '[data-theme="dark"]'],
  "light with more contrast": [":root", '[data-contrast="more"]'],
  "dark with more contrast": [":root", '[data-theme="dark"]', '[data-contrast="more"]'],
})) {
  const tokens = tokensOf(selectors);
  const ratioOf = (one: string, other: string) => contrast(luminance(one, tokens), luminance(other, tokens));

  test(`texts can be read, ${theme}`, () => {
    for (const [text, on] of texts)
      for (const ground of on)
        expect(ratioOf(`var(--${text})`, `var(--${ground})`), `${text} on ${ground}`).toBeGreaterThanOrEqual(
          4.5,
        );
  });

  test(`edges and marks can be seen, ${theme}`, () => {
    for (const [edge, on] of edges)
      for (const ground of on)
        expect(ratioOf(`var(--${edge})`, `var(--${ground})`), `${edge} on ${ground}`).toBeGreaterThanOrEqual(
          3,
        );
  });

  test(`signs of channels and initials can be seen in every hue, ${theme}`, () => {
    for (const hue of hues) {
      const sign = `oklch(${tokens.get("channel-l")} ${tokens.get("channel-c")} ${hue})`;
      for (const ground of ["bg", "rail", "sel"])
        expect(ratioOf(sign, `var(--${ground})`), `${hue} on ${ground}`).toBeGreaterThanOrEqual(3);
      expect(ratioOf("oklch(1 0 0)", `oklch(0.5 0.12 ${hue})`), `initials on ${hue}`).toBeGreaterThanOrEqual(
        4.5,
      );
    }
  });
}

test("every colour is in a pair", () => {
  const used = new Set([...[...texts, ...edges].flatMap(([one, on]) => [one, ...on]), ...decoration]);
  const colors = [...tokensOf([":root"])].filter(([, value]) => /^oklch\(/.test(value)).map(([name]) => name);
  expect(colors.filter((name) => !used.has(name))).toEqual([]);
});

/** By name. Later blocks come over earlier ones. */
function tokensOf(selectors: readonly string[]): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const selector of selectors) {
    const start = sheet.indexOf(`${selector} {`);
    expect(start, selector).toBeGreaterThanOrEqual(0);
    const block = sheet.slice(start, sheet.indexOf("\n}", start));
    for (const [, name = "", value = ""] of block.matchAll(/--([\w-]+): ([^;]+);/g)) tokens.set(name, value);
  }
  return tokens;
}

/** Relative luminance of a colour, or of the token that names it. */
function luminance(color: string, tokens: ReadonlyMap<string, string>): number {
  const token = /^var\(--([\w-]+)\)$/.exec(color)?.[1];
  if (token !== undefined) return luminance(tokens.get(token) ?? "", tokens);
  const [, l, c, h] = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(color)?.map(Number) ?? [];
  if (l === undefined || c === undefined || h === undefined) throw new Error(`No colour: ${color}`);
  const [red, green, blue] = linearRgb(
    l,
    c * Math.cos((h * Math.PI) / 180),
    c * Math.sin((h * Math.PI) / 180),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From Oklab to linear sRGB. What a screen can't show is cut off. */
function linearRgb(lightness: number, a: number, b: number): [number, number, number] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const cut = (value: number) => Math.min(1, Math.max(0, value));
  return [
    cut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    cut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    cut(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
