import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

async function openTopic(name: string) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  for (const text of ["One", "Two", "Three"]) await say(harness, "elin", channel.id, "soup", text);
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }) });
  const { page } = client;
  const openMenu = async (item: string) => {
    await page.getByRole("main").getByRole("button", { name: "Actions for this place" }).click();
    const menu = page.getByRole("menu");
    const named = { name: item, exact: true };
    await menu.getByRole("menuitem", named).or(menu.getByRole("menuitemradio", named)).click();
    await client.settled();
  };
  return { harness, channel, client, page, openMenu, list: page.getByRole("navigation") };
}

test("a topic is muted, followed and resolved from its menu", async () => {
  const { harness, channel, client, page, openMenu, list } = await openTopic("menus of topics");
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") });
  const other = await browser.world.open("elin", { hash });
  // The list has more topics than before.
  other.expectProblems(/^shift: .*\.item more/);
  client.expectProblems(/^shift: .*\.item more/);
  await openMenu("Muted");
  await list.getByText("(muted)").waitFor({ state: "attached" });
  await openMenu("Followed");
  await list.getByText("(followed)").waitFor({ state: "attached" });
  await openMenu("Same as the channel");
  await openMenu("Mark as resolved");
  await list.getByRole("link", { name: /✔ soup/ }).waitFor();
  const { body } = await harness.as("dev").get(`/users/me/${channel.id}/topics`);
  expect(body.topics[0].name).toBe("✔ soup");
  // A person who looks at the topic goes along, and comes back when it is open again.
  for (const each of [page, other.page]) {
    await each.getByRole("heading", { name: /✔ soup/, level: 1 }).waitFor();
    await each.getByRole("feed").getByText("Three").waitFor();
  }
  await openMenu("Reopen the topic");
  await other.page.getByRole("heading", { name: /✔/, level: 1 }).waitFor({ state: "detached" });
  await other.page.getByRole("heading", { name: /soup/, level: 1 }).waitFor();
  await other.finish();
  await client.finish();
});

test("this message and the later ones move to another topic, and the view goes along", async () => {
  const { channel, client, page } = await openTopic("moves");
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") });
  const other = await browser.world.open("elin", { hash });
  // The list has more topics than before.
  other.expectProblems(/^shift: .*\.item more/);
  client.expectProblems(/^shift: .*\.item more/);
  const rows = page.getByRole("feed").getByRole("article");
  await rows.nth(1).focus();
  await page.keyboard.press("m");
  const dialog = page.getByRole("dialog", { name: "Move messages" });
  await dialog
    .getByRole("textbox", { name: "Topic" })
    .or(dialog.getByRole("combobox", { name: "Topic" }))
    .fill("bread");
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await page.getByRole("heading", { name: /bread/, level: 1 }).waitFor();
  await page.getByRole("feed").getByText("Three").waitFor();
  await expect.poll(() => page.getByRole("feed").getByText("One").count()).toBe(0);
  // A window on the old topic keeps what has stayed there.
  const feed = other.page.getByRole("feed");
  await feed.getByText("Three").waitFor({ state: "detached" });
  await feed.getByText("One").waitFor();
  await other.page
    .getByRole("navigation")
    .getByRole("link", { name: /^bread/ })
    .waitFor();
  await other.finish();
  await client.finish();
});

test("a channel is pinned, muted and left from its menu in the list", async () => {
  const { client, page, list } = await openTopic("leaving");
  const act = async (item: string) => {
    await list.getByRole("button", { name: "Actions for leaving" }).click();
    await page.getByRole("menu").getByRole("menuitem", { name: item }).click();
    await client.settled();
  };
  await act("Pin to the top");
  await act("Mute the channel");
  await act("Leave the channel");
  await list.getByRole("button", { name: "Actions for leaving" }).waitFor({ state: "detached" });
  await client.finish();
});

test("the dialog for moving has the fields of the message box: signs, what fits, by keys", async () => {
  // In a private channel one reads what was written since one is in it.
  const vault = await browser.world.harness.channel("moved to a vault", ["dev", "elin"], { isPrivate: true });
  const { harness, channel, client, page } = await openTopic("moved from");
  await say(harness, "elin", vault.id, "gold bars", "Shiny");
  client.expectProblems(/^shift:/);
  await page.getByRole("feed").getByRole("article").nth(2).focus();
  await page.keyboard.press("m");
  const dialog = page.getByRole("dialog", { name: "Move messages" });
  const topic = dialog.getByRole("combobox", { name: "Topic" });
  const field = dialog.getByRole("combobox", { name: "Channel" });
  await expect.poll(() => topic.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await field.inputValue()).toBe(channel.name);
  await field.focus();
  // What fits nothing is not taken, and Escape closes the list alone.
  await page.keyboard.type("no such one");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  expect(await field.inputValue()).toBe(channel.name);
  await page.keyboard.type("vault");
  await dialog.getByRole("option", { name: "moved to a vault" }).waitFor();
  await client.checkAccessibility();
  await page.keyboard.press("Enter");
  expect(await field.inputValue()).toBe("moved to a vault");
  await expect.poll(() => topic.evaluate((one) => one === document.activeElement)).toBe(true);
  await topic.fill("gold");
  await dialog.getByRole("option", { name: /gold bars/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  expect(await topic.inputValue()).toBe("gold bars");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /gold bars/, level: 1 }).waitFor();
  await page.getByRole("feed").getByText("Three").waitFor();
  await client.finish();
});

test("a message that is begun in a channel goes there, and another can be chosen", async () => {
  const { harness, client, page } = await openTopic("begun here");
  client.expectProblems(/^shift:/);
  await harness.channel("begun there", ["dev"], { isWebPublic: true });
  await page.getByRole("feed").getByText("Three").waitFor();
  await page.locator("main h1").click();
  await page.keyboard.press("c");
  const field = page.getByRole("combobox", { name: "Channel" });
  const topic = page.getByRole("combobox", { name: "Topic" });
  await expect.poll(() => topic.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await field.inputValue()).toBe("begun here");
  await page.keyboard.type("bread");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Not lost");
  await field.focus();
  await page.keyboard.type("there");
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("begun there");
  await expect.poll(() => topic.inputValue()).toBe("bread");
  expect(await page.getByRole("textbox", { name: /Message/ }).inputValue()).toBe("Not lost");
  await client.checkAccessibility();
  await client.finish();
});
