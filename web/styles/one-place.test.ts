/** Sheets are joined into one, so two rules for one class would shape the same elements together. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("a class that stands alone has its rule in one sheet", () => {
  const places = new Map<string, Set<string>>();
  for (const sheet of readdirSync(import.meta.dirname).filter((name) => name.endsWith(".css"))) {
    const text = readFileSync(new URL(sheet, import.meta.url), "utf8");
    // What is adjusted for touch has its rule elsewhere. A list of selectors says that it is shared.
    if (sheet === "touch.css") continue;
    for (const [, name = ""] of text.matchAll(/(?<!,\n)^\.([\w-]+) \{$/gm))
      places.set(name, (places.get(name) ?? new Set()).add(sheet));
  }
  const several = [...places].filter(([, sheets]) => sheets.size > 1);
  expect(several.map(([name, sheets]) => `${name}: ${[...sheets].join(", ")}`)).toEqual([]);
});
