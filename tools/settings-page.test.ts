/** docs/settings.md has a row for each declared setting, and tests for each that the server acts by. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { organizationPermissions } from "../api/administration/organization-permissions.ts";
import { organizationSettings } from "../api/administration/organization-settings.ts";
import { userSettings } from "../api/people/user-settings.ts";

const docs = fileURLToPath(new URL("../docs", import.meta.url));
const sections = readFileSync(path.join(docs, "settings.md"), "utf8").split("\n## ").slice(1);

interface Row {
  name: string;
  effect: string;
  more: string;
}

const rowsOf = (section: string): Row[] =>
  [...section.matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) ?\|$/gm)].map(
    ([, name = "", effect = "", more = ""]) => ({
      name,
      effect,
      more,
    }),
  );

describe.each([
  ["The organization", organizationSettings],
  ["Permissions of the organization", organizationPermissions],
  ["People", userSettings],
])("%s", (title, declared) => {
  const rows = rowsOf(sections.find((section) => section.startsWith(`${title}\n`)) ?? "");
  const keys = new Map(Object.entries(declared).map(([key, { name }]) => [name as string, key]));

  test("has a row for each setting, and for nothing else", () => {
    expect(rows.map(({ name }) => name)).toEqual([...keys.keys()]);
  });

  test.each(rows.map((row) => [row.name, row] as const))(
    "%s says where its effect lies",
    (name, { effect, more }) => {
      expect(["server", "clients", "later"]).toContain(effect);
      const tests = [...more.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => path.join(docs, link));
      expect(tests.length > 0, "tests are linked for what the server does").toBe(effect === "server");
      expect(more !== "", "only what clients do needs no more words").toBe(effect !== "clients");
      const words = new RegExp(`\\b(${name}|${keys.get(name)})\\b`);
      for (const file of tests) {
        expect(existsSync(file), file).toBe(true);
        expect(file).toMatch(/\.test\.ts$/);
        expect(words.test(readFileSync(file, "utf8")), `${file} mentions ${name}`).toBe(true);
      }
    },
  );
});
