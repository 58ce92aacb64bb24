import { expect, test } from "vitest";
import { expectSuccess } from "../../harness/answers.ts";
import { type Client, useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

/** A channel that appears in the list, with its topics, pushes what is below it in the list. */
const LIST_GROWS = /^shift: \S+ (A\.item|DIV\. )/;

/** Chooses what begins with the text in a field with chips. */
async function pick({ page }: Client, field: string, text: string, option: string): Promise<void> {
  const box = page.getByRole("combobox", { name: field });
  await box.fill(text);
  await page.getByRole("option", { name: option }).click();
}

test("a private channel is created, somebody is added, and administrators alone may post", async () => {
  const { harness, open } = browser.world;
  const client = await open("ada", { hash: "#channels/new" });
  const { page } = client;
  client.expectProblems(LIST_GROWS);
  await page.getByRole("textbox", { name: "Name" }).fill("surprise party");
  await page.getByRole("radio", { name: /Private, protected history/ }).check();
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Create the channel" }).click();
  await page.getByRole("heading", { name: /surprise party/, level: 1 }).waitFor();
  await page.getByRole("navigation").getByRole("button", { name: "Actions for surprise party" }).click();
  await page.getByRole("menuitem", { name: "Channel settings" }).click();

  await page.getByRole("link", { name: "Subscribers" }).click();
  await pick(client, "Add subscribers", "dev", "Dev");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("list", { name: "Subscribers" }).getByText("Dev").waitFor();
  await client.checkAccessibility();

  await page.getByRole("link", { name: "Permissions" }).click();
  await page.getByRole("combobox", { name: "Who can post" }).waitFor();
  await page.getByRole("button", { name: "Remove Everyone" }).click();
  await pick(client, "Who can post", "admin", "Administrators");
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Save: Who can post" }).click();
  await client.settled();
  const { body } = await harness.as("ada").get("/streams", { include_all: true });
  const channel = body.streams.find(({ name }: { name: string }) => name === "surprise party");
  expect(channel).toMatchObject({ invite_only: true, history_public_to_subscribers: false });
  const { body: groups } = await harness.as("ada").get("/user_groups");
  const posters = groups.user_groups.find(({ id }: { id: number }) => id === channel.can_send_message_group);
  expect(posters.name).toBe("role:administrators");
  const { body: subscribers } = await harness.as("ada").get(`/streams/${channel.stream_id}/members`);
  expect(subscribers.subscribers).toEqual([harness.user("ada").id, harness.user("dev").id]);
  await client.finish();
});

/** Where the page has something about the channel `surprise trip`, of four places that people look at. */
async function tracesOfTrip(client: Client, channelId: number): Promise<string[]> {
  const { page } = client;
  const found: string[] = [];
  const note = async (where: string, count: Promise<number>) => void ((await count) > 0 && found.push(where));
  const option = page.getByRole("option", { name: /surprise trip/ });
  await page.goto(`${browser.world.url}/#channels/all`);
  await page.getByRole("searchbox", { name: "Filter: Channels" }).waitFor();
  await client.settled();
  await note("list", page.getByRole("main").getByText("surprise trip").count());
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("surp");
  await client.settled();
  await note("switcher", option.count());
  await page.keyboard.press("Escape");
  await page.goto(`${browser.world.url}/#channels/${channelId}/surprise-trip/general`);
  const missing = page.getByText("This channel does not exist, or you can’t see it.");
  const heading = page.getByRole("heading", { name: /surprise trip/, level: 1 });
  await missing.or(heading).first().waitFor();
  await note("settings", heading.count());
  await page.goto(`${browser.world.url}/#inbox`);
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: /message/i }).fill("#surpr");
  await client.settled();
  await note("completion", option.count());
  return found;
}

