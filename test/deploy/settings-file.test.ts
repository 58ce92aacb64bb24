import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../server/config.ts";

const file = path.resolve(import.meta.dirname, "../../deploy/systemd/parley.env");
const lines = readFileSync(file, "utf8").split("\n");
const settings = lines.flatMap((line) => /^#?([A-Z_]+)=(.+)$/.exec(line)?.slice(1) ?? []);

test("the example of a file of settings has settings that exist and fit together", () => {
  const pairs = Array.from({ length: settings.length / 2 }, (_, i) => settings.slice(2 * i, 2 * i + 2));
  expect(pairs.length).toBeGreaterThan(5);
  const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/running.md"), "utf8");
  for (const [name] of pairs) expect(page).toContain(`\`${name}\``);
  // Files that the operator makes.
  const dir = mkdtempSync(path.join(os.tmpdir(), "parley-settings-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const secrets = path.join(dir, "secret");
  writeFileSync(secrets, "a-long-and-random-text");
  const values = pairs.map(([name, value]) => [name, value?.replace(/^@.*/, `@${secrets}`)]);
  expect(() => readConfig(Object.fromEntries(values))).not.toThrow();
});
