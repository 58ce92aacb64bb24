// From the link that a new server prints to the first topic, in Chromium with a server of its own.
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { start, temporaryDirectory } from "../../e2e/parley.ts";
import { findViolations } from "./accessibility.ts";
import { buildClient } from "./build.ts";
import { openChromium } from "./chromium.ts";

const EMAIL = "ida@bakers.test";
const PASSWORD = "rye and spelt";

beforeAll(buildClient, 300_000);

async function openPage(width: number): Promise<{ page: Page; statuses: number[] }> {
  const browser = await openChromium();
  const context = await browser.newContext({ viewport: { width, height: 844 }, locale: "en-GB" });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const statuses: number[] = [];
  page.on("response", (response) => {
    if (response.request().isNavigationRequest()) statuses.push(response.status());
  });
  return { page, statuses };
}

async function fillIn(page: Page, password: string): Promise<void> {
  await page.getByLabel("Name of the organization").fill("Bakers");
  await page.getByLabel("Your name").fill("Ida Moe");
  await page.getByLabel("Your email address").fill(EMAIL);
  await page.getByLabel("A password for you").fill(password);
  await page.getByRole("button", { name: "Create organization" }).click();
}

/** Sends the form, and waits for the page that answers it, which may look like the one before. */
async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel("Email").first().fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill(password);
  const answered = page.waitForEvent("load");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await answered;
}

const readsFirstTopic = (page: Page) => page.getByText("Each message in a channel belongs to one.").waitFor();

test.each([
  ["a desktop", 1280],
  ["a phone", 390],
])("on %s the link of a new server ends signed in, in the first topic", async (_, width) => {
  const server = await start(["serve"], { env: { PARLEY_DATA_DIR: temporaryDirectory() } });
  const [link = ""] = /http:\/\/\S+\/new\/\S+/.exec(server.stdout()) ?? [];
  const { page, statuses } = await openPage(width);
  await page.goto(link);
  await fillIn(page, "short");
  await page
    .getByText(/8 to 100/)
    .first()
    .waitFor();
  await expect.poll(() => page.getByLabel("Your name").inputValue()).toBe("Ida Moe");
  await fillIn(page, PASSWORD);
  await page.waitForURL(/#narrow\/channel\/1-general/);
  await readsFirstTopic(page);
  await page.reload();
  await readsFirstTopic(page);

  // The used link leads to the client, or to its sign-in.
  await page.goto(link);
  await page.waitForURL((url) => url.pathname === "/");
  await page.locator(".app").waitFor();
  expect(statuses).not.toContain(404);

  const stranger = await openPage(width);
  await stranger.page.goto(link);
  // The client leads to the sign-in by itself, with a load of its own.
  await stranger.page.waitForURL(/\/login/);
  for (const password of ["rye", "rye and oats"]) {
    await signIn(stranger.page, password);
    await stranger.page.getByRole("alert").first().waitFor();
  }
  await signIn(stranger.page, PASSWORD);
  await stranger.page.locator(".app").waitFor();
  expect(stranger.statuses).not.toContain(404);
  await server.stop();
});

test("who is alone finds how to begin a topic and how to invite people, where the eye is", async () => {
  const server = await start(["serve"], { env: { PARLEY_DATA_DIR: temporaryDirectory() } });
  const [link = ""] = /http:\/\/\S+\/new\/\S+/.exec(server.stdout()) ?? [];
  const { page } = await openPage(1280);
  await page.goto(link);
  await fillIn(page, PASSWORD);
  await readsFirstTopic(page);
  await page.getByRole("button", { name: "New topic" }).click();
  const isTopicNext = () => page.evaluate(() => document.activeElement?.ariaLabel);
  await expect.poll(isTopicNext).toBe("Topic");
  await page.keyboard.type("rye");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Who bakes it tomorrow?");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("main").getByRole("link", { name: /rye/ }).first().waitFor();
  await page.keyboard.press("Escape");

  await page.keyboard.press("Shift+I");
  await page.getByRole("heading", { name: "Your first steps" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: /Begin a topic in #general/ }).click();
  await expect.poll(isTopicNext).toBe("Topic");
  await page.keyboard.press("Escape");
  await page
    .getByRole("link", { name: /Invite people/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Make an invitation link" }).waitFor();

  await page.getByRole("button", { name: "Main menu" }).click();
  await page.getByRole("menuitem", { name: "Invite people" }).waitFor();
  await page.keyboard.press("Escape");
  await page.goto(`${new URL(link).origin}/#inbox`);
  await page.getByRole("button", { name: "Hide these steps" }).click();
  await page.reload();
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  await expect.poll(() => page.getByText("Your first steps").count()).toBe(0);
  await server.stop();
});
