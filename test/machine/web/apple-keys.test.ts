import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

test("on Apple’s computers ⌘ is the key of commands, and all hints say so", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("orchard", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Apples?");
  const client = await open("dev", {
    hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }),
    before: (page) =>
      page.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" })),
  });
  const { page } = client;
  await page.getByText("⌘Enter sends").waitFor();
  expect(await page.getByRole("button", { name: "Bold" }).getAttribute("title")).toBe("Bold (⌘B)");
  const field = page.getByRole("textbox", { name: /Message to/ });
  await field.fill("Pears");
  await field.selectText();
  // There, Ctrl moves the caret.
  await page.keyboard.press("Control+b");
  expect(await field.inputValue()).toBe("Pears");
  await field.selectText();
  await page.keyboard.press("Meta+b");
  await expect.poll(() => field.inputValue()).toBe("**Pears**");
  await page.keyboard.press("Meta+Enter");
  const sent = page.getByRole("feed").getByRole("article").filter({ hasText: "Pears" });
  await sent.waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
  await page.keyboard.press("Meta+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("combobox").waitFor({ state: "detached" });
  await client.settled();
  await sent.focus();
  await page.keyboard.press("Meta+s");
  await page.getByRole("button", { name: "Star", exact: true, pressed: true }).first().waitFor();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.getByText("⌘k").waitFor();
  await help.getByText("⌃[").waitFor();
  expect(await help.getByText(/Ctrl/).count()).toBe(0);
  await page.keyboard.press("Escape");
  await client.finish();
});
