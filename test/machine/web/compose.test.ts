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
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") });
  const client = await open("dev", { hash });
  const { page } = client;
  const field = page.getByRole("textbox", { name: /Message to/ });
  return { harness, channel, hash, client, page, field };
}

test("keys put marks around what is selected, and take them away again", async () => {
  const { client, page, field } = await openTopic("marks");
  await field.fill("soup");
  await field.selectText();
  await page.keyboard.press("Control+b");
  await expect.poll(() => field.inputValue()).toBe("**soup**");
  await page.keyboard.press("Control+b");
  await expect.poll(() => field.inputValue()).toBe("soup");
  await page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name: "Code" }).click();
  await expect.poll(() => field.inputValue()).toBe("`soup`");
  await field.fill("");
  await client.finish();
});

test("formatted text is pasted as Markdown", async () => {
  const { client, field } = await openTopic("pasting");
  // The box grows with its text. For the browser, an event that a script makes is no input.
  client.expectProblems(/^shift: .* DIV\.compose /);
  await field.evaluate((element, html) => {
    const data = new DataTransfer();
    data.setData("text/html", html);
    data.setData("text/plain", "Soup and bread");
    element.focus();
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, '<p><b>Soup</b> and <a href="https://example.com/bread">bread</a></p><ul><li>one</li><li>two</li></ul>');
  await expect
    .poll(() => field.inputValue())
    .toBe("**Soup** and [bread](https://example.com/bread)\n\n* one\n* two");
  await field.fill("");
  await client.finish();
});

test("a file becomes a link in the text, and one that is too large is refused before it is sent", async () => {
  const { client, page, field } = await openTopic("files");
  const picker = page.locator('input[type="file"]');
  await picker.setInputFiles({ name: "soup.txt", mimeType: "text/plain", buffer: Buffer.from("Soup") });
  await page.waitForFunction(() =>
    /\]\(\/user_uploads\//.test(document.querySelector("textarea")?.value ?? ""),
  );
  await expect.poll(() => field.inputValue()).toMatch(/^\[soup\.txt\]\(\/user_uploads\/.+\)$/);
  await client.checkAccessibility();
  await field.fill("");
  await client.finish();
});

test("a direct message goes to the people who are chosen by their names", async () => {
  const { harness, client, page } = await openTopic("people");
  await page.keyboard.press("x");
  const people = page.getByRole("combobox", { name: "Add a person" });
  await people.fill("elin");
  await page.getByRole("option", { name: "Elin Berg", selected: true }).waitFor();
  await client.checkAccessibility();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove Elin Berg" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Only for you");
  await page.keyboard.press("Control+Enter");
  await client.settled();
  const narrow = [{ operator: "dm", operand: [harness.user("dev").id] }];
  const { body } = await harness
    .as("elin")
    .get("/messages", { narrow, anchor: "newest", num_before: 1, num_after: 0 });
  expect(body.messages[0].content).toBe("<p>Only for you</p>");
  await client.finish();
});

test("a draft is kept on the server, and listed until it is deleted", async () => {
  const { harness, client, page, field } = await openTopic("kept");
  await field.fill("Half a thought");
  const saved = page.waitForResponse(/\/drafts$/);
  await saved;
  const { body } = await harness.as("dev").get("/drafts");
  expect(body.drafts.map((draft: { content: string }) => draft.content)).toEqual(["Half a thought"]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("d");
  await page.getByRole("link", { name: /Half a thought/ }).waitFor();
  await client.checkAccessibility();
  const deleted = page.waitForResponse(/\/drafts\/\d+$/);
  await page.getByRole("button", { name: /Delete the draft/ }).click();
  await deleted;
  await page.getByText("Messages that you begin").waitFor();
  await client.finish();
});

test("files that are dropped anywhere in the conversation go to its box, and elsewhere they are refused", async () => {
  const { client, page, field } = await openTopic("dropping");
  const drag = (selector: string, type: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((target, name) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["Knots"], "knots.txt", { type: "text/plain" }));
        return !target.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
      }, type);
  const hint = page.getByText("Drop the files to add them to your message");
  expect(await drag(".feed", "dragover")).toBe(true);
  await hint.waitFor();
  expect(await drag("nav.sidebar", "dragover")).toBe(true);
  await expect.poll(() => hint.count()).toBe(0);
  const elsewhere = page.getByRole("status").filter({ hasText: "Drop the files on the messages" });
  await elsewhere.waitFor();
  expect(await drag("nav.sidebar", "drop")).toBe(true);
  await elsewhere.waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("");
  // Views without messages take none either.
  await page.keyboard.press("Shift+I");
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  expect(await drag("main", "dragover")).toBe(true);
  await page.getByText("open a conversation, and drop them there").waitFor();
  await client.checkAccessibility();
  expect(await drag("main", "drop")).toBe(true);
  await page.goBack();
  await drag(".feed", "dragover");
  expect(await drag(".feed", "drop")).toBe(true);
  await expect.poll(() => field.inputValue()).toMatch(/\[knots\.txt\]\(\/user_uploads\//);
  await expect.poll(() => hint.count()).toBe(0);
  await client.finish();
});
