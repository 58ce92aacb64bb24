import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayMany } from "./seed.ts";

const browser = useBrowser();

/** A topic of dev's and elin's, with a message of each. */
async function talk(name: string) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  const theirs = await say(harness, "elin", channel.id, "talk", "What about **soup**?");
  const own = await say(harness, "dev", channel.id, "talk", "Soup it is");
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "talk") });
  const client = await open("dev", { hash });
  const { page } = client;
  const rows = page.getByRole("feed").getByRole("article");
  return { harness, channel, theirs, own, client, page, rows, feed: page.getByRole("feed") };
}

test("keys react, star, collapse and mark as unread, and the row shows it", async () => {
  const { harness, client, page, feed, rows, theirs } = await talk("keys of messages");
  await rows.first().focus();
  await page.keyboard.press("+");
  await feed.getByRole("button", { name: "+1: Dev Rao", pressed: true }).waitFor();
  await page.keyboard.press("=");
  await feed.getByRole("list", { name: "Reactions" }).waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await rows.first().getByText("starred").waitFor();
  await page.keyboard.press("-");
  await feed.getByRole("button", { name: "Show the collapsed message" }).click();
  await feed.getByText("What about soup?").waitFor();
  await client.settled();
  await rows.first().focus();
  await page.keyboard.press("Shift+U");
  await client.settled();
  const { body } = await harness.as("dev").get(`/messages/${theirs}`);
  expect(body.message.flags).toContain("starred");
  await page.waitForFunction(() => /^\(\d/.test(document.title));
  await client.finish();
});

test("an emoji is found by its name, and chosen by keys", async () => {
  const { client, page, feed, rows } = await talk("emoji");
  await rows.first().focus();
  await page.keyboard.press(":");
  const field = page.getByRole("dialog", { name: "Emoji" }).getByRole("combobox");
  await page.getByRole("option", { name: "+1", exact: true }).waitFor();
  await client.checkAccessibility();
  await field.fill("octopus");
  await page.getByRole("option", { name: "octopus", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await feed.getByRole("button", { name: "octopus: Dev Rao" }).waitFor();
  await page.keyboard.press(":");
  await page.getByRole("dialog", { name: "Emoji" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Emoji" }).waitFor({ state: "detached" });
  expect(page.url()).toContain("#narrow");
  await client.finish();
});

test("one's own message is edited in its place, and its history shows the difference", async () => {
  const { client, page, feed, rows } = await talk("edits");
  await rows.nth(1).focus();
  await page.keyboard.press("e");
  const field = page.getByRole("textbox", { name: "Text of the message" });
  await page.waitForFunction(() => document.activeElement?.closest(".edit-box") !== null);
  await expect.poll(() => field.inputValue()).toBe("Soup it is");
  await client.checkAccessibility();
  await field.fill("Salad it is");
  await field.press("Control+Enter");
  await feed.getByText("Salad it is").waitFor();
  await feed.getByText("(edited)").waitFor();
  await rows.nth(1).focus();
  await page.keyboard.press("Shift+H");
  const dialog = page.getByRole("dialog", { name: "Edit history" });
  await dialog.getByText("Soup", { exact: true }).waitFor();
  await client.checkAccessibility();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await client.finish();
});

test("the field of an edit is on the screen, below as well", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("below", ["dev", "elin"]);
  await sayMany(harness, "elin", channel.id, "walk", 30);
  await say(harness, "dev", channel.id, "walk", "The newest one");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "walk") }) });
  const { page } = client;
  await page.keyboard.press("End");
  await client.settled();
  const newest = page.getByRole("article").filter({ hasText: "The newest one" });
  await newest.hover();
  await newest.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Edit the message" }).click();
  const save = page.getByRole("button", { name: "Save" });
  await save.waitFor();
  const below = async () => {
    const [feed, box] = [await page.getByRole("feed").boundingBox(), await save.boundingBox()];
    return (box?.y ?? 0) + (box?.height ?? 0) - (feed?.y ?? 0) - (feed?.height ?? 0);
  };
  await expect.poll(below).toBeLessThan(0);
  await client.finish();
});

test("a text that is being edited is kept while the reader looks something up above", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("above", ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", channel.id, "walk", 150);
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  await say(harness, "dev", channel.id, "walk", "The newest one");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "walk") }) });
  const { page } = client;
  const feed = page.getByRole("feed");
  await feed.getByText("The newest one").waitFor();
  await page.keyboard.press("End");
  await feed.getByRole("article").last().focus();
  await page.keyboard.press("e");
  const field = page.getByRole("textbox", { name: "Text of the message" });
  await field.fill("Not yet finished");
  await feed.hover();
  const below = () =>
    feed.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  await page.mouse.wheel(0, -3000);
  await expect.poll(below).toBeGreaterThan(1500);
  await client.settled();
  const [row, view] = [await field.boundingBox(), await feed.boundingBox()];
  expect(row?.y).toBeGreaterThan((view?.y ?? 0) + (view?.height ?? 0) + 1000);
  await page.getByRole("button", { name: "Go to the newest message" }).click();
  await client.settled();
  await expect.poll(() => field.inputValue()).toBe("Not yet finished");
  const shown = await field.boundingBox();
  expect(shown?.y).toBeLessThan((view?.y ?? 0) + (view?.height ?? 0));
  await field.press("Escape");
  await client.finish();
});

