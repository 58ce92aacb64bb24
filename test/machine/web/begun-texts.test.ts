import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { channelNarrow, topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

const boxOf = (page: Page) => page.getByRole("textbox", { name: /Message to/ });
const topicHash = (id: number, topic: string) => hashOfNarrow({ narrow: topicNarrow(id, topic) });
const channelHash = (id: number) => hashOfNarrow({ narrow: channelNarrow(id) });
const go = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

async function openTopic(name: string, options: { view?: "channel" | "feed" } = {}) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  const id = await say(harness, "elin", channel.id, "soup", `Soup in ${name}?`);
  const hash =
    options.view === "feed"
      ? "#feed"
      : options.view
        ? channelHash(channel.id)
        : topicHash(channel.id, "soup");
  const client = await open("dev", { hash });
  return { harness, open, channel, id, client, page: client.page, field: boxOf(client.page) };
}

const resolveTopic = (id: number, topic: string) =>
  expectSuccess(
    browser.world.harness
      .as("elin")
      .patch(`/messages/${id}`, { topic: `✔ ${topic}`, propagate_mode: "change_all" }),
  );

async function refuseSends(page: Page): Promise<() => Promise<void>> {
  await page.route("**/api/v1/messages", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  return () => page.unroute("**/api/v1/messages");
}

test("sending in one tab leaves the text that another tab has for the same conversation", async () => {
  const { client, page, field } = await openTopic("two tabs");
  // The address changes without a press.
  client.expectProblems(/^shift:/);
  const other = await client.context.newPage();
  await other.goto(page.url());
  await boxOf(other).waitFor();
  await field.fill("A long thought");
  await expect.poll(() => boxOf(other).inputValue()).toBe("A long thought");
  await boxOf(other).fill("ok");
  await boxOf(other).press("Control+Enter");
  await page.getByRole("feed").getByText("ok", { exact: true }).waitFor();
  await expect.poll(() => field.inputValue()).toBe("A long thought");
  await go(page, "#inbox");
  await client.settled();
  await page.goBack();
  await expect.poll(() => field.inputValue()).toBe("A long thought");
  await field.fill("");
  await other.close();
  await client.finish();
});

test("a draft that another device has sent leaves the box, the list of drafts and a reload", async () => {
  const { open, client, page, field, channel } = await openTopic("two devices");
  const saved = page.waitForResponse(/\/drafts$/);
  await field.fill("Written on the laptop");
  await saved;
  const phone = await open("dev", { hash: topicHash(channel.id, "soup"), width: 390 });
  await expect.poll(() => boxOf(phone.page).inputValue()).toBe("Written on the laptop");
  await boxOf(phone.page).press("Control+Enter");
  await page.getByRole("feed").getByText("Written on the laptop").waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
  await go(page, "#drafts");
  await page.getByText("Messages that you begin").waitFor();
  await go(page, topicHash(channel.id, "soup"));
  await page.reload();
  await client.settled();
  await expect.poll(() => field.inputValue()).toBe("");
  await phone.finish();
  await client.finish();
});

test("a box in which nobody types shows the newer text of another device", async () => {
  const { open, client, page, field, channel } = await openTopic("newer elsewhere");
  // The address changes without a press.
  client.expectProblems(/^shift:/);
  const phone = await open("dev", { hash: topicHash(channel.id, "soup"), width: 390 });
  await boxOf(phone.page).fill("Begun on the phone");
  await expect.poll(() => field.inputValue()).toBe("Begun on the phone");
  await go(page, "#inbox");
  await boxOf(phone.page).fill("Begun on the phone, and more");
  await go(page, topicHash(channel.id, "soup"));
  await expect.poll(() => field.inputValue()).toBe("Begun on the phone, and more");
  await field.fill("");
  await phone.finish();
  await client.finish();
});

test("a text keeps its caret, its selection and the focus when its topic is renamed", async () => {
  const { client, id, page, field } = await openTopic("renamed while typing");
  await field.fill("Half a sentence");
  await field.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(5, 6));
  await resolveTopic(id, "soup");
  await page.getByRole("textbox", { name: /✔ soup/ }).waitFor();
  await expect.poll(() => field.inputValue()).toBe("Half a sentence");
  const state = await field.evaluate((element: HTMLTextAreaElement) => [
    document.activeElement === element,
    element.selectionStart,
    element.selectionEnd,
  ]);
  expect(state).toEqual([true, 5, 6]);
  await page.keyboard.type("no");
  await expect.poll(() => field.inputValue()).toBe("Half no sentence");
  await field.fill("");
  await client.finish();
});

