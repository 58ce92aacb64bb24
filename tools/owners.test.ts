import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every folder of the server has an owner who is asked for a review", () => {
  const lines = readFileSync(new URL("../.github/CODEOWNERS", import.meta.url), "utf8").split("\n");
  const owned = lines.map((line) => /^(\S+) +@parley\/[a-z]+$/.exec(line)?.[1]);
  const entries = readdirSync(new URL("../server/", import.meta.url), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `/server/${name}/`);
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter((folder) => !owned.includes(folder))).toEqual([]);
});
