import { expect, test } from "vitest";
import { channelNarrow, topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { refuseNext, useBrowser } from "./browser.ts";
import { say, sayToPeople } from "./seed.ts";

const browser = useBrowser();

test("channels stand in folders that stay collapsed, and their counts leave muted topics out", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("folded", ["dev", "elin"]);
  const created = await expectSuccess(
    harness.as("ada").post("/channel_folders/create", { name: "Kitchen", description: "" }),
  );
  const folderId = created.channel_folder_id as number;
  await expectSuccess(harness.as("ada").patch(`/streams/${channel.id}`, { folder_id: folderId }));
  for (const topic of ["soup", "soup", "bread"]) await say(harness, "elin", channel.id, topic, "Hello");
  const policy = { stream_id: channel.id, topic: "bread", visibility_policy: 1 };
  await expectSuccess(harness.as("dev").post("/user_topics", policy));
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  const list = page.getByRole("navigation");
  // The third one is the notice about the new folder.
  await list.getByRole("link", { name: /folded.*3 unread messages/ }).waitFor();
  await list.getByRole("button", { name: "Kitchen" }).click();
  await list.getByRole("button", { name: /Kitchen.*3 unread messages/, expanded: false }).waitFor();
  await page.reload();
  await list.getByRole("button", { name: /Kitchen.*3 unread messages/, expanded: false }).waitFor();
  await expect.poll(() => list.getByRole("link", { name: /folded/ }).count()).toBe(0);
  await client.finish();
});

test("the keyboard alone filters the list, goes through it and opens the actions of a row", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("walked", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Hello");
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  const list = page.getByRole("navigation");
  await page.keyboard.press("q");
  await page.keyboard.type("walk");
  await list.getByRole("link", { name: "Inbox" }).waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "walked", level: 1 }).waitFor();
  await list.getByRole("link", { name: "Inbox" }).focus();
  await page.keyboard.press("ArrowDown");
  expect(await list.getByRole("link", { name: "Recent conversations" }).evaluate(isFocused)).toBe(true);
  await list.getByRole("link", { name: "walked" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByRole("menu", { name: /walked/ }).waitFor();
  await client.checkAccessibility();
  await page.keyboard.press("Escape");
  const edge = page.getByRole("separator", { name: "Width of the list" });
  await edge.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => edge.getAttribute("aria-valuenow")).toBe("272");
  await client.finish();
});

test("views are hidden, moved and added, and every window of the account knows", async () => {
  const { harness, open } = browser.world;
  await harness.channel("viewed", ["dev", "elin"]);
  const client = await open("dev", { hash: "#narrow/has/link" });
  const { page } = client;
  const list = page.getByRole("navigation");
  await list.getByRole("button", { name: "Actions for Recent conversations" }).click();
  await page.getByRole("menuitem", { name: "Hide from the list" }).click();
  await list.getByRole("link", { name: "Recent conversations" }).waitFor({ state: "detached" });
  await list.getByRole("button", { name: "More views" }).click();
  await page.getByRole("menuitem", { name: "Arrange views…" }).click();
  const dialog = page.getByRole("dialog", { name: "Views in the list" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("All links");
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Add the view" }).click();
  await dialog.getByRole("button", { name: "Move All links up" }).click();
  await client.settled();
  await refuseNext(client, "/navigation_views/**");
  const recent = dialog.getByRole("checkbox", { name: "Recent conversations" });
  await recent.click();
  await dialog.getByText("Not now").waitFor();
  await expect.poll(() => recent.isChecked()).toBe(false);
  await dialog.getByRole("button", { name: "Close" }).click();
  const links = await list.getByRole("link").allTextContents();
  expect(links.findIndex((text) => text.startsWith("All links"))).toBeLessThan(
    links.findIndex((text) => text.startsWith("Drafts")),
  );
  const { body } = await harness.as("dev").get("/navigation_views");
  expect(body.navigation_views).toEqual([
    { fragment: "recent", is_pinned: false },
    { fragment: "narrow/has/link", is_pinned: true, name: "All links" },
  ]);
  await client.finish();
});

test("a channel has a colour and notifications of its own", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("painted", ["dev"]);
  const client = await open("dev", { hash: hashOfNarrow({ narrow: channelNarrow(channel.id) }) });
  const { page } = client;
  const act = async (item: string) => {
    await page.getByRole("main").getByRole("button", { name: "Actions for this place" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await act("Choose a color…");
  const before = page.getByRole("radio", { checked: true });
  const color = await before.getAttribute("aria-label");
  await refuseNext(client, `/users/me/subscriptions/${channel.id}`);
  await page.getByRole("radio", { name: "Teal" }).click({ force: true });
  await page.getByText("Not now").waitFor();
  await expect.poll(() => before.getAttribute("aria-label")).toBe(color);
  await page.getByRole("radio", { name: "Teal" }).check({ force: true });
  await client.settled();
  await client.checkAccessibility();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await act("Notifications…");
  await page.getByRole("combobox", { name: "On the desktop" }).selectOption("On");
  await client.settled();
  await client.checkAccessibility();
  const { body } = await harness.as("dev").get("/users/me/subscriptions");
  const own = body.subscriptions.find(
    (subscription: { stream_id: number }) => subscription.stream_id === channel.id,
  );
  expect([own.color, own.desktop_notifications]).toEqual(["#1fa391", true]);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await client.finish();
});

test("on a phone, the list is a screen of its own with larger rows", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("small", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Hello");
  await sayToPeople(harness, "elin", [harness.user("dev").id], "Only for you");
  const client = await open("dev", {
    ...{ hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }), width: 390, height: 844 },
  });
  const { page } = client;
  await page.getByRole("button", { name: "Back to the list" }).click();
  const row = page.getByRole("navigation").getByRole("link", { name: /Elin Berg/ });
  await row.waitFor();
  await client.settled();
  expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await client.finish();
});

test("fingers find the actions of a row by a button, which hides nothing", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("touched", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Hello");
  const client = await open("dev", { hash: "#", width: 390, height: 844 });
  const { page } = client;
  const row = page.getByRole("navigation").getByRole("listitem").filter({ hasText: "touched" }).first();
  const button = row.getByRole("button", { name: "Actions for touched" });
  const opacity = () => button.evaluate((element) => getComputedStyle(element).opacity);
  await button.waitFor({ state: "attached" });
  await expect.poll(opacity).toBe("0");
  const session = await client.context.newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 });
  await expect.poll(opacity).toBe("1");
  // The rows have become shorter.
  client.expectProblems(/^shift: /);
  const [link, place] = [await row.getByRole("link").boundingBox(), await button.boundingBox()];
  expect(place?.width).toBeGreaterThanOrEqual(44);
  expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThanOrEqual(place?.x ?? 0);
  await button.click();
  await page.getByRole("menu", { name: /touched/ }).waitFor();
  await page.keyboard.press("Escape");
  await client.finish();
});