test("a reply that was begun in the combined feed follows its topic, and so does a closed draft", async () => {
  const { harness, client, channel, id, page, field } = await openTopic("follow me", { view: "feed" });
  await page.getByText("Soup in follow me?").click();
  await page.keyboard.press("r");
  await field.fill("An answer");
  await resolveTopic(id, "soup");
  await page.getByRole("textbox", { name: /✔ soup/ }).waitFor();
  await page.keyboard.press("Control+Enter");
  await expect
    .poll(async () => {
      const narrow = topicNarrow(channel.id, "✔ soup");
      const { body } = await harness
        .as("elin")
        .get("/messages", { narrow, anchor: "newest", num_before: 9, num_after: 0, apply_markdown: false });
      return body.messages.map(({ content }: { content: string }) => content);
    })
    .toContain("An answer");
  await go(page, topicHash(channel.id, "✔ soup"));
  await field.fill("Closed");
  await go(page, "#inbox");
  await expectSuccess(
    harness.as("elin").patch(`/messages/${id}`, { topic: "stew", propagate_mode: "change_all" }),
  );
  await go(page, "#drafts");
  await page.getByRole("link", { name: /› stew.*Closed/ }).click();
  await expect.poll(() => field.inputValue()).toBe("Closed");
  await field.fill("");
  await client.finish();
});

test("the topic that was typed in the view of a channel is kept with its text", async () => {
  const { client, channel, page, field } = await openTopic("typed topics", { view: "channel" });
  const topic = page.getByRole("combobox", { name: "Topic" });
  await topic.fill("lunch");
  await field.fill("What is there?");
  await go(page, "#inbox");
  await client.settled();
  await page.goBack();
  await expect
    .poll(async () => [await topic.inputValue(), await field.inputValue()])
    .toEqual(["lunch", "What is there?"]);
  await topic.fill("");
  await go(page, "#drafts");
  const row = page.getByRole("link", { name: /What is there\?/ });
  await expect.poll(() => row.textContent()).not.toContain("general chat");
  await row.click();
  await expect
    .poll(() => page.evaluate(() => location.hash))
    .toMatch(new RegExp(`channel/${channel.id}[^/]*$`));
  await expect
    .poll(async () => [await topic.inputValue(), await field.inputValue()])
    .toEqual(["", "What is there?"]);
  await field.fill("");
  await client.finish();
});

test("what was just written goes along to the person who is chosen, and an older draft stays", async () => {
  const { harness, client, page, field } = await openTopic("choose somebody", { view: "feed" });
  await go(page, hashOfNarrow({ narrow: [{ operator: "dm", operand: [harness.user("cleo").id] }] }));
  await page.getByRole("textbox", { name: "Message to Cleo Marsh" }).fill("An old draft");
  await go(page, "#feed");
  await client.settled();
  await page.keyboard.press("Escape");
  await page.keyboard.press("x");
  await field.fill("Just written");
  await page.getByRole("combobox", { name: "Add a person" }).fill("Cleo");
  await page.keyboard.press("Enter");
  await page.getByText("You began another text here: “An old draft”").waitFor();
  await expect.poll(() => field.inputValue()).toBe("Just written");
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Show it" }).click();
  await expect.poll(() => field.inputValue()).toBe("An old draft");
  await page.getByText("You began another text here: “Just written”").waitFor();
  await go(page, "#drafts");
  for (const name of [/An old draft/, /Just written/]) {
    await page.getByRole("link", { name }).waitFor();
    await page.getByRole("listitem").filter({ hasText: name }).getByRole("button").click();
  }
  await page.getByText("Messages that you begin").waitFor();
  await client.finish();
});

test("what is written while a message is being scheduled stays", async () => {
  const { client, page, field } = await openTopic("send later");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/v1/scheduled_messages", async (route) => {
    await held;
    await route.continue();
  });
  await field.fill("For later");
  await page.getByRole("button", { name: "More ways to send" }).click();
  await page.getByRole("menuitem", { name: /In one hour/ }).click();
  await field.fill("The next one");
  release();
  await page.getByText(/will be sent/).waitFor();
  await expect.poll(() => field.inputValue()).toBe("The next one");
  await field.fill("");
  await client.finish();
});

