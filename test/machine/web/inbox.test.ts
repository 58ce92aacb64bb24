import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayToPeople } from "./seed.ts";

const browser = useBrowser();

beforeEach(async () => {
  await expectSuccess(browser.world.harness.as("dev").post("/mark_all_as_read"));
});

const main = (page: Page) => page.getByRole("main");
const rowOf = (page: Page, name: string | RegExp) => main(page).getByRole("link", { name });
const namesOf = (page: Page) => main(page).locator(".inbox-row > bdi").allTextContents();

test("a line is marked as read, followed and muted in its place, by pointer and by keys", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("triage", ["dev", "elin"], { isPrivate: true });
  for (const topic of ["one", "two", "three", "four"]) await say(harness, "elin", channel.id, topic, topic);
  await sayToPeople(harness, "elin", [harness.user("dev").id], "For you");
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  expect(await namesOf(page)).toEqual(["Elin Berg", "four", "three", "two", "one"]);
  const heading = main(page).getByRole("heading", { name: "triage" });
  expect(await heading.getByRole("link").getAttribute("href")).toContain("triage");
  await rowOf(page, /^two/).hover();
  await main(page).getByRole("button", { name: "Follow two" }).click();
  // What is followed comes first.
  await expect.poll(() => namesOf(page)).toEqual(["Elin Berg", "two", "four", "three", "one"]);
  await client.checkAccessibility();
  await rowOf(page, /^four/).hover();
  await main(page).getByRole("button", { name: "Mute four" }).click();
  await rowOf(page, /^four/).waitFor({ state: "detached" });
  // By keys: the arrow to the side leads to the actions, and the focus goes on to the next line.
  await rowOf(page, /^three/).focus();
  await main(page).getByRole("button", { name: "Mark three as read" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await rowOf(page, /^three/).waitFor({ state: "detached" });
  await expect.poll(() => rowOf(page, /^one/).evaluate((one) => one === document.activeElement)).toBe(true);
  await rowOf(page, /^Elin Berg/).hover();
  await main(page).getByRole("button", { name: "Mark Elin Berg as read" }).click();
  await expect.poll(() => namesOf(page)).toEqual(["two", "one"]);
  await rowOf(page, /^one/).hover();
  await main(page).getByRole("button", { name: "Actions for one" }).click();
  await page.getByRole("menu", { name: "Actions for the topic one" }).waitFor();
  await page.keyboard.press("Escape");
  await heading.hover();
  await main(page).getByRole("button", { name: "Mark triage as read" }).click();
  await page.getByText("You’re all caught up.").waitFor();
  client.expectProblems(/^shift:/);
  await client.finish();
});

test("channels with mentions come first, and what is folded stays so", async () => {
  const { harness, open } = browser.world;
  const calm = await harness.channel("a calm one", ["dev", "elin"]);
  const loud = await harness.channel("z loud one", ["dev", "elin"]);
  await say(harness, "elin", calm.id, "tea", "Tea");
  await say(harness, "elin", loud.id, "fire", "Smoke");
  await say(harness, "elin", loud.id, "alarm", `@**Dev Rao|${harness.user("dev").id}** it burns`);
  await say(harness, "elin", loud.id, "ashes", "Gone");
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  expect(await namesOf(page)).toEqual(["alarm", "ashes", "fire", "tea"]);
  const fold = main(page).getByRole("button", { name: "Conversations of z loud one" });
  await fold.click();
  await expect.poll(() => namesOf(page)).toEqual(["tea"]);
  await page.reload();
  await client.settled();
  expect(await namesOf(page)).toEqual(["tea"]);
  expect(await fold.getAttribute("aria-expanded")).toBe("false");
  // The keys go through headings whose lines are folded away, and open them.
  await page.keyboard.press("j");
  await expect.poll(() => fold.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  await expect.poll(() => namesOf(page)).toEqual(["alarm", "ashes", "fire", "tea"]);
  await page.keyboard.press("j");
  await expect.poll(() => rowOf(page, /^alarm/).evaluate((one) => one === document.activeElement)).toBe(true);
  await expectSuccess(harness.as("dev").post("/mark_all_as_read"));
  await page.getByText("You’re all caught up.").waitFor();
  client.expectProblems(/^shift:/);
  await client.finish();
});

test("of many conversations, channels are folded and long lists are cut", async () => {
  const { harness, open } = browser.world;
  const ids = [];
  for (const name of ["north", "south", "west"]) {
    const { id } = await harness.channel(name, ["dev", "elin"]);
    ids.push(id);
  }
  for (const id of ids) {
    const topics = Array.from({ length: 25 }, (_one, at) => `topic ${at}`);
    await Promise.all(topics.map((topic) => say(harness, "elin", id, topic, "Hello")));
  }
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  expect(await namesOf(page)).toEqual([]);
  await main(page).getByRole("button", { name: "Conversations of south" }).click();
  await expect.poll(async () => (await namesOf(page)).length).toBe(20);
  await main(page).getByRole("button", { name: "Show 5 more of 5" }).click();
  await expect.poll(async () => (await namesOf(page)).length).toBe(25);
  await client.finish();
});

test("the inbox is filtered by a text, and shows the last message that is known", async () => {
  const { harness, open } = browser.world;
  const cave = await harness.channel("cave", ["dev", "elin"]);
  const hill = await harness.channel("hill", ["dev", "elin"]);
  await say(harness, "elin", cave.id, "bats", "They **sleep** <now> &c");
  await say(harness, "elin", hill.id, "wind", "Strong");
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  client.expectProblems(/^shift:/);
  const field = page.getByRole("textbox", { name: "Filter the inbox" });
  await field.fill("cav");
  await expect.poll(() => namesOf(page)).toEqual(["bats"]);
  await field.press("ArrowDown");
  await expect.poll(() => rowOf(page, /^bats/).evaluate((one) => one === document.activeElement)).toBe(true);
  await field.fill("no such thing");
  await page.getByText("No conversation matches.").waitFor();
  await field.press("Escape");
  await expect.poll(() => namesOf(page)).toEqual(["bats", "wind"]);
  // The feed has brought the messages, and now their lines are there.
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await page.getByRole("table").waitFor();
  await page.keyboard.press("Shift+I");
  await main(page).getByText("Elin Berg: They sleep <now> &c").waitFor();
  await client.checkAccessibility();
  await client.finish();
});

test("the time of a line makes room for its actions", async () => {
  const { harness, open } = browser.world;
  await sayToPeople(harness, "elin", [harness.user("dev").id], "When?");
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  const row = rowOf(page, /^Elin Berg/);
  const time = row.locator("time");
  await time.waitFor();
  await row.hover();
  await main(page).getByRole("button", { name: "Mark Elin Berg as read" }).waitFor();
  await expect.poll(() => time.isVisible()).toBe(false);
  await page.mouse.move(0, 0);
  await expect.poll(() => time.isVisible()).toBe(true);
  await client.finish();
});
