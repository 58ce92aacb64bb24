import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

test("a message longer than a screen is folded, keeps its colours, and shows the rest when asked", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("logs", ["dev", "elin"]);
  const code = Array.from({ length: 110 }, (_one, at) => `const line${at} = "number ${at}";`).join("\n");
  await say(harness, "elin", channel.id, "long", `\`\`\`js\n${code}\n\`\`\``);
  await say(harness, "elin", channel.id, "long", "And a short one");
  for (const screen of [
    { width: 1280 },
    { width: 390, height: 844, isTouch: true, theme: "dark" },
  ] as const) {
    const client = await open("dev", { hash: `#narrow/channel/${channel.id}/topic/long`, ...screen });
    const { page } = client;
    await page.getByText("number 17", { exact: false }).first().waitFor();
    const long = page.getByRole("main").locator(".content", { hasText: "number 17" });
    const height = async () => (await long.locator("..").boundingBox())?.height ?? 0;
    expect(await height()).toBeLessThan(700);
    expect(await long.locator("pre span[class]").count()).toBeGreaterThan(200);
    const more = page.getByRole("button", { name: "Show more" });
    expect(await more.count()).toBe(1);
    await client.checkAccessibility();
    await more.click();
    await expect.poll(height).toBeGreaterThan(2000);
    await page.getByRole("button", { name: "Show less" }).click();
    await expect.poll(height).toBeLessThan(700);
    client.expectProblems(/^shift:/);
    await client.finish();
  }
});

test("after the first message of a topic, a line in the channel's view leads to the conversation", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("fresh", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "known", "Hello");
  const client = await open("dev", { hash: `#narrow/channel/${channel.id}` });
  const { page } = client;
  await page.getByText("Hello").waitFor();
  const main = page.getByRole("main");
  const write = async (topic: string, text: string) => {
    await page.keyboard.press("c");
    await main.getByRole("combobox", { name: "Topic" }).fill(topic);
    await main.getByRole("textbox", { name: /Message/ }).fill(text);
    await page.keyboard.press("Control+Enter");
    await main.getByText(text).waitFor();
    await page.keyboard.press("Escape");
  };
  const line = main.locator(".outbox-sign").getByRole("link", { name: /fresh/ });
  await write("known", "Nothing new");
  expect(await line.count()).toBe(0);
  await write("plans", "The very first");
  await line.click();
  await page.getByRole("heading", { name: /plans/, level: 1 }).waitFor();
  await expect.poll(() => line.count()).toBe(0);
  client.expectProblems(/^shift:/);
  await client.finish();
});

test("the help lists the keys of all views in groups, and says which do nothing here", async () => {
  const client = await browser.world.open("dev", { hash: "#inbox" });
  const { page } = client;
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.getByRole("heading", { name: "Messages" }).waitFor();
  const quote = dialog.locator("dl > div", { hasText: "Quote" });
  expect(await quote.textContent()).toContain("not in this view");
  const inbox = dialog.locator("dl > div", { hasText: "Inbox" });
  expect(await inbox.textContent()).not.toContain("not in this view");
  await client.checkAccessibility();
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  await page.getByRole("heading", { name: "Combined feed", level: 1 }).waitFor();
  await page.keyboard.press("?");
  expect(await quote.textContent()).not.toContain("not in this view");
  // Nothing that is bound is missing in the groups.
  expect(await dialog.getByRole("heading", { name: "Other keys" }).count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await client.checkAccessibility();
  await page.keyboard.press("Escape");
  client.expectProblems(/^shift:/);
  await client.finish();
});
