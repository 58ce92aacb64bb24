import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

async function openTopic(name: string) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Shall we?");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }) });
  const field = client.page.getByRole("textbox", { name: /Message to/ });
  const list = client.page.getByRole("listbox", { name: "Completions" });
  await field.focus();
  return { client, page: client.page, field, list };
}

test("people, topics, emoji and languages are completed by keys", async () => {
  const { client, page, field, list } = await openTopic("completions");
  await page.keyboard.type("Hi @e");
  const elin = list.getByRole("option", { name: "Elin Berg" });
  const element = await elin.elementHandle();
  await page.keyboard.type("l");
  await list.getByRole("option", { name: "Elin Berg", selected: true }).waitFor();
  // What is proposed again keeps its element, and so a press that is under way.
  expect(await element?.evaluate((one) => one.isConnected)).toBe(true);
  await client.checkAccessibility();
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("Hi @**Elin Berg** ");
  await list.waitFor({ state: "detached" });
  await page.keyboard.type("see #completi");
  await list.getByRole("option", { name: "completions" }).waitFor();
  await page.keyboard.press(">");
  await list.getByRole("option", { name: "soup" }).waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => field.inputValue()).toBe("Hi @**Elin Berg** see #**completions>soup** ");
  await page.keyboard.type(":octo");
  await list.getByRole("option", { name: ":octopus:" }).click();
  await expect.poll(() => field.inputValue()).toMatch(/:octopus: $/);
  await page.keyboard.press("Control+z");
  await expect.poll(() => field.inputValue()).toMatch(/ :octo$/);
  await client.finish();
});

test("Escape closes the list and keeps what was typed", async () => {
  const { client, page, field, list } = await openTopic("escapes");
  await page.keyboard.type("@el");
  await list.waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  await expect.poll(() => field.inputValue()).toBe("@el");
  expect(page.url()).toContain("#narrow");
  await client.finish();
});
