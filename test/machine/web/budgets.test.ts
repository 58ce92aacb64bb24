import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { readSizes } from "../../../bench/harness/web-sizes.ts";
import { buildClient } from "./build.ts";

const KB = 1024;
const folder = fileURLToPath(new URL("../../../dist/web/", import.meta.url));

beforeAll(buildClient, 300_000);

test("what the first screen needs is small", () => {
  const sizes = readSizes(folder);
  expect(sizes.firstScript).toBeLessThanOrEqual(90 * KB);
  expect(sizes.allScript).toBeLessThanOrEqual(350 * KB);
  expect(sizes.css).toBeLessThanOrEqual(25 * KB);
  expect(sizes.html).toBeLessThanOrEqual(6 * KB);
});

test("the first screen comes without the renderer, and nothing has the schema library", () => {
  const text = readSizes(folder)
    .firstFiles.map((file) => readFileSync(`${folder}${file}`, "utf8"))
    .join("\n");
  // The name of an emoji, and the names of the library's marks.
  expect(text).not.toContain("thumbs_up");
  expect(text).not.toMatch(/additionalProperties|~kind/);
});
