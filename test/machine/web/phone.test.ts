import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { useBrowser } from "./browser.ts";
import { say, sayMany } from "./seed.ts";

const browser = useBrowser();
const PHONE = { width: 390, height: 844, isTouch: true };

/**
 * Controls that are smaller than a finger. A message is pressed as a whole, so its own don't count, and
 * neither do links within a text. A box in a label is pressed with it, and a field with its frame.
 */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, a[href], input, select, textarea, [role=button]")]
      .filter((element) => element.checkVisibility() && !element.closest("article, .skip, .sr"))
      .filter((element) => !element.matches("a") || getComputedStyle(element).display !== "inline")
      .filter((element) => getComputedStyle(element, "::after").position !== "absolute")
      .map((one) => ({
        box: (one.closest("label, .pick-box:has(input)") ?? one).getBoundingClientRect(),
        name: one.ariaLabel ?? (one.textContent?.trim() || one.id),
      }))
      .filter(({ box }) => box.width > 0 && box.bottom > 0 && box.top < innerHeight)
      .filter(({ box }) => box.height < 44 || box.width < 44)
      .map(({ box, name }) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`),
  );

test("a phone leads from the list to a conversation and back, with targets for fingers", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("pocket", ["dev", "elin"]);
  await sayMany(harness, "elin", channel.id, "walk", 60);
  const client = await open("dev", PHONE);
  const { page } = client;
  const list = page.getByRole("navigation", { name: "Views and channels" });
  await list.getByRole("link", { name: /^pocket/ }).waitFor();
  expect(await smallTargets(page)).toEqual([]);
  await list.getByRole("link", { name: /^pocket/ }).tap();
  const box = page.getByRole("textbox", { name: /Message/ });
  await box.waitFor();
  await client.settled();
  expect(await smallTargets(page)).toEqual([]);
  await client.checkAccessibility();
  await page.goBack();
  await list.getByRole("link", { name: /^pocket/ }).waitFor();
  await client.finish();
});

test("in German too, no screen of a phone scrolls sideways, and all controls are for fingers", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("narrow", ["ada", "dev"]);
  await say(harness, "dev", channel.id, "walk", "| Wide | table |\n|---|---|\n| Unbreakable | words |");
  const client = await open("ada", { ...PHONE, language: "de" });
  // The test goes to other screens without a press.
  client.expectProblems(/^shift: /);
  const { page } = client;
  const goTo = async (hash: string) => {
    await page.evaluate((wanted) => location.assign(wanted), hash);
    await page
      .locator(hash === "#" ? "nav" : "main")
      .locator("h1, h2")
      .first()
      .waitFor();
    await client.settled();
  };
  const settings: string[] = [];
  for (const hash of [
    "#settings",
    "#organization",
    "#channels",
    "#groups",
    `#channels/${channel.id}/narrow`,
  ]) {
    await goTo(hash);
    const links = page.locator("main nav a");
    settings.push(...(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""))));
  }
  expect(settings.length).toBeGreaterThan(40);
  const found: string[] = [];
  const views = ["#", "#inbox", "#recent", "#feed", "#drafts", "#scheduled", "#reminders"];
  for (const hash of [...views, ...settings]) {
    await goTo(hash);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    found.push(...(width > PHONE.width ? [`${hash}: ${width} px wide`] : []));
    found.push(...(await smallTargets(page)).map((target) => `${hash}: ${target}`));
  }
  expect(found).toEqual([]);
  await client.finish();
}, 120_000);

test("in the inbox of a phone a long name covers neither its count, the time nor the action", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("a channel whose name is wider than a phone is", ["dev", "elin"]);
  const topic = "A topic with a name that is far longer than one line";
  await say(harness, "elin", channel.id, topic, "Short");
  const client = await open("dev", { ...PHONE, hash: "#inbox" });
  const { page } = client;
  const line = page.locator(".inbox-line", { hasText: topic });
  const head = page.locator(".inbox-head", { hasText: channel.name });
  await line.locator("time").waitFor();
  const edges = async (place: typeof line, names: readonly string[]) => {
    const all: number[] = [];
    for (const name of names) {
      const box = await place.locator(name).boundingBox();
      all.push(box?.x ?? Number.NaN, (box?.x ?? 0) + (box?.width ?? 0));
    }
    return all;
  };
  for (const found of [
    await edges(line, ["a > bdi", "a > .count", "time", ".square:last-child"]),
    await edges(head, ["a > bdi", ".count", ".square:last-child"]),
  ]) {
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found.at(-1)).toBeLessThanOrEqual(PHONE.width);
  }
  await client.finish();
});

