import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import english from "../../../web/i18n/en.json" with { type: "json" };
import { pseudoFromRight } from "../../../web/i18n/pseudo.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();
const settings = [
  "profile",
  "account",
  "sessions",
  "preferences",
  "notifications",
  "privacy",
  "topics",
  "bots",
];

async function fill(name: string): Promise<readonly string[]> {
  const { harness } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  const id = await say(harness, "elin", channel.id, "words", "Long **words** in `code`");
  await expectSuccess(harness.as("elin").post(`/messages/${id}/reactions`, { emoji_name: "tada" }));
  const conversation = hashOfNarrow({ narrow: topicNarrow(channel.id, "words") });
  const views = ["#inbox", "#recent", "#drafts", "#feed", conversation];
  return [...views, ...settings.map((setting) => `#settings/${setting}`)];
}

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((element) => {
    location.hash = element;
  }, hash);
}

test.each([
  ["wide", 1280],
  ["narrow", 390],
])("no text is left untranslated, and long ones have room, on a %s screen", async (name, width) => {
  const hashes = await fill(`long ${name}`);
  const client = await browser.world.open("dev", { width, language: "x-pseudo", hash: hashes[0] ?? "" });
  // Each view is another page for the person.
  client.expectProblems(/^shift: /);
  const found: string[] = [];
  for (const hash of hashes) {
    await go(client.page, hash);
    await client.settled();
    for (const text of await client.page.evaluate(untranslated)) found.push(`${hash} text: ${text}`);
    for (const place of await client.page.evaluate(outside)) found.push(`${hash} outside: ${place}`);
  }
  expect(found).toEqual([]);
  await client.finish();
});

const administration = [
  ...["profile", "users", "invitations", "joining", "new-people", "messages", "channels", "default-channels"],
  ...["people", "guests", "moderation", "bots", "emoji", "exports", "audit-log", "statistics", "data"],
  ...["linkifiers", "playgrounds", "profile-fields", "email", "integrations"],
];

test("no text of the administration, of channels and of groups is left untranslated", async () => {
  const hashes = ["#channels", "#groups", ...administration.map((section) => `#organization/${section}`)];
  const client = await browser.world.open("ada", { language: "x-pseudo", hash: hashes[0] ?? "" });
  client.expectProblems(/^shift: /);
  const found: string[] = [];
  for (const hash of hashes) {
    await go(client.page, hash);
    await client.settled();
    for (const text of await client.page.evaluate(untranslated)) found.push(`${hash} text: ${text}`);
  }
  expect(found).toEqual([]);
  await client.finish();
});

test("a view that was kept under the English name of its search has the name of the reader's language", async () => {
  const { harness, open } = browser.world;
  const views = [
    { fragment: "narrow/is/alerted", is_pinned: true, name: "Alert words" },
    { fragment: "narrow/has/link", is_pinned: true, name: "Inbox zero" },
  ];
  for (const view of views) await expectSuccess(harness.as("elin").post("/navigation_views", view));
  const client = await open("elin", { language: "de" });
  const list = client.page.getByRole("navigation", { name: "Ansichten und Kanäle" });
  await list.getByRole("link", { name: "Signalwörter" }).waitFor();
  await list.getByRole("link", { name: "Inbox zero" }).waitFor();
  expect(await list.getByText("Alert words").count()).toBe(0);
  await client.finish();
});

test("what the network refuses is told in the language of the page", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("funkloch", ["dev"]);
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "wort") });
  const client = await open("dev", { language: "de", hash });
  client.expectProblems(/ERR_/);
  const { page } = client;
  await page.route("**/api/v1/messages", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await page.getByRole("textbox", { name: /Nachricht an/ }).fill("Hallo");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Der Server ist nicht erreichbar.").waitFor();
  await client.finish();
});

test("a language that is written from the right turns every screen around", async () => {
  const hashes = await fill("from the right");
  const client = await browser.world.open("dev", { language: "x-pseudo-rtl", hash: hashes[0] ?? "" });
  const { page } = client;
  client.expectProblems(/^shift: /);
  const found: string[] = [];
  for (const hash of hashes) {
    await go(page, hash);
    await client.settled();
    for (const text of await page.evaluate(untranslated)) found.push(`${hash} text: ${text}`);
    for (const place of await page.evaluate(outside)) found.push(`${hash} outside: ${place}`);
    for (const row of await page.evaluate(asideOfItsEdge)) found.push(`${hash} row: ${row}`);
  }
  expect(found).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.dir)).toBe("rtl");
  const list = await page
    .getByRole("navigation", { name: pseudoFromRight(english["app.views"]) })
    .boundingBox();
  const main = await page.getByRole("main").boundingBox();
  expect(list?.x).toBeGreaterThan(main?.x ?? Number.POSITIVE_INFINITY);
  await client.finish();
});

/** Runs in the page. What is on the screen, is a text of the program, and did not come through `t`. */
function untranslated(): string[] {
  /** Texts of people, dates, keys of the keyboard, and names that languages and zones have themselves. */
  const ofOthers =
    "bdi, [dir=auto], .content, time, .time, .side-time, .day, kbd, .avatar, .count, .chip, code, select, script, style, noscript, .statistic-largest, .statistic-ends";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? "";
    const parent = node.parentElement;
    if (!parent || !/\p{L}/u.test(text) || parent.closest(ofOthers) || !parent.checkVisibility()) continue;
    const own = parent.textContent?.trim() ?? "";
    if (!/^[^\p{L}]*\[.*~\][^\p{L}]*$/su.test(text) && !/\[.*~\]/su.test(own)) found.push(text);
  }
  return found;
}

/** Runs in the page. Messages whose text does not keep clear of the picture at their right edge. */
function asideOfItsEdge(): string[] {
  return [...document.querySelectorAll(".message")]
    .filter((row) => {
      const { paddingLeft, paddingRight } = getComputedStyle(row);
      return Number.parseFloat(paddingRight) <= Number.parseFloat(paddingLeft);
    })
    .map((row) => row.textContent?.slice(0, 60) ?? "");
}

/** Runs in the page. What sticks out of the window, and of no box that scrolls or cuts it off. */
function outside(): string[] {
  const isCut = (element: Element): boolean => {
    for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement) {
      const { overflowX, clipPath, position } = getComputedStyle(ancestor);
      if (ancestor !== element && overflowX !== "visible") return true;
      if (clipPath !== "none" || position === "fixed") return true;
    }
    return false;
  };
  return [...document.querySelectorAll("#app *")]
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (left < -1 || right > innerWidth + 1) && !isCut(element);
    })
    .map(
      (element) => `${element.tagName}.${element.getAttribute("class")} ${element.textContent?.slice(0, 60)}`,
    );
}
