import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

/** A topic with a message of dev's that elin has read, and one of elin's. */
async function openTalk(name: string) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  const own = await say(harness, "dev", channel.id, "talk", "Soup it is");
  await say(harness, "elin", channel.id, "talk", "Buy cheap soup");
  const flags = { messages: [own], op: "add", flag: "read" };
  await expectSuccess(harness.as("elin").post("/messages/flags", flags));
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "talk") });
  const client = await open("dev", { hash });
  const { page } = client;
  const rows = page.getByRole("feed").getByRole("article");
  const menu = page.getByRole("menu", { name: "Message actions" });
  return { harness, channel, client, page, rows, menu };
}

test("a key shows who has read a message, as long as the organization shows it", async () => {
  const { harness, channel, client, page, rows, menu } = await openTalk("readers");
  await rows.first().focus();
  await page.keyboard.press("Shift+V");
  const dialog = page.getByRole("dialog", { name: "Read by" });
  await dialog.getByText("1 person has read this message.").waitFor();
  await dialog.getByText("Elin Berg").waitFor();
  await client.checkAccessibility();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expectSuccess(harness.as("ada").patch("/realm", { enable_read_receipts: false }));
  await say(harness, "elin", channel.id, "talk", "They are off");
  await rows.getByText("They are off").waitFor();
  await rows.first().focus();
  await page.keyboard.press("i");
  await menu.getByRole("menuitem", { name: "Message source" }).waitFor();
  await expect.poll(() => menu.getByRole("menuitem", { name: "Read receipts" }).count()).toBe(0);
  await expectSuccess(harness.as("ada").patch("/realm", { enable_read_receipts: true }));
  await page.keyboard.press("Escape");
  await client.finish();
});

test("a message is reported to the moderators' channel, with a text where the reason needs one", async () => {
  const { harness, channel, client, page, rows, menu } = await openTalk("reports");
  await rows.nth(1).focus();
  await page.keyboard.press("i");
  await menu.getByRole("menuitem", { name: "Message source" }).waitFor();
  await expect.poll(() => menu.getByRole("menuitem", { name: "Report the message…" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  const reports = await harness.channel("reports to ada", ["ada"], { isPrivate: true });
  await expectSuccess(harness.as("ada").patch("/realm", { moderation_request_channel_id: reports.id }));
  await say(harness, "elin", channel.id, "talk", "It can be reported");
  await rows.getByText("It can be reported").waitFor();
  await rows.nth(1).focus();
  await page.keyboard.press("i");
  await menu.getByRole("menuitem", { name: "Report the message…" }).click();
  const dialog = page.getByRole("dialog", { name: "Report this message" });
  await dialog.getByRole("radio", { name: "Something else" }).check();
  await dialog.getByRole("button", { name: "Send the report" }).click();
  await dialog.getByRole("alert").waitFor();
  await client.checkAccessibility();
  await dialog.getByRole("textbox", { name: "Explanation" }).fill("It sells soup");
  await dialog.getByRole("button", { name: "Send the report" }).click();
  await dialog.waitFor({ state: "detached" });
  const { messages } = await expectSuccess(
    harness
      .as("ada")
      .get("/messages", { anchor: "newest", num_before: 1, num_after: 0, narrow: [["channel", reports.id]] }),
  );
  expect(messages[0].content).toContain("It sells soup");
  await client.finish();
});