test("a long press opens a message's menu", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("press", ["dev", "elin"]);
  await sayMany(harness, "elin", channel.id, "walk", 3);
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "walk") });
  const client = await open("dev", { ...PHONE, hash });
  const { page } = client;
  // What Chromium on a phone sends for a long press. Without a screen it recognizes no gestures.
  await page
    .getByRole("feed")
    .getByText("Message 2")
    .evaluate((element) => {
      const press = { bubbles: true, cancelable: true, pointerType: "touch" };
      element.dispatchEvent(new PointerEvent("contextmenu", press));
    });
  await page.getByRole("menu").waitFor();
  expect(await smallTargets(page)).toEqual([]);
  await page.getByRole("menuitem", { name: "Quote and reply" }).tap();
  await page.getByRole("textbox", { name: /Message/ }).waitFor();
  await client.finish();
});

test("where the browser has no event for a long press, a finger that is held opens the menu all the same", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("held", ["dev", "elin"]);
  await sayMany(harness, "elin", channel.id, "walk", 3);
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "walk") });
  const client = await open("dev", { ...PHONE, hash });
  const { page } = client;
  const text = page.getByRole("feed").getByText("Message 2");
  const touch = (type: string, clientX = 100) =>
    text.evaluate(
      (element, [type, clientX]) => {
        const at = { clientX, clientY: 300, pointerType: "touch", isPrimary: true };
        element.dispatchEvent(new PointerEvent(type, { ...at, bubbles: true, cancelable: true }));
      },
      [type, clientX] as const,
    );
  const menu = page.getByRole("menu");
  // The listener comes after the first paint.
  await expect
    .poll(async () => {
      await touch("pointerdown");
      await page.waitForTimeout(700);
      await touch("pointerup");
      await page.waitForTimeout(300);
      return menu.count();
    })
    .toBe(1);
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  // Neither a scroll nor a short press opens it, nor a second one after the browser's own.
  for (const disturb of [
    () => touch("pointermove", 130),
    () => touch("pointerup"),
    () => touch("pointercancel"),
  ]) {
    await touch("pointerdown");
    await disturb();
    await page.waitForTimeout(700);
    await touch("pointerup");
    await page.waitForTimeout(300);
    expect(await menu.count()).toBe(0);
  }
  await client.finish();
});

test("the box stays above the keyboard of the screen, and a turned phone keeps the place", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("turns", ["dev", "elin"]);
  const before = await sayMany(harness, "elin", channel.id, "walk", 40);
  const near = await say(harness, "elin", channel.id, "walk", "I was here");
  const after = await sayMany(harness, "elin", channel.id, "walk", 40);
  const ids = [...before, near, ...after];
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "walk"), near });
  const client = await open("dev", { ...PHONE, hash });
  // The height of the screen changes, so everything moves.
  client.expectProblems(/^shift: /);
  const { page } = client;
  const message = page.getByRole("feed").getByText("I was here");
  await message.waitFor();
  const box = page.getByRole("textbox", { name: /Message/ });
  await box.tap();
  await page.setViewportSize({ width: 390, height: 480 });
  await client.settled();
  const bounds = await box.boundingBox();
  expect((bounds?.y ?? 0) + (bounds?.height ?? 0)).toBeLessThanOrEqual(480);
  await box.fill("Half a thought");
  await expect.poll(() => message.evaluate(isVisible)).toBe(true);
  await page.setViewportSize({ width: 844, height: 390 });
  await client.settled();
  await page.waitForFunction(() => innerWidth === 844);
  await expect.poll(() => page.getByRole("textbox", { name: /Message/ }).inputValue()).toBe("Half a thought");
  await page.setViewportSize({ width: 390, height: 844 });
  await client.settled();
  await expect.poll(() => message.evaluate(isVisible)).toBe(true);
  await expect.poll(() => page.getByRole("textbox", { name: /Message/ }).inputValue()).toBe("Half a thought");
  await client.finish();
});

test("the newest message stays above the keyboard of the screen", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("newest", ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", channel.id, "walk", 40);
  ids.push(await say(harness, "elin", channel.id, "walk", "The newest"));
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "walk") });
  const client = await open("dev", { ...PHONE, hash });
  client.expectProblems(/^shift: /);
  const { page } = client;
  const newest = page.getByRole("feed").getByText("The newest");
  for (const height of [844, 420, 844]) {
    await page.setViewportSize({ width: 390, height });
    await expect.poll(() => newest.evaluate(isVisible)).toBe(true);
  }
  await client.finish();
});

/** Whether it is in the list of messages, and not below the box. */
function isVisible(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const feed = element.closest("[role=feed]")?.getBoundingClientRect();
  return feed !== undefined && top >= feed.top && bottom <= feed.bottom;
}