test("a menu stays where it is when the buttons of its row have gone", async () => {
  const { client, page, rows } = await talk("stays");
  await rows.first().hover();
  await rows.first().getByRole("button", { name: "More actions" }).click();
  const menu = page.getByRole("menu", { name: "Message actions" });
  await menu.waitFor();
  await client.settled();
  const before = await menu.boundingBox();
  await menu.getByRole("menuitem", { name: "Copy a link to the message" }).hover();
  await rows.first().getByRole("toolbar", { name: "Message actions" }).waitFor({ state: "detached" });
  await client.settled();
  await page.evaluate(() => window.dispatchEvent(new Event("resize")));
  await client.settled();
  expect(await menu.boundingBox()).toEqual(before);
  await page.keyboard.press("Escape");
  await client.finish();
});

test("an edit that the server refuses keeps the text, and says why beside it", async () => {
  const { harness, own, client, page, rows } = await talk("conflicts");
  client.expectProblems(/status of 400/);
  await rows.nth(1).focus();
  await page.keyboard.press("e");
  const field = page.getByRole("textbox", { name: "Text of the message" });
  await field.fill("From here");
  await expectSuccess(harness.as("dev").patch(`/messages/${own}`, { content: "From elsewhere" }));
  await field.press("Control+Enter");
  await page.getByRole("alert").waitFor();
  await expect.poll(() => field.inputValue()).toBe("From here");
  await field.press("Escape");
  await page.getByRole("feed").getByText("From elsewhere").waitFor();
  await client.finish();
});

test("the menu offers what the viewer may do, and deleting asks first", async () => {
  const { client, page, feed, rows } = await talk("menus");
  await rows.first().hover();
  await rows.first().getByRole("button", { name: "More actions" }).click();
  const menu = page.getByRole("menu", { name: "Message actions" });
  await menu.getByRole("menuitem", { name: "Quote and reply" }).waitFor();
  await client.checkAccessibility();
  await expect.poll(() => menu.getByRole("menuitem", { name: "Delete the message" }).count()).toBe(0);
  await expect.poll(() => menu.getByRole("menuitem", { name: "Edit the message" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  await rows.nth(1).focus();
  await page.keyboard.press("i");
  await menu.waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Delete this message?" });
  await dialog.waitFor();
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await feed.getByText("Soup it is").waitFor({ state: "detached" });
  await client.finish();
});

test("a message is quoted into the answer, and its source is shown", async () => {
  const { client, page, rows } = await talk("quotes");
  await rows.first().focus();
  await page.keyboard.press(">");
  const field = page.getByRole("textbox", { name: /Message to/ });
  await page.waitForFunction(() => document.querySelector("textarea")?.value !== "");
  await expect
    .poll(() => field.inputValue())
    .toMatch(
      /^@_\*\*Elin Berg\|\d+\*\* \[said\]\(http.*\/near\/\d+\):\n```quote\nWhat about \*\*soup\*\*\?\n```/,
    );
  await field.fill("");
  await field.press("Escape");
  await rows.first().focus();
  await page.keyboard.press("e");
  await page.getByRole("dialog", { name: "Message source" }).getByText("What about **soup**?").waitFor();
  await page.keyboard.press("Escape");
  await client.finish();
});

test("the menu of a message is neither over the message nor over the box", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("menu's place", ["dev", "elin"]);
  for (let at = 0; at < 14; at++) await say(harness, "elin", channel.id, "soup", `Line ${at}`);
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") });
  const client = await open("dev", { hash });
  const { page } = client;
  const box = await page.locator(".compose").boundingBox();
  for (const line of ["Line 2", "Line 6", "Line 9", "Line 13"]) {
    const row = page.getByRole("article").filter({ hasText: new RegExp(`${line}$`) });
    await row.hover();
    await row.getByRole("button", { name: "More actions" }).click();
    const menu = page.getByRole("menu");
    await menu.getByRole("menuitem").first().waitFor();
    await client.settled();
    const [place, message] = [await menu.boundingBox(), await row.locator(".message").boundingBox()];
    if (!place || !message || !box) throw new Error("Something is not on the screen.");
    const isApart = place.y >= message.y + message.height || place.y + place.height <= message.y;
    expect(isApart, line).toBe(true);
    expect(place.y + place.height, line).toBeLessThanOrEqual(box.y);
    expect(place.y, line).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
  }
  await client.finish();
});