test("a failed message that is edited keeps what stood in the box", async () => {
  const { client, page, field } = await openTopic("edit a failed one");
  const allow = await refuseSends(page);
  client.expectProblems(/ERR_FAILED/);
  await field.fill("Refused");
  await page.keyboard.press("Control+Enter");
  await page
    .getByRole("alert")
    .getByText(/Not sent/)
    .waitFor();
  await field.fill("The next one");
  await page.getByRole("alert").getByRole("button", { name: "Edit" }).click();
  await expect.poll(() => field.inputValue()).toBe("Refused");
  await page.getByText("You began another text here: “The next one”").waitFor();
  await allow();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("feed").getByText("Refused").waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
  await page.getByRole("button", { name: "Show it" }).click();
  await expect.poll(() => field.inputValue()).toBe("The next one");
  await field.fill("");
  await client.finish();
});

test("a failed reply that is edited opens the box at its place, in a mixed view", async () => {
  const { client, page, field } = await openTopic("edit a failed reply", { view: "feed" });
  await refuseSends(page);
  client.expectProblems(/ERR_FAILED/);
  await page.getByText("Soup in edit a failed reply?").click();
  await page.keyboard.press("r");
  await field.fill("Refused");
  await page.keyboard.press("Control+Enter");
  const edit = page.getByRole("alert").getByRole("button", { name: "Edit" });
  await edit.waitFor();
  await page.getByRole("button", { name: "Close the message box" }).click();
  await edit.click();
  await page.getByRole("textbox", { name: /edit a failed reply › soup/ }).waitFor();
  await expect.poll(() => field.inputValue()).toBe("Refused");
  await field.fill("");
  await client.finish();
});

test("a failed message of a channel’s view is edited for the topic that it was for", async () => {
  const { harness, channel, client, page, field } = await openTopic("edit for a topic", { view: "channel" });
  const allow = await refuseSends(page);
  client.expectProblems(/ERR_FAILED/);
  const topic = page.getByRole("combobox", { name: "Topic" });
  await topic.fill("chosen");
  await field.fill("Refused");
  await page.keyboard.press("Control+Enter");
  await page
    .getByRole("alert")
    .getByText(/Not sent/)
    .waitFor();
  await topic.fill("another");
  await page.getByRole("alert").getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: /› chosen/ }).waitFor();
  await allow();
  await field.press("Control+Enter");
  await page.getByRole("feed").getByText("Refused").waitFor();
  await client.settled();
  const { body } = await harness.as("elin").get("/messages", {
    narrow: topicNarrow(channel.id, "chosen"),
    anchor: "newest",
    num_before: 9,
    num_after: 0,
  });
  expect(body.messages).toHaveLength(1);
  await client.finish();
});

test("a mention from somebody’s card opens the box where no conversation is shown", async () => {
  const { client, page, field } = await openTopic("mention me", { view: "feed" });
  await page
    .getByRole("article")
    .filter({ hasText: "Soup in mention me?" })
    .getByRole("button", { name: "Elin Berg" })
    .first()
    .click();
  await page.getByRole("button", { name: "Mention", exact: true }).click();
  await expect.poll(() => field.inputValue()).toMatch(/^@\*\*Elin Berg\|\d+\*\* $/);
  await page.getByRole("combobox", { name: "Channel" }).waitFor();
  await field.fill("");
  await client.finish();
});

test("the Enter that ends a word of an input method sends nothing, in Safari’s order too", async () => {
  const { client, page, field } = await openTopic("input methods");
  await expectSuccess(browser.world.harness.as("dev").patch("/settings", { enter_sends: true }));
  await page.getByText("Enter sends").waitFor();
  await field.fill("にほん");
  await field.evaluate((element) => {
    element.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
    const fields = { key: "Enter", keyCode: 229, bubbles: true, cancelable: true };
    element.dispatchEvent(new KeyboardEvent("keydown", fields));
  });
  await client.settled();
  await expect.poll(() => field.inputValue()).toBe("にほん");
  await field.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("");
  await expectSuccess(browser.world.harness.as("dev").patch("/settings", { enter_sends: false }));
  await client.finish();
});

test("a dialog stays open, with what was typed in it, when the topic behind it is resolved", async () => {
  const { client, id, page } = await openTopic("behind a dialog");
  await page.getByText("Soup in behind a dialog?").click();
  await page.keyboard.press("m");
  const dialog = page.getByRole("dialog");
  await dialog
    .getByRole("textbox")
    .or(dialog.getByRole("combobox", { name: "Topic" }))
    .first()
    .fill("another name");
  await resolveTopic(id, "soup");
  await page.getByRole("textbox", { name: /✔ soup/, includeHidden: true }).waitFor({ state: "attached" });
  await client.settled();
  expect(await dialog.count()).toBe(1);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await client.finish();
});

