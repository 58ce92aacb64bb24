import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";

const file = path.resolve(import.meta.dirname, "../../deploy/systemd/parley.env");
const lines = readFileSync(file, "utf8").split("\n");
const settings = lines.flatMap((line) => /^#?([A-Z_]+)=(.+)$/.exec(line)?.slice(1) ?? []);

test("the example of a file of settings has settings that exist and fit together", () => {
  const pairs = Array.from({ length: settings.length / 2 }, (_, i) => settings.slice(2 * i, 2 * i + 2));
  expect(pairs.length).toBeGreaterThan(5);
  const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/running.md"), "utf8");
  for (const [name] of pairs) expect(page).toContain(`\`${name}\``);
  expect(() => readConfig(Object.fromEntries(pairs))).not.toThrow();
});
