/** Files that are added to messages: what fails, and what is to be sent later. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { refuseNext, useBrowser } from "./browser.ts";
import { holdCalls } from "./network.ts";
import { say } from "./seed.ts";

const browser = useBrowser();
const file = { name: "shot.png", mimeType: "image/png", buffer: Buffer.from("no picture") };
const chooseFile = (page: Page) => page.locator('.compose input[type="file"]').setInputFiles(file);
const LINK = /^See this\n\n\[shot\.png\]\(\/user_uploads\/.+\)$/;

async function openTopic(name: string) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Shall we?");
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") });
  const client = await open("dev", { hash });
  // The box grows with its text, and what waits has a row among the views.
  client.expectProblems(/^shift: /);
  const { page } = client;
  const field = page.getByRole("textbox", { name: /Message to/ });
  const scheduled = async () =>
    (await expectSuccess(harness.as("dev").get("/scheduled_messages"))).scheduled_messages;
  return { client, page, field, scheduled };
}

async function sendLater(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More ways to send" }).click();
  const menu = page.getByRole("menu", { name: "Send later" });
  await menu.getByRole("menuitem", { name: /Tomorrow morning/ }).click();
}

test("a file that could not be uploaded is sent again by a button, and has its place in the text", async () => {
  const { client, page, field } = await openTopic("files again");
  await field.fill("See this");
  await refuseNext(client, "/user_uploads");
  await chooseFile(page);
  const row = page.getByRole("list", { name: "Files" }).or(page.locator(".uploads")).first();
  await row.getByText("Not now").waitFor();
  await client.checkAccessibility();
  await row.getByRole("button", { name: "Try again: shot.png" }).click();
  await expect.poll(() => field.inputValue()).toMatch(LINK);
  await expect.poll(() => page.locator(".uploads").count()).toBe(0);
  await field.fill("");
  await client.finish();
});

test("a file that failed elsewhere is sent again from any view, and its link is offered", async () => {
  const { client, page, field } = await openTopic("files elsewhere");
  await field.fill("See this");
  await refuseNext(client, "/user_uploads");
  await chooseFile(page);
  await page.locator(".uploads").getByText("Not now").waitFor();
  await page.evaluate(() => {
    location.hash = "#inbox";
  });
  const sign = page.locator(".outbox-sign");
  await sign.getByRole("button", { name: "Try again: shot.png" }).click();
  await sign.getByRole("progressbar").waitFor({ state: "detached" });
  await page.goBack();
  await page.getByRole("button", { name: "Insert the link" }).click();
  await expect.poll(() => field.inputValue()).toMatch(LINK);
  await field.fill("");
  await client.finish();
});

test("a message for later waits for its file, and has the link", async () => {
  const { client, page, field, scheduled } = await openTopic("files later");
  const release = await holdCalls(page, "POST", "/user_uploads");
  await field.fill("See this");
  await chooseFile(page);
  await expect.poll(() => field.inputValue()).toContain("Uploading shot.png");
  await sendLater(page);
  expect(await scheduled()).toEqual([]);
  release();
  await page.getByText(/The message will be sent/).waitFor();
  const [kept] = await scheduled();
  expect(kept.content).toMatch(LINK);
  await expect.poll(() => field.inputValue()).toBe("");
  await expectSuccess(
    browser.world.harness.as("dev").delete(`/scheduled_messages/${kept.scheduled_message_id}`),
  );
  await client.finish();
});

test("a reload before the file is there leaves the text, says what to add, and schedules nothing", async () => {
  const { client, page, field, scheduled } = await openTopic("files never");
  client.expectProblems(/ERR_/);
  await holdCalls(page, "POST", "/user_uploads");
  await field.fill("See this");
  await chooseFile(page);
  await expect.poll(() => field.inputValue()).toContain("Uploading shot.png");
  await sendLater(page);
  await page.reload();
  await client.settled();
  await expect.poll(() => field.inputValue()).toBe("See this\n\n(add shot.png again)");
  expect(await scheduled()).toEqual([]);
  await field.fill("");
  await client.finish();
});

test("fields take as many characters as the server, of which an emoji is one", async () => {
  const { client, page } = await openTopic("limits");
  const { harness } = browser.world;
  await page.keyboard.press("c");
  await page.getByRole("combobox", { name: "Channel" }).fill("limits");
  await page.keyboard.press("Enter");
  const topic = page.getByRole("combobox", { name: "Topic" });
  await topic.fill("😀".repeat(59));
  await topic.press("End");
  await page.keyboard.insertText("😀");
  await expect.poll(() => topic.inputValue()).toBe("😀".repeat(60));
  await topic.press("Home");
  await page.keyboard.insertText("no");
  await expect.poll(() => topic.inputValue()).toBe("😀".repeat(60));
  await page.getByRole("textbox", { name: /message/i }).fill("All of it");
  await page.keyboard.press("Control+Enter");
  const sent = async () => {
    const { messages } = await expectSuccess(
      harness.as("dev").get("/messages", { anchor: "newest", num_before: 1, num_after: 0 }),
    );
    return messages[0].subject;
  };
  await expect.poll(sent).toBe("😀".repeat(60));
  await client.finish();
});

test("pictures of a text are shown below it while they are sent and after, and one is removed by a button", async () => {
  const { client, page, field } = await openTopic("pictures below");
  await field.fill("Two");
  const release = await holdCalls(page, "POST", "/user_uploads");
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const buffer = Buffer.from(pixel, "base64");
  const files = ["one.png", "two.png", "three.png"].map((name) => ({ name, mimeType: "image/png", buffer }));
  await page.locator('.compose input[type="file"]').setInputFiles(files);
  const list = page.getByRole("list", { name: "Pictures of the message" });
  await expect.poll(() => list.getByRole("progressbar").count()).toBe(3);
  const drawn = () =>
    list
      .getByRole("img")
      .evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0));
  await expect.poll(async () => (await drawn()).length).toBe(3);
  await client.checkAccessibility();
  // One that is removed on its way is not sent.
  await list.getByRole("button", { name: "Remove two.png" }).click();
  await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
  expect(await field.inputValue()).not.toContain("two.png");
  release();
  await expect.poll(() => list.getByRole("progressbar").count()).toBe(0);
  await expect.poll(() => field.inputValue()).toMatch(/^Two\n\n\[one\.png\]\(.+\)\n*\[three\.png\]\(.+\)$/);
  // A draft that is opened again has them, and the server's addresses serve.
  await page.reload();
  await expect.poll(async () => (await drawn()).length).toBe(2);
  await list.getByRole("button", { name: "Remove one.png" }).click();
  await expect.poll(() => field.inputValue()).toMatch(/^Two\n\n\[three\.png\]\(.+\)$/);
  await list.getByRole("button", { name: "Remove three.png" }).click();
  await expect.poll(() => field.inputValue()).toBe("Two");
  expect(await list.count()).toBe(0);
  await client.finish();
});
