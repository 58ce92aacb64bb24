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
  await say(harness, "dev", channel.id, "soup", "Shall we?");
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") });
  const client = await open("dev", { hash });
  const { page } = client;
  const field = page.getByRole("textbox", { name: /Message to/ });
  return { harness, channel, client, page, field };
}

test("a snippet is made of the text, inserted by a key, and deleted", async () => {
  const { client, page, field } = await openTopic("snippets");
  await field.fill("Soup is *ready*");
  await page.keyboard.press("Control+'");
  const dialog = page.getByRole("dialog", { name: "Saved snippets" });
  await dialog.getByText("Keep texts here that you write often.").waitFor();
  await dialog.getByRole("button", { name: "New snippet" }).click();
  await dialog.getByRole("textbox", { name: "Title" }).fill("Kitchen");
  await client.checkAccessibility();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Edit Kitchen" }).waitFor();
  await client.checkAccessibility();
  await page.keyboard.press("Escape");
  await field.fill("Hello: ");
  await page.keyboard.press("Control+'");
  await dialog.getByRole("textbox", { name: "Search the snippets" }).fill("kit");
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("Hello: Soup is *ready*");
  await field.fill("");
  await page.keyboard.press("Control+'");
  await dialog.getByRole("button", { name: "Delete Kitchen" }).click();
  await dialog.getByText("Keep texts here that you write often.").waitFor();
  await page.keyboard.press("Escape");
  await client.finish();
});

test("a poll is made in fields, and its text can't be confused with other entries", async () => {
  const { client, page } = await openTopic("polls in fields");
  await page.getByRole("button", { name: "More to insert" }).click();
  await page.getByRole("menuitem", { name: "Poll" }).click();
  const dialog = page.getByRole("dialog", { name: "Poll" });
  await dialog.getByRole("button", { name: "Send" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByRole("textbox", { name: "Question" }).fill("When?");
  await dialog.getByRole("textbox", { name: "Answer 1" }).fill("Today");
  await dialog.getByRole("textbox", { name: "Answer 2" }).fill("Tomorrow");
  await dialog.getByRole("textbox", { name: "Answer 3" }).fill("Today");
  await client.checkAccessibility();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  const poll = page.getByRole("feed").getByRole("region", { name: "Poll" });
  await poll.getByRole("button", { name: "Tomorrow, 0 votes" }).waitFor();
  await expect.poll(() => poll.getByRole("listitem").count()).toBe(2);
  await client.finish();
});

test("the box says who is mentioned without being in the channel, and adds them", async () => {
  const { harness, channel, client, page, field } = await openTopic("absent people");
  await field.pressSequentially("@**Cleo Marsh** @**Elin Berg** hello");
  await page.getByText("Cleo Marsh is not in #absent people and will not be notified.").waitFor();
  await expect.poll(() => page.getByText("Elin Berg is not in").count()).toBe(0);
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Add Cleo Marsh" }).click();
  await page.getByText("Cleo Marsh is not in").waitFor({ state: "detached" });
  const { subscribers } = await expectSuccess(harness.as("ada").get(`/streams/${channel.id}/members`));
  expect(subscribers).toContain(harness.user("cleo").id);
  await field.fill("");
  await client.finish();
});

test("where the viewer may not write, the reason is there instead of the box", async () => {
  const { harness, channel, client, page, field } = await openTopic("announcements");
  // The end of the typing is announced too late.
  client.expectProblems(/status of 400/);
  await field.fill("Too late");
  const change = {
    can_send_message_group: JSON.stringify({ new: { direct_members: [], direct_subgroups: [] } }),
  };
  await expectSuccess(harness.as("ada").patch(`/streams/${channel.id}`, change));
  await page.getByText("You don’t have permission to write in this channel.").waitFor();
  await expect.poll(() => field.count()).toBe(0);
  await client.finish();
});

test("arrows in an empty field edit the last message, and another key previews the text", async () => {
  const { client, page, field } = await openTopic("keys of the box");
  await field.press("ArrowLeft");
  const edited = page.getByRole("textbox", { name: "Text of the message" });
  await page.waitForFunction(() => document.activeElement?.closest(".edit-box") !== null);
  await expect.poll(() => edited.inputValue()).toBe("Shall we?");
  await edited.press("Escape");
  await field.fill("Some **soup**");
  await field.press("Alt+p");
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByText("soup").waitFor();
  await page.getByRole("button", { name: "Write", exact: true }).press("Alt+p");
  await expect.poll(() => field.inputValue()).toBe("Some **soup**");
  await field.fill("");
  await client.finish();
});

test("a text stays in sight while its preview cannot be fetched", async () => {
  const { client, page, field } = await openTopic("no preview");
  const isPreview = /\/preview-[^/]+\.js$/;
  await client.context.route(isPreview, (route) => route.abort());
  await field.fill("Some **soup**");
  await field.press("Alt+p");
  await page.getByRole("alert").getByText("can’t be reached").waitFor();
  expect(await field.inputValue()).toBe("Some **soup**");
  await client.context.unroute(isPreview);
  await field.press("Alt+p");
  await page.getByRole("region", { name: "Preview" }).getByText("soup").waitFor();
  await page.getByRole("button", { name: "Write", exact: true }).click();
  await field.fill("");
});

test("a preview that comes late leaves the field to what is written since", async () => {
  const { client, page, field } = await openTopic("late preview");
  const isPreview = /\/preview-[^/]+\.js$/;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await client.context.route(isPreview, async (route) => {
    await released;
    await route.continue();
  });
  const fetched = page.waitForResponse(isPreview);
  await field.fill("Some **soup**");
  await field.press("Alt+p");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect.poll(() => field.inputValue()).toBe("");
  await field.pressSequentially("And ");
  release();
  await (await fetched).finished();
  await page.waitForTimeout(200);
  await field.pressSequentially("bread", { timeout: 5000 });
  expect(await field.inputValue()).toBe("And bread");
  await field.fill("");
  await client.finish();
});

test("the heading of a day leads to the messages of another one", async () => {
  const { client, page } = await openTopic("days");
  await page.getByRole("button", { name: "Today" }).click();
  const dialog = page.getByRole("dialog", { name: "Go to a date" });
  await dialog.getByRole("textbox", { name: "Date" }).fill("2024-01-31");
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Go there" }).click();
  await dialog.waitFor({ state: "detached" });
  await client.settled();
  await page.getByRole("feed").getByText("Shall we?").waitFor();
  await client.finish();
});
