/** Messages that wait for their files. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { useBrowser } from "./browser.ts";
import { hold, openTopic, sign } from "./outbox.ts";

const browser = useBrowser();

/** The box grows with its text. For the browser, a file that is there is no input. */
const growth = /^shift: .* DIV\.compose /;
const picture = { name: "shot.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
const chooseFile = (page: Page) => page.locator('.compose input[type="file"]').setInputFiles(picture);

test("a message that is sent while its file is on its way waits for it, and has the link", async () => {
  const { client, page, field, texts } = await openTopic(browser, "files to come");
  client.expectProblems(growth);
  const release = await hold(page, "/user_uploads");
  await field.fill("See this");
  await chooseFile(page);
  await expect.poll(() => field.inputValue()).toContain("Uploading shot.png");
  await field.press("Control+Enter");
  await expect.poll(() => field.inputValue()).toBe("");
  await page.getByRole("feed").getByText("Waits for its files.").waitFor();
  await client.checkAccessibility();
  release();
  await page.getByRole("feed").getByRole("link", { name: "shot.png" }).first().waitFor();
  await client.settled();
  await expect
    .poll(async () => (await texts()).at(-1))
    .toMatch(/^See this\n\n\[shot\.png\]\(\/user_uploads\/.+\)$/);
  await client.finish();
});

test("an upload goes on while another conversation is looked at, and the link is in the text", async () => {
  const { client, page, field, narrow } = await openTopic(browser, "uploads elsewhere");
  client.expectProblems(growth);
  const release = await hold(page, "/user_uploads");
  await field.fill("See this");
  await chooseFile(page);
  await expect.poll(() => field.inputValue()).toContain("Uploading shot.png");
  // The list on the left follows the address without a press.
  client.expectProblems(/^shift: .* A\.item/);
  await page.evaluate(() => {
    location.hash = "#inbox";
  });
  await sign(page).getByRole("progressbar", { name: "Upload of shot.png" }).waitFor();
  await client.checkAccessibility();
  release();
  await sign(page).getByRole("progressbar").waitFor({ state: "detached" });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, hashOfNarrow({ narrow }));
  await expect.poll(() => field.inputValue()).toMatch(/^See this\n\n\[shot\.png\]\(\/user_uploads\/.+\)$/);
  await field.fill("");
  await client.finish();
});

test("a file that fails leaves the message that waits for it, with its text and the reason", async () => {
  const { client, page, field, texts } = await openTopic(browser, "files that fail");
  client.expectProblems(growth);
  client.expectProblems(/400 \(Bad Request\)/);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/v1/user_uploads", async (route) => {
    await released;
    await route.fulfill({ status: 400, json: { result: "error", msg: "Not now", code: "BAD_REQUEST" } });
  });
  await field.fill("See this");
  await chooseFile(page);
  await expect.poll(() => field.inputValue()).toContain("Uploading shot.png");
  await field.press("Control+Enter");
  release();
  await page.getByRole("alert").getByText("shot.png could not be uploaded. Not now").waitFor();
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await client.settled();
  await expect.poll(async () => (await texts()).slice(-1)).toEqual(["See this"]);
  await client.finish();
});

test("a file whose upload ended with the page has to be added again, and no place of it is sent", async () => {
  const { client, page, field, texts } = await openTopic(browser, "files of old pages");
  client.expectProblems(/ERR_/);
  client.expectProblems(growth);
  await hold(page, "/user_uploads");
  await field.fill("See this");
  await chooseFile(page);
  await expect.poll(() => field.inputValue()).toContain("Uploading shot.png");
  await page.reload();
  await client.settled();
  await expect.poll(() => field.inputValue()).toBe("See this\n\n(add shot.png again)");
  await field.fill("See [Uploading shot.png…]()");
  await field.press("Control+Enter");
  await expect.poll(() => field.inputValue()).toBe("See (add shot.png again)");
  await field.fill("");
  expect((await texts()).filter((text) => text.startsWith("See"))).toEqual([]);
  await client.finish();
});
