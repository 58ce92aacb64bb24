import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

/** The fonts that draw the element, as the browser's inspector says. */
async function fontsOf(page: Page, selector: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
  await session.detach();
  return fonts.map(({ familyName }) => familyName).sort();
}

test("all emoji are drawn by one font of emoji, in messages, reactions and names", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("☎️ and 😀", ["dev", "elin"]);
  const id = await say(harness, "elin", channel.id, "soup 🎉", ":heart: :sunny: :smile: :phone: :tada: © 12");
  await say(harness, "elin", channel.id, "soup 🎉", "```\nmood = ❤️ 😀\n```");
  const status = { status_text: "Ill", emoji_name: "thermometer" };
  await expectSuccess(harness.as("elin").post("/users/me/status", status));
  await expectSuccess(harness.as("dev").post(`/messages/${id}/reactions`, { emoji_name: "heart" }));
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup 🎉") }) });
  const { page } = client;
  await page.getByRole("feed").getByRole("button", { name: /heart/ }).waitFor();
  const [emoji = "", ...others] = await fontsOf(page, "article .content span.emoji");
  expect(emoji).toMatch(/emoji/i);
  expect(others).toEqual([]);
  for (const place of ["article .content span.emoji:nth-of-type(4)", ".reactions .chip > span"]) {
    expect(await fontsOf(page, place)).toEqual([emoji]);
  }
  // The words, the sign and the digits keep the font of the texts.
  const name = await fontsOf(page, "h1 .topic-name");
  expect(name).toContain(emoji);
  expect(name).toHaveLength(2);
  const words = await fontsOf(page, "article .content p");
  expect(words).toEqual(name);
  // The sidebar, a status beside a name, the dialog for a status, the picker and code.
  const sidebarName = await fontsOf(page, `nav.sidebar a[href*="${channel.id}-"] bdi`);
  expect(sidebarName).toEqual(name);
  expect(await fontsOf(page, "article .status-emoji .emoji")).toEqual([emoji]);
  expect(await fontsOf(page, "article .content pre code")).toContain(emoji);
  await page.keyboard.press(":");
  await page.getByRole("option", { name: "heart" }).first().waitFor();
  const options = page.locator(".emoji-picker [role=option]");
  for (let at = 0; at < 16; at++)
    await options.nth(at).evaluate((one, id) => one.setAttribute("data-at", id), `${at}`);
  for (let at = 0; at < 16; at++) expect(await fontsOf(page, `[data-at="${at}"]`)).toEqual([emoji]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /Main menu/ }).click();
  await page
    .getByRole("menuitem", { name: /status/i })
    .first()
    .click();
  const suggested = page.getByRole("dialog").locator("span.emoji").first();
  await suggested.waitFor();
  expect(await fontsOf(page, "dialog span.emoji")).toEqual([emoji]);
  await page.keyboard.press("Escape");
  await client.finish();
});

test("where the system has no font of emoji, the server has one", async () => {
  const { harness, open } = browser.world;
  await harness.channel("fonts", ["dev"]);
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  const address = await page.evaluate(() => {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    const all = (some: CSSRule[]): CSSRule[] =>
      some.flatMap((rule) => ("cssRules" in rule ? all([...(rule.cssRules as CSSRuleList)]) : [rule]));
    const face = all(rules).find((rule) => rule instanceof CSSFontFaceRule);
    return /url\("([^"]+)"\)/.exec(face?.cssText ?? "")?.[1] ?? "";
  });
  // It is fetched only where it is needed.
  const fetched = () =>
    page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /woff2/.test(name)));
  expect(await fetched()).toEqual([]);
  const status = await page.evaluate(async (source) => {
    const face = new FontFace("Ours", `url("${source}")`);
    document.fonts.add(await face.load());
    return face.status;
  }, address);
  expect(status).toBe("loaded");
  await page.getByRole("heading", { name: "Inbox", level: 1 }).evaluate((heading) => {
    heading.style.fontFamily = "Ours";
    heading.textContent = "❤️🎉";
  });
  expect(await fontsOf(page, "main h1")).toEqual(["Twemoji Mozilla"]);
  client.expectProblems(/^shift:/);
  await client.finish();
});

async function openBox(options: Parameters<typeof browser.world.open>[1] = {}) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(`tones ${Date.now()}`, ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Shall we?");
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") });
  const client = await open("dev", { hash, ...options });
  client.expectProblems(/^shift:/);
  const { page } = client;
  await page.getByRole("button", { name: "Insert an emoji" }).click();
  const picker = page.getByRole("dialog", { name: "Emoji" });
  await picker.getByRole("option").first().waitFor();
  return { client, page, picker, field: page.getByRole("textbox", { name: /Message to/ }) };
}

test("the picker has categories, and its foot names what a search has selected", async () => {
  const { client, page, picker, field } = await openBox();
  const foot = picker.locator(".emoji-name");
  expect(await foot.textContent()).toBe(":+1:");
  await picker.getByRole("button", { name: "Food and drink" }).click();
  await expect.poll(() => foot.textContent()).toBe(":grapes:");
  await expect.poll(() => picker.getByText("Food and drink", { exact: true }).count()).toBe(1);
  const isPressed = () => picker.getByRole("button", { name: "Food and drink" }).getAttribute("aria-pressed");
  await expect.poll(isPressed).toBe("true");
  await client.checkAccessibility();
  // The keys are still the list's.
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => foot.textContent()).toBe(":melon:");
  await page.keyboard.type("confetti");
  await expect.poll(() => foot.textContent()).toMatch(/confetti/);
  const name = await foot.textContent();
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe(name);
  // It is the first of those that were used lately.
  await page.getByRole("button", { name: "Insert an emoji" }).click();
  await expect.poll(() => foot.textContent()).toBe(name);
  await client.finish();
});

test("a skin tone is chosen once, and texts have it where an emoji can", async () => {
  const { client, page, picker, field } = await openBox();
  await picker.getByRole("button", { name: /^Skin tone/ }).click();
  await picker.getByRole("button", { name: "Medium", exact: true }).click();
  await client.checkAccessibility();
  await picker.getByRole("option", { name: "+1", exact: true }).first().click();
  await expect.poll(() => field.inputValue()).toBe("👍🏽");
  await page.reload();
  await page.getByRole("button", { name: "Insert an emoji" }).click();
  await picker.getByRole("button", { name: "Skin tone: Medium" }).waitFor();
  await picker.getByRole("option", { name: "tada", exact: true }).first().click();
  await expect.poll(() => field.inputValue()).toBe("👍🏽:tada:");
  await field.press("Control+Enter");
  await page.getByRole("feed").getByText("👍🏽").waitFor();
  // The server has no such reactions, so their picker has no tones.
  await page.getByRole("feed").getByRole("article").first().focus();
  await page.keyboard.press(":");
  await picker.getByRole("option").first().waitFor();
  expect(await picker.getByRole("button", { name: /^Skin tone/ }).count()).toBe(0);
  await client.finish();
});
