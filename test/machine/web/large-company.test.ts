import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { sql } from "../../../server/platform/db/sql.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayMany, sayToPeople } from "./seed.ts";

const browser = useBrowser();

const optionsOf = (page: Page) => page.getByRole("dialog").getByRole("option");

test("the switcher has channels and people by their first letters, then what was visited, then topics", async () => {
  const { harness, open } = browser.world;
  await harness.channel("incidents", ["dev", "elin"]);
  const office = await harness.channel("office", ["dev", "elin"]);
  for (let at = 1; at <= 9; at++) await say(harness, "elin", office.id, `income ${at}`, "So much");
  const client = await open("dev", { hash: `#narrow/channel/${office.id}/topic/income.204` });
  const { page } = client;
  await page.getByText("So much").first().waitFor();
  const kept = () =>
    page.evaluate(
      () => Object.entries(localStorage).find(([key]) => key.startsWith("parley.visits"))?.[1] ?? "",
    );
  await expect.poll(kept).toContain("income");
  await page.keyboard.press("Shift+I");
  await page.keyboard.press("Control+k");
  // What was visited last stands first, without a text.
  await expect.poll(() => optionsOf(page).first().textContent()).toContain("income 4");
  await page.keyboard.type("inc");
  await expect.poll(() => optionsOf(page).first().textContent()).toContain("incidents");
  const texts = await optionsOf(page).allTextContents();
  expect(texts[1]).toContain("income 4");
  await client.checkAccessibility();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "incidents", level: 1 }).waitFor();
  // What is searched for is not kept.
  await page.goto(`${page.url().split("#")[0]}#narrow/search/secret`);
  await client.settled();
  await page.keyboard.press("d");
  await expect.poll(kept).toContain("#drafts");
  expect(await kept()).not.toContain("secret");
  client.expectProblems(/^shift:/);
  await client.finish();
});

test("the list has five direct conversations, and says how many others there are and what is unread", async () => {
  const { harness, open } = browser.world;
  const dev = harness.user("dev").id;
  const others = ["ada", "ben", "cleo", "elin", "gus"] as const;
  for (const name of others) await sayToPeople(harness, name, [dev], `Hello of ${name}`);
  const pairs = [
    ["ada", "ben"],
    ["ada", "cleo"],
  ] as const;
  for (const [from, too] of pairs) {
    await sayToPeople(harness, from, [dev, harness.user(too).id], "To both");
  }
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  const list = page.getByRole("navigation");
  const rows = () => list.locator('section:has(h2:has-text("Direct messages")) li').count();
  await expect.poll(rows).toBe(5);
  const more = list.getByRole("button", { name: /2 more conversations.*2 unread messages/ });
  await more.click();
  await expect.poll(rows).toBe(7);
  await list.getByRole("button", { name: "Show fewer" }).click();
  await expect.poll(rows).toBe(5);
  // The inbox has as many, each with its last line and time.
  const main = page.getByRole("main");
  const direct = main.locator('.inbox-row[href*="/dm/"]');
  await expect.poll(() => direct.count()).toBe(5);
  await main.getByText("To both").first().waitFor();
  expect(await direct.locator("time").count()).toBe(5);
  await main.getByRole("button", { name: "Show 2 more of 2" }).click();
  await expect.poll(() => direct.count()).toBe(7);
  client.expectProblems(/^shift:/);
  await client.finish();
});

test("what is unread is counted up to 999, and all that is older than today is read at once", async () => {
  const { harness, open } = browser.world;
  await expectSuccess(harness.as("dev").post("/mark_all_as_read"));
  const flood = await harness.channel("flood", ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", flood.id, "rain", 1100);
  const newest = ids.at(-1) ?? 0;
  await harness.services.database.query(
    sql`update messages set sent_at = sent_at - interval '2 days' where id < ${newest}`,
  );
  const client = await open("dev", { hash: "#inbox", language: "en" });
  const { page } = client;
  const counts = () => page.locator(".count:not(.quiet)").allTextContents();
  await expect
    .poll(async () => (await counts()).filter((text) => text.trim() === "999+").length)
    .toBeGreaterThan(2);
  expect((await counts()).filter((text) => /\d{4}/.test(text))).toEqual([]);
  await page
    .getByRole("link", { name: /999\+ unread messages/ })
    .first()
    .waitFor();
  expect(await page.title()).toMatch(/^\(999\+\)/);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Actions for Inbox" }).click();
  await page.getByRole("menuitem", { name: "Mark everything before today as read…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/1,099 messages/).waitFor();
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Mark as read" }).click();
  await dialog.waitFor({ state: "detached" });
  await main.getByRole("link", { name: /^rain.*1 unread message/ }).waitFor();
  client.expectProblems(/^shift:/);
  await client.finish();
}, 240_000);
