import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayToPeople } from "./seed.ts";

const browser = useBrowser();
const sizes = [
  [390, 844],
  [768, 1024],
  [1280, 800],
] as const;

async function fill() {
  const { harness } = browser.world;
  const channel = await harness.channel(`looks ${Math.random().toString(36).slice(2, 8)}`, ["dev", "elin"]);
  const first = await say(
    harness,
    "elin",
    channel.id,
    "all sorts",
    "A list:\n* one\n* two\n\n> quoted\n\n`code`",
  );
  await say(
    harness,
    "elin",
    channel.id,
    "all sorts",
    "```python\nprint('hi')\n```\n\n```spoiler Ending\nNo.\n```",
  );
  await say(
    harness,
    "elin",
    channel.id,
    "all sorts",
    "@**Dev Rao** see <time:2026-11-22T20:00:00Z> :heart: $$x^2$$",
  );
  await say(harness, "elin", channel.id, "all sorts", "שלום **עולם** <b>not bold</b>");
  await say(
    harness,
    "elin",
    channel.id,
    "all sorts",
    "| a | b |\n|---|--:|\n| 1 | 2 |\n\nhttps://example.com",
  );
  await expectSuccess(harness.as("ada").post(`/messages/${first}/reactions`, { emoji_name: "tada" }));
  await sayToPeople(harness, "elin", [harness.user("dev").id], "A word with you");
  return hashOfNarrow({ narrow: topicNarrow(channel.id, "all sorts") });
}

for (const theme of ["light", "dark"] as const) {
  test(`every screen can be used by all, ${theme}, at three widths`, async () => {
    const conversation = await fill();
    for (const [width, height] of sizes) {
      const client = await browser.world.open("dev", { hash: conversation, theme, width, height });
      // The test goes to other views without a press of a key, so what they bring moves the list.
      client.expectProblems(/^shift: .*\.item /);
      await client.checkAccessibility();
      for (const hash of ["#", "#inbox", "#feed"]) {
        await client.page.evaluate((wanted) => location.assign(wanted), hash);
        await client.settled();
        await client.checkAccessibility();
      }
      await client.finish();
    }
  }, 240_000);
}

test("texts of people are shown as texts", async () => {
  const client = await browser.world.open("dev", { hash: await fill() });
  await client.page.getByText("<b>not bold</b>").waitFor();
  await client.page.getByRole("button", { name: "Ending" }).click();
  await client.page.getByText("No.").waitFor();
  await client.finish();
});

test("the theme is chosen without a reload, and stays", async () => {
  const client = await browser.world.open("dev", { hash: "#inbox" });
  const { page } = client;
  const theme = () => page.locator("html").getAttribute("data-theme");
  await page.getByRole("button", { name: "Main menu" }).click();
  await page.getByRole("menuitemradio", { name: "Dark theme" }).click();
  await expect.poll(theme).toBe("dark");
  await client.settled();
  await page.reload();
  await client.settled();
  await expect.poll(theme).toBe("dark");
  await client.finish();
});

test("every text is in the chosen language", async () => {
  const client = await browser.world.open("dev", { hash: "#inbox", language: "de" });
  await client.page.getByRole("navigation", { name: "Ansichten und Kanäle" }).waitFor();
  await client.finish();
  const pseudo = await browser.world.open("dev", { hash: "#inbox", language: "x-pseudo" });
  await pseudo.page
    .getByRole("heading", { name: /^\[.*~\]$/ })
    .first()
    .waitFor();
  await pseudo.finish();
});

test("keys alone lead through a conversation, and to an answer", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("keys", ["dev", "elin"]);
  for (const text of ["One", "Two", "Three"]) await say(harness, "elin", channel.id, "walk", text);
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "walk") }) });
  const { page } = client;
  const focused = () => page.evaluate(() => document.activeElement?.querySelector(".content")?.textContent);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await client.settled();
  await expect.poll(focused).toBe("Two");
  await page.keyboard.press("k");
  await client.settled();
  await expect.poll(focused).toBe("One");
  await page.keyboard.press("r");
  await page.keyboard.type("By keys");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("feed").getByText("By keys").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+I");
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("keys");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "keys", level: 1 }).waitFor();
  await client.finish();
});

test("the list on the left grows with the size of texts", async () => {
  const { harness, open } = browser.world;
  const shown = async (size: number) => {
    await expectSuccess(harness.as("dev").patch("/settings", { web_font_size_px: size }));
    const client = await open("dev", { hash: "#inbox" });
    const list = client.page.getByRole("navigation", { name: "Views and channels" });
    const width = (await list.boundingBox())?.width ?? 0;
    const icon = (await list.locator(".item .icon").first().boundingBox())?.width ?? 0;
    await client.finish();
    return { width, icon };
  };
  const [usual, large] = [await shown(14), await shown(20)];
  expect(large.width / usual.width).toBeCloseTo(20 / 14, 1);
  expect(large.icon / usual.icon).toBeCloseTo(20 / 14, 1);
  await expectSuccess(harness.as("dev").patch("/settings", { web_font_size_px: 14 }));
});
