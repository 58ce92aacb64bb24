import { readdirSync, readFileSync } from "node:fs";
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
  const largest = Math.max(...Object.values(sizes.languages));
  expect(sizes.allScript + largest).toBeLessThanOrEqual(400 * KB);
  expect(largest).toBeLessThanOrEqual(32 * KB);
  expect(sizes.css).toBeLessThanOrEqual(25 * KB);
  expect(sizes.html).toBeLessThanOrEqual(6 * KB);
});

const laterText = () => {
  const { firstFiles } = readSizes(folder);
  return readdirSync(`${folder}assets`)
    .filter((name) => name.endsWith(".js") && !firstFiles.includes(`assets/${name}`))
    .map((name) => readFileSync(`${folder}assets/${name}`, "utf8"))
    .join("\n");
};

const firstText = () =>
  readSizes(folder)
    .firstFiles.map((file) => readFileSync(`${folder}${file}`, "utf8"))
    .join("\n");

test("the first screen comes without the renderer, and nothing has the schema library", () => {
  const text = firstText();
  // The name of an emoji, and the names of the library's marks.
  expect(text).not.toContain("thumbs_up");
  expect(text).not.toMatch(/additionalProperties|~kind/);
});

// For each part a text that only it has.
test.each([
  ["what draws polls and lists of tasks", "new_task_list_title"],
  ["what completes a text", "c++.css.diff"],
  ["what reads formatted text that is pasted", "docs-internal"],
  ["what reads and writes searches", "images:`image`"],
  ["what is noticed, and who is there", "setAppBadge"],
  ["what asks before a message is deleted", "createReminder"],
  ["settings that only their own screen reads", "enable_login_emails"],
  ["texts of the help", "Newest message"],
  ["what the banner says", "There is a new version of this page."],
])("the first screen comes without %s", (_what, text) => {
  expect(firstText()).not.toContain(text);
  expect(laterText()).toContain(text);
});
