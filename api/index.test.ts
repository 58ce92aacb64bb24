import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "./index.ts";

const subjects = [...new Set(endpoints.map(({ subject }) => subject))];

test.each(subjects)("the tag %s names the file that declares its subject", (subject) => {
  const file = `${subject.toLowerCase().replaceAll(" ", "-")}.ts`;
  expect(existsSync(new URL(file, import.meta.url)), file).toBe(true);
});

test("the endpoints of a subject stand together", () => {
  const runs = endpoints.filter(({ subject }, index) => subject !== endpoints[index - 1]?.subject);
  expect(runs.map(({ subject }) => subject)).toEqual(subjects);
});
