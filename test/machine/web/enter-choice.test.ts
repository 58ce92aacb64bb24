import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { refuseNext, useBrowser } from "./browser.ts";

const browser = useBrowser();

test("one press beside the hint decides whether Enter sends, and the account keeps it", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("enters", ["dev"]);
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "box") }) });
  const { page } = client;
  const box = page.getByRole("main").getByRole("textbox").last();
  const choice = page.getByRole("switch", { name: "Enter sends" });
  expect(await choice.getAttribute("aria-checked")).toBe("false");
  await page.getByText("Ctrl+Enter sends").waitFor();
  await box.fill("One line");
  await box.press("Enter");
  expect(await box.inputValue()).toBe("One line\n");
  await refuseNext(client, "/settings");
  await choice.click();
  await page.getByRole("alert").getByText("Not now").waitFor();
  expect(await choice.getAttribute("aria-checked")).toBe("false");
  await choice.click();
  await expect.poll(() => choice.getAttribute("aria-checked")).toBe("true");
  expect(await page.getByText("Ctrl+Enter sends").count()).toBe(0);
  await box.press("Enter");
  await page.getByRole("feed").getByText("One line").waitFor();
  await page.reload();
  await expect.poll(() => choice.getAttribute("aria-checked")).toBe("true");
  await client.finish();
});
