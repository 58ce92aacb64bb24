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
