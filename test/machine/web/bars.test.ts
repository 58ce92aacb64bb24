import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { channelNarrow, topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayMany } from "./seed.ts";

const browser = useBrowser();

const stickyBar = (page: Page) => page.getByRole("group", { name: "Conversation at the top" });

/** Two topics, each longer than a screen. */
async function fill(name: string) {
  const { harness } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  await sayMany(harness, "elin", channel.id, "soup", 40);
  await sayMany(harness, "elin", channel.id, "bread", 40);
  return channel;
}

test("the bar of the conversation at the top stays there, and the next one takes its place", async () => {
  const channel = await fill("kitchens");
  const hash = hashOfNarrow({ narrow: channelNarrow(channel.id) });
  const client = await browser.world.open("dev", { hash });
  const { page } = client;
  const feed = page.getByRole("feed");
  const bar = stickyBar(page);
  await page.keyboard.press("End");
  await bar.getByRole("link", { name: "bread" }).waitFor();
  await bar.getByRole("button", { name: "Today" }).waitFor();
  expect(await bar.getByRole("link", { name: "#kitchens" }).getAttribute("href")).toContain(hash);
  const gap = async () => {
    const [own, whole] = [await bar.locator(".conversation-bar").boundingBox(), await feed.boundingBox()];
    return Math.round((own?.y ?? -1) - (whole?.y ?? 0));
  };
  expect(await gap()).toBe(0);
  // The turn of a wheel over the bar goes on.
  await bar.hover();
  const before = await feed.evaluate(({ scrollTop }) => scrollTop);
  await page.mouse.wheel(0, -300);
  await expect.poll(() => feed.evaluate(({ scrollTop }) => scrollTop)).not.toBe(before);
  // By keys, a message that is gone to is never below the bar.
  const rowTop = async () => (await feed.locator(".row:focus").boundingBox())?.y ?? 0;
  for (let count = 0; count < 12; count++) await page.keyboard.press("k");
  const { y = 0, height = 0 } = (await bar.locator(".column").boundingBox()) ?? {};
  await expect.poll(async () => (await rowTop()) >= y + height - 1).toBe(true);
  for (let count = 0; count < 12; count++) await page.keyboard.press("Shift+K");
  await page.keyboard.press("Home");
  await bar.getByRole("link").first().waitFor({ state: "detached" });
  await client.finish();
});

test("a conversation is resolved, followed, muted and read in its bar", async () => {
  const { harness, open } = browser.world;
  const channel = await fill("bakery");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: channelNarrow(channel.id) }) });
  const { page } = client;
  const bar = stickyBar(page);
  const feed = page.getByRole("feed");
  await page.keyboard.press("End");
  await bar.getByRole("link", { name: "bread" }).waitFor();
  await bar.getByRole("link", { name: "#bakery" }).focus();
  const name = () =>
    page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
  await page.keyboard.press("ArrowRight");
  expect(await name()).toBe("bread");
  const follow = bar.getByRole("button", { name: "Follow bread" });
  await follow.click();
  await bar.getByRole("button", { name: "Do not follow bread any more", pressed: true }).waitFor();
  await bar.getByRole("button", { name: "Mute bread" }).waitFor();
  await bar.getByRole("button", { name: "Mark bread as resolved" }).press("Enter");
  await bar.getByRole("link", { name: /✔ bread/ }).waitFor();
  // The bar is another one, and the focus is still in it.
  await expect.poll(() => bar.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  await client.checkAccessibility();
  await bar.getByRole("button", { name: /Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Reopen the topic" }).click();
  await bar.getByRole("link", { name: "bread", exact: true }).waitFor();
  await say(harness, "elin", channel.id, "bread", "One more");
  await feed.getByText("One more").waitFor();
  await client.settled();
  const { user_topics } = await expectSuccess(
    harness.as("dev").post("/register", { fetch_event_types: ["user_topic"] }),
  );
  expect(user_topics).toMatchObject([{ topic_name: "bread", visibility_policy: 3 }]);
  await client.finish();
});

test("a view of one conversation has no such bar", async () => {
  const channel = await fill("pantry");
  const client = await browser.world.open("dev", {
    hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }),
  });
  await client.page.keyboard.press("End");
  await client.settled();
  expect(await stickyBar(client.page).count()).toBe(0);
  await client.finish();
});

for (const [theme, width] of [
  ["light", 1280],
  ["dark", 390],
] as const) {
  test(`the bar can be used by all, ${theme}, ${width} wide`, async () => {
    await fill(`larder ${width}`);
    const client = await browser.world.open("dev", { hash: "#feed", theme, width, height: 800 });
    await client.page.keyboard.press("End");
    await stickyBar(client.page).getByRole("link", { name: "bread" }).waitFor();
    await client.checkAccessibility();
    await client.finish();
  });
}
