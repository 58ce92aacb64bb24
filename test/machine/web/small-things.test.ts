import { expect, test } from "vitest";
import { channelNarrow, topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

async function topicOf(name: string, ...texts: string[]): Promise<string> {
  const { harness } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  for (const text of texts) await say(harness, "elin", channel.id, "plans", text);
  return hashOfNarrow({ narrow: topicNarrow(channel.id, "plans") });
}

test("a message about what somebody does is one line, and emoji without words are large", async () => {
  const hash = await topicOf("gestures", "/me waves", ":tada:", "Well done :tada:");
  const client = await browser.world.open("dev", { hash });
  const { page } = client;
  const action = page.locator(".message.action");
  const name = await action.getByRole("button", { name: "Elin Berg" }).boundingBox();
  const text = await action.getByText("waves").boundingBox();
  expect(Math.abs((name?.y ?? 0) + (name?.height ?? 0) - (text?.y ?? 0) - (text?.height ?? 0))).toBeLessThan(
    6,
  );
  expect(text?.x).toBeGreaterThan(name?.x ?? 0);
  const sizes = await page
    .locator(".content .emoji")
    .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
  expect(sizes).toHaveLength(2);
  expect(sizes[0]).toBeGreaterThan((sizes[1] ?? 0) * 2);
  await client.finish();
});

test("a missing topic is said above the text, and its field has the focus and is marked", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("nameless", ["dev"]);
  const client = await open("dev", { hash: hashOfNarrow({ narrow: channelNarrow(channel.id) }) });
  const { page } = client;
  await page.keyboard.press("c");
  const field = page.getByRole("textbox", { name: /Message to/ });
  await field.fill("Without a topic");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("alert").getByText("Give your message a topic first.").waitFor();
  const topic = page.getByRole("combobox", { name: "Topic" });
  await expect.poll(() => topic.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await topic.getAttribute("aria-invalid")).toBe("true");
  await client.checkAccessibility();
  await page.keyboard.type("walks");
  expect(await topic.getAttribute("aria-invalid")).toBe(null);
  await client.finish();
});

test("a space after a completion, which ends with one, is not a second one", async () => {
  const client = await browser.world.open("dev", { hash: await topicOf("spaces", "Hello") });
  const { page } = client;
  const field = page.getByRole("textbox", { name: /Message to/ });
  await field.focus();
  await page.keyboard.type("@el");
  await page.getByRole("option", { name: "Elin Berg", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type(" and  you");
  expect(await field.inputValue()).toBe("@**Elin Berg** and  you");
  await client.finish();
});

test("the menu of a message is in groups, and no two of its entries have the same sign", async () => {
  const client = await browser.world.open("elin", { hash: await topicOf("signs", "Look at the menu") });
  const { page } = client;
  await page.getByText("Look at the menu").hover();
  await page.getByRole("button", { name: "More actions" }).click();
  const menu = page.getByRole("menu", { name: "Message actions" });
  await menu.waitFor();
  expect(await menu.locator("button.group").count()).toBeGreaterThanOrEqual(3);
  const signs = await menu.locator("button svg").evaluateAll((all) => all.map((one) => one.innerHTML));
  expect(new Set(signs).size).toBe(signs.length);
  await client.finish();
});

test("a phone's main menu has no keyboard shortcuts", async () => {
  const client = await browser.world.open("dev", { hash: "#", width: 390, height: 844, isTouch: true });
  const { page } = client;
  await page.getByRole("button", { name: "Main menu" }).click();
  await page.getByRole("menuitem", { name: "Help" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).count()).toBe(0);
  await client.finish();
});

test("a draft of today has its hour alone", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("begun", ["dev"]);
  const draft = { type: "stream", to: [channel.id], topic: "plans", content: "Begun today" };
  await harness
    .as("dev")
    .post("/drafts", { drafts: [{ ...draft, timestamp: Math.floor(Date.now() / 1000) }] });
  const client = await open("dev", { hash: "#drafts" });
  const { page } = client;
  await page.getByText("Begun today").waitFor();
  expect(await page.getByRole("main").locator("time").first().innerText()).toMatch(/^\d{1,2}:\d\d\s[AP]M$/i);
  await client.finish();
});
