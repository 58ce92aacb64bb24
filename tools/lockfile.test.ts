import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Lockfile {
  packages: Record<string, { name?: string }>;
}

const { packages } = JSON.parse(
  readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"),
) as Lockfile;

test("no package stands in the place of another (decision 48)", () => {
  // npm writes the name down only where it differs from the folder's.
  const others = Object.entries(packages).filter(([folder, { name }]) => folder !== "" && name !== undefined);
  expect(others).toEqual([]);
});
