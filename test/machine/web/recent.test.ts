import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayToPeople } from "./seed.ts";

const browser = useBrowser();

const table = (page: Page) => page.getByRole("table", { name: "Recent conversations" });
const rowOf = (page: Page, name: string | RegExp) => table(page).getByRole("row", { name });
const namesOf = (page: Page) => table(page).locator(".recent-name").allTextContents();
const isFocused = (page: Page, name: RegExp) =>
  table(page)
    .getByRole("link", { name })
    .evaluate((one) => one === document.activeElement);

test("recent conversations are a table that is sorted and filtered", async () => {
  const { harness, open } = browser.world;
  const tea = await harness.channel("tea room", ["dev", "elin"], { isPrivate: true });
  const pool = await harness.channel("pool", ["dev", "elin"]);
  await say(harness, "elin", tea.id, "cups", `@**Dev Rao|${harness.user("dev").id}** two cups`);
  await say(harness, "dev", pool.id, "water", "Cold");
  await say(harness, "elin", pool.id, "water", "Indeed");
  await sayToPeople(harness, "elin", [harness.user("dev").id], "For you alone");
  const { channel_folder_id } = (await expectSuccess(
    harness.as("ada").post("/channel_folders/create", { name: "Leisure", description: "" }),
  )) as { channel_folder_id: number };
  await expectSuccess(harness.as("ada").patch(`/streams/${pool.id}`, { folder_id: channel_folder_id }));
  const client = await open("dev", { hash: "#recent" });
  const { page } = client;
  // The service writes into a channel that is put into a folder.
  await expect.poll(() => namesOf(page)).toEqual(["channel events", "Elin Berg", "water", "cups"]);
  // A conversation of two is named once, and the columns stand where they stand.
  const direct = rowOf(page, /^Elin Berg/);
  expect(((await direct.textContent()) ?? "").match(/Elin Berg/g)).toHaveLength(1);
  const edges = await table(page)
    .locator("tbody .recent-time")
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().x));
  expect(new Set(edges).size).toBe(1);
  // What is unread looks so, and a mention has its sign.
  await expect.poll(() => rowOf(page, /cups.*Mentions/).count()).toBe(1);
  const weightOf = (name: string) =>
    table(page)
      .locator(".recent-name", { hasText: name })
      .evaluate((one) => getComputedStyle(one).fontWeight);
  expect(await weightOf("cups")).toBe("600");
  await client.checkAccessibility();
  const header = (name: string) => table(page).getByRole("columnheader", { name });
  expect(await header("Newest").getAttribute("aria-sort")).toBe("descending");
  await header("Conversation").getByRole("button").click();
  expect(await header("Conversation").getAttribute("aria-sort")).toBe("ascending");
  await expect.poll(() => namesOf(page)).toEqual(["channel events", "cups", "Elin Berg", "water"]);
  await header("Conversation").getByRole("button").click();
  await expect.poll(async () => (await namesOf(page))[0]).toBe("water");
  await header("Newest").getByRole("button").click();
  // By text, from the field into the rows.
  const field = page.getByRole("textbox", { name: "Filter the conversations" });
  await field.fill("pool");
  await expect.poll(() => namesOf(page)).toEqual(["channel events", "water"]);
  await field.press("ArrowDown");
  await expect.poll(() => isFocused(page, /channel events/)).toBe(true);
  await field.focus();
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await namesOf(page)).length).toBeGreaterThan(2);
  await page.getByRole("combobox", { name: "Channel folder" }).selectOption("Leisure");
  await expect.poll(() => namesOf(page)).toEqual(["channel events", "water"]);
  // It is as it was left.
  await page.locator("main h1").click();
  await page.keyboard.press("Shift+I");
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  await page.goBack();
  await expect.poll(() => namesOf(page)).toEqual(["channel events", "water"]);
  client.expectProblems(/^shift:/);
  await client.finish();
});

test("a row of recent conversations is read, followed, resolved and muted in its place", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("rows at work", ["dev", "elin"]);
  for (const topic of ["red", "green", "blue"]) await say(harness, "elin", channel.id, topic, topic);
  await sayToPeople(harness, "elin", [harness.user("dev").id], "Hi");
  const client = await open("dev", { hash: "#recent" });
  const { page } = client;
  client.expectProblems(/^shift:/);
  const button = (name: string) => table(page).getByRole("button", { name, exact: true });
  // By keys: the arrow to the side goes to the buttons. The focus stays in the row.
  await table(page).getByRole("link", { name: /green/ }).focus();
  await button("Mark green as read").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await button("Mark green as read").waitFor({ state: "detached" });
  await expect.poll(() => isFocused(page, /green/)).toBe(true);
  expect(await namesOf(page)).toContain("green");
  await rowOf(page, /red/).hover();
  await button("Follow red").click();
  await rowOf(page, /red.*followed/).waitFor();
  await button("Mark red as resolved").click();
  await rowOf(page, /✔ red/).waitFor();
  await rowOf(page, /blue/).hover();
  await button("Mute blue").click();
  await rowOf(page, /blue/).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Muted too" }).click();
  await rowOf(page, /blue.*muted/).waitFor();
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Muted too" }).click();
  await rowOf(page, /^Elin Berg/).hover();
  await button("Mark Elin Berg as read").click();
  await button("Mark Elin Berg as read").waitFor({ state: "detached" });
  await table(page).getByRole("link", { name: /green/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /green/, level: 1 }).waitFor();
  await client.finish();
});

test.each([
  ["light", 1280],
  ["dark", 1280],
  ["light", 390],
] as const)("recent conversations and the inbox fit a %s screen of %i pixels", async (theme, width) => {
  const { open } = browser.world;
  const client = await open("dev", { hash: "#recent", theme, width, isTouch: width < 500 });
  const { page } = client;
  await table(page).waitFor();
  const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(await isWide()).toBe(false);
  await client.checkAccessibility();
  await page.goto(`${page.url().replace(/#.*/, "")}#inbox`);
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  expect(await isWide()).toBe(false);
  client.expectProblems(/^shift:/);
  await client.finish();
});
