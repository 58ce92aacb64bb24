import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { useBrowser } from "./browser.ts";
import { say, sayToPeople } from "./seed.ts";

const browser = useBrowser();

interface Shown {
  title: string;
  body: string;
}

/** In place of the system's notices, which a test can't see. */
function watchNotices(permission: "granted" | "default"): void {
  const shown: (Shown & { click(): void })[] = [];
  Object.assign(window, { shown, asked: 0 });
  class FakeNotification {
    static permission = permission;
    static async requestPermission() {
      Object.assign(window, { asked: (window as unknown as { asked: number }).asked + 1 });
      FakeNotification.permission = "granted";
      return "granted";
    }
    onclick: (() => void) | undefined;
    constructor(title: string, { body }: { body: string }) {
      shown.push({ title, body, click: () => this.onclick?.() });
    }
    close() {}
  }
  Object.defineProperty(window, "Notification", { value: FakeNotification });
}

const notices = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { shown: Shown[] }).shown.map(({ title, body }) => ({ title, body })),
  );

test("messages for the viewer are noticed, a click opens them, and the question comes in context", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("alerts", ["dev", "elin"]);
  await say(harness, "dev", channel.id, "quiet", "Nothing to see");
  const dev = harness.user("dev").user.id;
  // The lists have the places already.
  await say(harness, "dev", channel.id, "other", "The first one here");
  await sayToPeople(harness, "elin", [dev], "An older message");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "quiet") }) });
  const { page } = client;
  await page.addInitScript(watchNotices, "default" as const);
  await page.reload();
  await client.settled();
  await say(harness, "elin", channel.id, "other", "Nobody is named here");
  await sayToPeople(harness, "elin", [dev], "Do you have a minute?");
  await page.getByText("Show notifications while this page is in the background?").waitFor();
  await expect.poll(() => notices(page)).toEqual([]);
  expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(0);
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Turn on" }).click();
  expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(1);

  await sayToPeople(harness, "elin", [dev], "It is about <lunch> & more");
  await page.waitForFunction(() => (window as unknown as { shown: unknown[] }).shown.length === 1);
  const name = harness.user("elin").user.fullName;
  await expect.poll(() => notices(page)).toEqual([{ title: name, body: "It is about <lunch> & more" }]);
  await page.waitForFunction(() => /^\(\d+\)/.test(document.title));
  await page.waitForFunction(() =>
    document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href.startsWith("data:image/png"),
  );
  await page.evaluate(() => (window as unknown as { shown: { click(): void }[] }).shown[0]?.click());
  await page.getByRole("feed").getByText("It is about <lunch> & more").waitFor();
  await client.settled();
  // The conversation is on the screen now.
  await page.bringToFront();
  await sayToPeople(harness, "elin", [dev], "You see this anyway");
  await page.getByRole("feed").getByText("You see this anyway").waitFor();
  await expect.poll(() => notices(page)).toHaveLength(1);
  await client.finish();
});

test("until the time that was chosen, nothing is noticed, and the menu ends it", async () => {
  const { harness, open } = browser.world;
  const dev = harness.user("dev").user.id;
  const client = await open("dev", {
    hash: "#inbox",
    before: (page) => page.addInitScript(watchNotices, "granted" as const),
  });
  client.expectProblems(/^shift:/);
  const { page } = client;
  const write = async (text: string) => {
    await sayToPeople(harness, "elin", [dev], text);
    await page.getByRole("main").getByText(text).first().waitFor();
    // Other tabs would have had the message by then.
    await page.waitForTimeout(500);
  };
  const openMenu = () => page.getByRole("button", { name: "Main menu" }).click();
  await openMenu();
  await page.getByRole("menuitem", { name: "Do not disturb…" }).click();
  const times = page.getByRole("menu", { name: "Do not disturb in this browser" });
  await times.getByRole("menuitem", { name: /^In one hour/ }).click();
  await write("Quiet please");
  expect(await notices(page)).toEqual([]);
  // It outlives the page.
  await page.reload();
  await openMenu();
  await page.getByRole("menuitem", { name: /^Notify me again \(quiet until/ }).click();
  await write("Now then");
  await expect.poll(() => notices(page)).toHaveLength(1);
  await client.finish();
});
