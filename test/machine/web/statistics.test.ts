import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { countSome } from "../../../server/administration/statistics/count.ts";
import { sql } from "../../../server/platform/db/sql.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { readArchive } from "../../harness/archive.ts";
import { CAST_PASSWORD } from "../../harness/cast.ts";
import { runJobs } from "../../harness/jobs.ts";
import { makeProofsOld } from "../../harness/proofs.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();
/** For somebody who wants to look at the screens. */
const pictures = process.env.STATISTICS_PICTURES;

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 1280, height: 1800 });
  await page.screenshot({ path: `${pictures}/${name}.png` });
}

const chart = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("statistics say that nobody has counted yet, and then have the figures", async () => {
  const { harness, open } = browser.world;
  const client = await open("ada", { hash: "#organization/statistics" });
  const { page } = client;
  await page.getByText("Not counted yet").waitFor();
  await client.checkAccessibility();
  const channel = await harness.channel("soups", ["ada", "dev"]);
  for (let count = 0; count < 3; count++) await say(harness, "dev", channel.id, "lunch", "Leek.");
  const { organizationId } = harness.state;
  while (await countSome(harness.services.database, organizationId));
  await harness.services.database.query(sql`
    insert into statistics_days (organization_id, day, public_messages, private_messages, direct_messages,
      active_people, active_people_7_days, active_people_28_days, public_channels, private_channels,
      archived_channels, upload_bytes)
    select ${organizationId}, current_date - d, 20 + d * 3 % 17, d * 7 % 11, d % 5, 4 + d % 3, 8, 9, 5, 2, 1,
      3000000 - d * 5000
    from generate_series(1, 399) as d on conflict do nothing`);
  await page.reload();
  await page.getByText("Counted up to").waitFor();
  await client.settled();
  const messages = chart(page, "Messages");
  await messages.getByRole("img", { name: "Messages" }).waitFor();
  expect(await messages.locator("rect").count()).toBeGreaterThan(28);
  await client.checkAccessibility();
  await picture(page, "statistics-light");
  // By keys alone: the table is the other form of the picture.
  await messages.getByText("As a table").focus();
  await page.keyboard.press("Enter");
  expect(await messages.getByRole("row").count()).toBe(29);
  await messages.getByRole("columnheader", { name: "Direct messages" }).waitFor();
  const byChannel = page.getByRole("region", { name: "Messages by channel" });
  await byChannel.getByRole("row", { name: /soups/ }).getByRole("cell", { name: "3" }).waitFor();
  await page.getByRole("combobox", { name: "Time" }).selectOption("12 weeks, by week");
  await expect
    .poll(() => chart(page, "Active people").getByRole("row", { includeHidden: true }).count())
    .toBe(13);
  await page.getByRole("combobox", { name: "Time" }).selectOption("12 months, by month");
  await chart(page, "Active people, in 28 days at the end of the month").waitFor();
  client.expectProblems(/^shift/);
  await client.finish();
});

test.each([
  ["dark", { theme: "dark" as const }],
  ["phone", { width: 390 }],
  ["german", { language: "de" }],
])("the statistics can be read %s", async (name, options) => {
  const client = await browser.world.open("ada", { hash: "#organization/statistics", ...options });
  await client.page.locator("rect[data-series]").first().waitFor();
  const wide = await client.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await picture(client.page, `statistics-${name}`);
  client.expectProblems(/^shift/);
  await client.finish();
});

test("colours that the person forces are kept, and each part of a bar has its own", async () => {
  const client = await browser.world.open("ada", { hash: "#organization/statistics" });
  await client.page.locator("rect[data-series]").first().waitFor();
  await client.page.emulateMedia({ forcedColors: "active" });
  const bars = chart(client.page, "Messages").locator("rect[data-series]");
  const fills = await bars.evaluateAll((all) => [...new Set(all.map((bar) => getComputedStyle(bar).fill))]);
  expect(fills).toHaveLength(3);
  await picture(client.page, "statistics-forced");
  client.expectProblems(/^shift/);
  await client.finish();
});

test("members see no statistics", async () => {
  const client = await browser.world.open("dev", { hash: "#organization/statistics" });
  expect(await client.page.getByRole("link", { name: "Statistics" }).count()).toBe(0);
  client.expectProblems(/^shift/);
  await client.finish();
});

test("a person asks for their data, shows who they are, and downloads it", async () => {
  const { harness, open } = browser.world;
  await makeProofsOld(harness);
  const client = await open("dev", { hash: "#settings/own-data" });
  const { page } = client;
  await page.getByText("You have no copy of your data.").waitFor();
  await makeProofsOld(harness);
  client.expectProblems(/40[0-9]|^shift/);
  await page.getByRole("button", { name: "Ask for a copy" }).click();
  const question = page.getByRole("dialog");
  await question
    .getByRole("textbox")
    .or(question.locator("input[type=password]"))
    .first()
    .fill(CAST_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("Your copy is being made").waitFor();
  await picture(page, "own-data-pending");
  await runJobs(harness.services);
  await page.getByText(/Your copy of .* is ready/).waitFor();
  await client.checkAccessibility();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^parley-own-data-.*\.tar\.gz$/);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const { records } = await readArchive(Buffer.concat(chunks));
  expect(records.account).toMatchObject([{ email: "dev@demo.test" }]);
  await picture(page, "own-data-ready");
  await page.getByRole("button", { name: "Delete the file" }).click();
  await page.getByText(/Your copy of .* was deleted/).waitFor();
  const { copy } = await expectSuccess(harness.as("dev").get("/users/me/data_copy"));
  expect(copy.status).toBe("deleted");
  await client.finish();
});
