import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { endpoints } from "./index.ts";

const files = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" }).map((file) =>
  path.basename(file),
);
const subjects = [...new Set(endpoints.map(({ subject }) => subject))];

test.each(subjects)("the tag %s names the file that declares its subject", (subject) => {
  const file = `${subject.toLowerCase().replaceAll(" ", "-")}.ts`;
  expect(files).toContain(file);
});

test("the endpoints of a subject stand together", () => {
  const runs = endpoints.filter(({ subject }, index) => subject !== endpoints[index - 1]?.subject);
  expect(runs.map(({ subject }) => subject)).toEqual(subjects);
});