test("with a full storage a text is kept as long as the page lives, and on the server", async () => {
  const { harness, client, channel, page, field } = await openTopic("full storage");
  await page.evaluate(() => {
    let size = 4_000_000;
    for (let count = 0; size > 0; count++) {
      try {
        localStorage.setItem(`fill ${count}`, "x".repeat(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  });
  const saved = page.waitForResponse(/\/drafts$/);
  await field.fill("Still here");
  await go(page, "#inbox");
  await client.settled();
  await go(page, topicHash(channel.id, "soup"));
  await expect.poll(() => field.inputValue()).toBe("Still here");
  await saved;
  const { body } = await harness.as("dev").get("/drafts");
  expect(body.drafts.map((draft: { content: string }) => draft.content)).toContain("Still here");
  await field.fill("");
  await client.finish();
});

test("characters are counted as the server counts them", async () => {
  const { client, page, field } = await openTopic("emoji count");
  await field.press("End");
  await field.fill("😀".repeat(6000));
  await client.settled();
  expect(await page.getByText(/too long/).count()).toBe(0);
  await field.fill("😀".repeat(10_001));
  await page.getByText("1 character too long").waitFor();
  await field.press("Control+a");
  await field.press("Delete");
  await client.finish();
});

test("the text of an edit is there again after going elsewhere and after a reload, until it is cancelled", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("edits", ["dev", "elin"]);
  await say(harness, "dev", channel.id, "soup", "Wrong");
  const client = await open("dev", { hash: topicHash(channel.id, "soup") });
  // The address changes without a press.
  client.expectProblems(/^shift:/);
  const { page } = client;
  const edit = page.getByRole("textbox", { name: "Text of the message" });
  await page.getByText("Wrong").click();
  await page.keyboard.press("e");
  await edit.fill("Corrected");
  await go(page, "#inbox");
  await client.settled();
  await page.goBack();
  await expect.poll(() => edit.inputValue()).toBe("Corrected");
  await page.reload();
  await client.settled();
  await expect.poll(() => edit.inputValue()).toBe("Corrected");
  await go(page, "#drafts");
  await page.getByRole("link", { name: /Edit in #edits › soup.*Corrected/ }).waitFor();
  await client.checkAccessibility();
  await page.getByRole("link", { name: /Corrected/ }).click();
  await expect.poll(() => edit.inputValue()).toBe("Corrected");
  await edit.press("Escape");
  await go(page, "#drafts");
  await page.getByText("Messages that you begin").waitFor();
  await client.finish();
});

test("an edit goes along with its message to another topic, with caret and focus", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("moved edits", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "First");
  const id = await say(harness, "dev", channel.id, "soup", "Wrong");
  const client = await open("dev", { hash: topicHash(channel.id, "soup") });
  const { page } = client;
  const edit = page.getByRole("textbox", { name: "Text of the message" });
  await page.getByText("Wrong").click();
  await page.keyboard.press("e");
  await edit.fill("Corrected");
  await edit.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(2, 2));
  await expectSuccess(
    harness.as("ada").patch(`/messages/${id}`, { topic: "stew", propagate_mode: "change_one" }),
  );
  await page.getByRole("textbox", { name: /› stew/ }).waitFor();
  await expect.poll(() => edit.inputValue()).toBe("Corrected");
  await page.waitForFunction(() => document.activeElement?.closest(".edit-box") !== null);
  await page.keyboard.type("!");
  await expect.poll(() => edit.inputValue()).toBe("Co!rrected");
  await edit.press("Control+Enter");
  await page.getByRole("feed").getByText("Co!rrected").waitFor();
  await go(page, "#drafts");
  await page.getByText("Messages that you begin").waitFor();
  await client.finish();
});

test("who signs out is told of texts that only this browser has", async () => {
  const { harness, client, page, field } = await openTopic("signing out", { view: "channel" });
  await field.fill("Without a topic yet");
  await page.getByRole("button", { name: "Main menu" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign out?" });
  await dialog.getByText("1 text that you began is in this browser only, and would be lost.").waitFor();
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => field.inputValue()).toBe("Without a topic yet");
  await field.fill("");
  await client.finish();
  const { body } = await harness.as("dev").get("/drafts");
  expect(body.drafts).toEqual([]);
});
