import { expect, test } from "vitest";
import { helpPageNames } from "../../../server/website/help/sources.ts";
import { findViolations } from "./accessibility.ts";
import { useBrowser } from "./browser.ts";

const browser = useBrowser();
const addresses = ["/help", ...helpPageNames.map((name) => `/help/${name}`)];

/** Colours don't depend on the width, so two of the four combinations show everything. */
const screens = [
  { width: 390, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const;

test("everyone can use the pages of the help, in both themes, on phones and on wide screens", async () => {
  const client = await browser.world.open("elin");
  const { page } = client;
  for (const address of addresses) {
    await page.goto(`${browser.world.url}${address}?language=de`);
    for (const { width, colorScheme } of screens) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${address} at ${width}`).toBeLessThanOrEqual(0);
      expect(await findViolations(page), `${address} at ${width}, ${colorScheme}`).toEqual([]);
    }
  }
  await client.context.close();
}, 240_000);

test("the way leads from a search to the help and on to the next page", async () => {
  const client = await browser.world.open("elin");
  const { page, context } = client;
  await page.keyboard.press("/");
  const [help] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "How to search" }).click(),
  ]);
  await help.getByRole("heading", { level: 1, name: "Search" }).waitFor();
  await help.getByRole("link", { name: "Deutsch" }).click();
  await help.getByRole("heading", { level: 1, name: "Suche" }).waitFor();
  await help.getByRole("main").getByRole("link", { name: "Benachrichtigungen" }).click();
  await help.getByRole("heading", { level: 1, name: "Benachrichtigungen" }).waitFor();
  await help.close();
  await page.keyboard.press("Escape");
  await client.finish();
});