test("a private channel leaves no trace for those who are not in it", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("surprise trip", ["ada", "dev"], { isPrivate: true });
  const inside = await open("dev", { hash: "#inbox" });
  const places = ["list", "switcher", "settings", "completion"];
  expect(await tracesOfTrip(inside, channel.id)).toEqual(places);
  await inside.context.close();
  const outside = await open("elin", { hash: "#inbox" });
  expect(await tracesOfTrip(outside, channel.id)).toEqual([]);
  await outside.finish();
});

test("channels are joined from the list, and changes of others appear in their settings", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("gardening", ["ada"]);
  await say(harness, "ada", channel.id, "tulips", "They are up.");
  const client = await open("dev", { hash: "#channels/available" });
  const { page } = client;
  client.expectProblems(LIST_GROWS);
  const list = page.getByRole("list", { name: "Channels" });
  await page.getByRole("searchbox", { name: "Filter: Channels" }).fill("garden");
  await list.getByRole("button", { name: "Join #gardening" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "gardening" }).waitFor();
  await list.waitFor({ state: "detached" });

  await page.getByRole("link", { name: "All", exact: true }).click();
  await page.getByRole("searchbox", { name: "Filter: Channels" }).fill("garden");
  await list.getByRole("link", { name: "gardening" }).click();
  await page.getByRole("heading", { name: "gardening", level: 1 }).waitFor();
  await expect.poll(() => page.getByRole("textbox", { name: "Name" }).count()).toBe(0);
  await expectSuccess(harness.as("ada").patch(`/streams/${channel.id}`, { description: "Roses *only*" }));
  await page.getByRole("main").getByText("Roses only").waitFor();
  await page.getByRole("link", { name: "Personal" }).click();
  await page.getByRole("checkbox", { name: "Mute" }).check();
  await page.getByRole("combobox", { name: "On the desktop" }).selectOption({ label: "On" });
  await client.settled();
  await client.checkAccessibility();
  const { body } = await harness.as("dev").get("/users/me/subscriptions");
  const own = body.subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === channel.id);
  expect(own).toMatchObject({ is_muted: true, desktop_notifications: true });
  await client.finish();
});

test("a channel is renamed, put into a new folder, archived and brought back on a phone", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("old name", ["ada"]);
  const client = await open("ada", { hash: "#channels/folders", width: 390, theme: "dark" });
  const { page } = client;
  // The list of folders above it grows.
  client.expectProblems(/^shift: .*FORM\.one-line/);
  for (const name of ["Later", "Sooner"]) {
    await page.getByRole("textbox", { name: "New folder" }).fill(name);
    await page.getByRole("button", { name: "Create the folder" }).click();
    await page.getByRole("list", { name: "Folders" }).getByText(name).waitFor();
  }
  await page.getByRole("button", { name: "Move Sooner up" }).click();
  await client.settled();
  await page.goto(`${browser.world.url}/?language=en#channels/${channel.id}/old-name/general`);
  await client.settled();
  await page.getByRole("textbox", { name: "Name" }).fill("new name");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "new name", level: 1 }).waitFor();
  await page.getByRole("combobox", { name: "Folder" }).selectOption({ label: "Sooner" });
  await client.settled();
  await page.getByRole("button", { name: "Archive the channel" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive the channel" }).click();
  await page.getByRole("heading", { name: "This channel is archived" }).waitFor();
  const { body } = await harness.as("ada").get(`/streams/${channel.id}`);
  const { body: folders } = await harness.as("ada").get("/channel_folders");
  expect(folders.channel_folders.map(({ name }: { name: string }) => name).slice(-2)).toEqual([
    "Sooner",
    "Later",
  ]);
  expect(body.stream).toMatchObject({ name: "new name", is_archived: true });
  expect(body.stream.folder_id).toBe(folders.channel_folders.at(-2).id);
  await page.getByRole("button", { name: "Unarchive the channel" }).click();
  await page.getByRole("button", { name: "Archive the channel" }).waitFor();
  await client.finish();
});
