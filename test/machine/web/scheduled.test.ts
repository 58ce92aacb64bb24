import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

async function openTopic(name: string) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Shall we?");
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") });
  const client = await open("dev", { hash });
  const { page } = client;
  // What waits to be sent has a row among the views, which appears and goes.
  client.expectProblems(/^shift: /);
  const field = page.getByRole("textbox", { name: /Message to/ });
  return { harness, channel, client, page, field };
}

test("a message is sent later by the menu beside the button, and changed and deleted in its list", async () => {
  const { harness, client, page, field } = await openTopic("later");
  await field.fill("Soup tomorrow");
  await page.getByRole("button", { name: "More ways to send" }).click();
  const menu = page.getByRole("menu", { name: "Send later" });
  await menu.getByRole("menuitem", { name: /Tomorrow morning/ }).waitFor();
  await client.checkAccessibility();
  await menu.getByRole("menuitem", { name: /Tomorrow morning/ }).click();
  await page.getByText(/The message will be sent/).waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
  await page.getByRole("main").getByRole("link", { name: "Scheduled messages" }).click();
  const edit = page.getByRole("button", { name: "Edit the message to #later › soup" });
  await edit.click();
  const dialog = page.getByRole("dialog", { name: "Edit the message to #later › soup" });
  await dialog.getByRole("textbox", { name: "Text of the message" }).fill("Salad tomorrow");
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Salad tomorrow").waitFor();
  const { scheduled_messages: kept } = await expectSuccess(harness.as("dev").get("/scheduled_messages"));
  expect(kept).toMatchObject([{ content: "Salad tomorrow" }]);
  expect(kept[0].scheduled_delivery_timestamp % 3600).toBe(0);
  await page.getByRole("button", { name: "Delete the message to #later › soup" }).click();
  await page.getByText(/Messages to be sent later wait here/).waitFor();
  await client.finish();
});

test("a reminder is set by a message’s menu, with a note, and waits in a list", async () => {
  const { harness, client, page } = await openTopic("reminders");
  await page.getByRole("feed").getByRole("article").last().focus();
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Remind me…" }).click();
  const dialog = page.getByRole("dialog", { name: "Remind me of this message" });
  await dialog.getByRole("radio", { name: /In three hours/ }).check();
  await dialog.getByRole("textbox", { name: "Note for yourself (optional)" }).fill("Buy leeks");
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Set the reminder" }).click();
  await dialog.waitFor({ state: "detached" });
  const { reminders } = await expectSuccess(harness.as("dev").get("/reminders"));
  expect(reminders).toHaveLength(1);
  await page.evaluate(() => location.assign("#reminders"));
  await page.getByText("Buy leeks").waitFor();
  await page.getByRole("button", { name: /Delete the reminder/ }).click();
  await page.getByText(/Reminders of messages wait here/).waitFor();
  await client.finish();
});