test("rows of the list stay the same elements, whatever comes and wherever the reader goes", async () => {
  const { harness, open } = browser.world;
  const [one, two] = [
    await harness.channel("stays", ["dev", "elin"]),
    await harness.channel("changes", ["dev", "elin"]),
  ];
  await say(harness, "elin", one.id, "soup", "Hello");
  await sayToPeople(harness, "elin", [harness.user("dev").id], "Only for you");
  const client = await open("dev", { hash: "#inbox" });
  // The list shows the topics of the channel that is opened, and new unread messages.
  client.expectProblems(/^shift: /);
  const { page } = client;
  const list = page.getByRole("navigation", { name: "Views and channels" });
  const rows = [list.getByRole("link", { name: /^stays/ }), list.getByRole("link", { name: /^Elin Berg/ })];
  const elements = await Promise.all(rows.map((row) => row.elementHandle()));
  await elements[1]?.focus();
  await say(harness, "elin", two.id, "bread", "Something else");
  await sayToPeople(harness, "elin", [harness.user("dev").id, harness.user("ada").id], "For both of you");
  await list.getByRole("link", { name: /^changes.*unread/ }).waitFor();
  await list.getByRole("link", { name: /Ada/ }).waitFor();
  expect(await elements[1]?.evaluate((row) => row === document.activeElement)).toBe(true);
  await list.getByRole("link", { name: /^changes/ }).click();
  await page.getByRole("feed").getByText("Something else").waitFor();
  await client.settled();
  for (const element of elements) expect(await element?.evaluate((row) => row.isConnected)).toBe(true);
  await client.finish();
});

test("a press on a channel opens it in the view that the account has set", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("opened", ["dev", "elin"]);
  for (const topic of ["soup", "bread"]) await say(harness, "elin", channel.id, topic, "Hello");
  const client = await open("dev", { hash: "#recent" });
  const { page } = client;
  // The list of topics appears in the list, and pushes what is below it.
  client.expectProblems(/^shift: \S+ (A\.item|DIV\. |BUTTON\.)/);
  const openAs = async (view: number) => {
    await expectSuccess(harness.as("dev").patch("/settings", { web_channel_default_view: view }));
    await page.goto(`${browser.world.url}/#recent`);
    await page.getByRole("heading", { name: "Recent conversations", level: 1 }).waitFor();
    await client.settled();
    await page.getByRole("navigation").getByRole("link", { name: "opened" }).click();
  };
  const heading = (name: string | RegExp) => page.getByRole("heading", { name, exact: true, level: 1 });
  await openAs(1);
  await heading(/opened.*bread/).waitFor();
  await openAs(2);
  await heading("opened").waitFor();
  await openAs(3);
  await page.getByRole("dialog").getByRole("option", { name: "soup" }).waitFor();
  await heading("opened").waitFor();
  await page.keyboard.press("Escape");
  await openAs(4);
  await heading("Inbox").waitFor();
  await client.finish();
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}
