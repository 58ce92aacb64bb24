import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "../../api/index.ts";

test("the calls that docs/clients.md lists as missing are missing", () => {
  const page = readFileSync(new URL("../../docs/clients.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| `((?:GET|POST|PUT|PATCH|DELETE) [^`]+)` \|/gm)].map(
    ([, call]) => call,
  );
  expect(page).toContain("## Calls that these programs make, and that are missing");
  const built = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(listed.filter((call) => built.includes(call ?? ""))).toEqual([]);
});
