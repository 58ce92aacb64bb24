import { expect, test } from "vitest";
import { combinedFeed, topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayToPeople } from "./seed.ts";

const browser = useBrowser();

test("the list of people says who is there and what they do, as it changes", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("present", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Hello");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }) });
  const { page } = client;
  // A person who comes goes from one section to the one above.
  client.expectProblems(/^shift: \S+ SECTION\./);
  await page.keyboard.press("w");
  const people = page.getByRole("complementary", { name: "People" });
  await people.getByRole("button", { name: /Elin Berg.*offline/ }).waitFor();
  const presence = { status: "active", new_user_input: true };
  await expectSuccess(harness.as("elin").post("/users/me/presence", presence));
  await people.getByRole("button", { name: /Elin Berg.*active/ }).waitFor();
  const status = { status_text: "Stirring", emoji_name: "car" };
  await expectSuccess(harness.as("elin").post("/users/me/status", status));
  await people.getByText("Stirring").first().waitFor();
  await page.keyboard.type("elin");
  await people.getByRole("button", { name: /Dev/ }).waitFor({ state: "detached" });
  await client.checkAccessibility();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Elin Berg" }).getByText("Stirring").waitFor();
  await client.finish();
});

test("a status is set from the main menu and cleared again", async () => {
  const { harness, open } = browser.world;
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  await page.keyboard.press("g");
  await page.getByRole("menuitem", { name: "Set a status…" }).click();
  const dialog = page.getByRole("dialog", { name: "Your status" });
  await dialog.getByRole("button", { name: "On vacation" }).click();
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Save" }).click();
  await client.settled();
  const own = () => harness.as("elin").get(`/users/${harness.user("dev").id}/status`);
  expect((await own()).body.status).toMatchObject({ status_text: "On vacation", emoji_name: "palm_tree" });
  await page.getByRole("button", { name: "Main menu" }).click();
  await client.checkAccessibility();
  await page.getByRole("menuitem", { name: "Change the status…" }).click();
  await dialog.getByRole("button", { name: "Clear the status" }).click();
  await client.settled();
  expect((await own()).body.status).toEqual({});
  await client.finish();
});

test("somebody who is muted is neither in lists nor in feeds, and comes back when unmuted", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("hushed", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "In the channel");
  await sayToPeople(harness, "elin", [harness.user("dev").id], "Between us");
  const client = await open("dev", { hash: hashOfNarrow({ narrow: combinedFeed }) });
  const { page } = client;
  const feed = page.getByRole("feed");
  await feed.getByText("Between us").waitFor();
  await page.keyboard.press("w");
  const person = page.getByRole("complementary").getByRole("button", { name: /Elin Berg/ });
  await person.click();
  const act = async (item: string) => {
    await page
      .getByRole("dialog", { name: "Elin Berg" })
      .getByRole("button", { name: "More about Elin Berg" })
      .click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await act("Mute");
  await page.getByRole("dialog").getByRole("button", { name: "Mute" }).click();
  await person.waitFor({ state: "detached" });
  await feed
    .getByText(/from (a muted person|muted people)/)
    .first()
    .waitFor();
  await feed.getByText("Between us").waitFor({ state: "detached" });
  await page
    .getByRole("navigation")
    .getByRole("link", { name: /Elin Berg/ })
    .waitFor({ state: "detached" });
  await page.goto(`${page.url().replace(/#.*/, "")}#user/${harness.user("elin").id}`);
  await page.getByText("You have muted this person.").waitFor();
  await page.getByRole("link", { name: "hushed" }).nth(1).waitFor();
  await client.checkAccessibility();
  await page.getByRole("button", { name: "More about Elin Berg" }).click();
  await page.getByRole("menuitem", { name: "Unmute" }).click();
  await person.waitFor();
  await client.finish();
});

test("the switcher finds topics, people and commands, and its last row searches messages", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("jumps", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "sidebar density", "Hello");
  const client = await open("dev", { hash: "#feed" });
  const { page } = client;
  await page.getByRole("feed").getByText("Hello").first().waitFor();
  await page.keyboard.press("Control+k");
  const options = page.getByRole("dialog").getByRole("option");
  await page.keyboard.type("jumps dens");
  await expect
    .poll(() => options.allTextContents())
    .toEqual(["sidebar density#jumps", "Search messages for “jumps dens”"]);
  await client.checkAccessibility();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /sidebar density/, level: 1 }).waitFor();
  await page.keyboard.press("s");
  await page.getByRole("heading", { name: "jumps", exact: true, level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("elin berg");
  await options.first().click();
  await page.getByRole("heading", { name: "Elin Berg", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("dark the");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await client.finish();
});

test("who signs out leaves nothing in the browser", async () => {
  const { open } = browser.world;
  const client = await open("dev", { hash: "#inbox" });
  const { page } = client;
  await page.getByRole("button", { name: "Direct messages", exact: true }).click();
  await page.keyboard.press("F6");
  expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
  await page.keyboard.press("g");
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/login/);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  expect((await client.context.cookies()).filter(({ value }) => value !== "")).toEqual([]);
  await client.context.close();
});

test("a reaction does not name muted people", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("reacted", ["ben", "cleo", "elin"]);
  const id = await say(harness, "ben", channel.id, "soup", "Hello");
  for (const name of ["cleo", "elin"] as const) {
    await expectSuccess(harness.as(name).post(`/messages/${id}/reactions`, { emoji_name: "heart" }));
  }
  const client = await open("ben", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }) });
  const { page } = client;
  const list = page.getByRole("feed").getByRole("list", { name: "Reactions" });
  await list.getByRole("button", { name: /Elin Berg/ }).waitFor();
  await expectSuccess(harness.as("ben").post(`/users/me/muted_users/${harness.user("elin").id}`));
  await list.getByRole("button", { name: /Cleo.*Muted person|Muted person.*Cleo/ }).waitFor();
  await expect.poll(() => list.getByRole("button", { name: /Elin Berg/ }).count()).toBe(0);
  await client.finish();
});

test("a mention opens the person’s card, by pointer and by key", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("named", ["ben", "elin"]);
  await say(harness, "ben", channel.id, "soup", "Ask @**Elin Berg** about it");
  const client = await open("ben", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "soup") }) });
  const { page } = client;
  const mention = page.getByRole("feed").getByRole("button", { name: "@Elin Berg" });
  const card = page.getByRole("dialog", { name: "Elin Berg" });
  await mention.click();
  await card.waitFor();
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  await mention.focus();
  await page.keyboard.press("Enter");
  await card.waitFor();
  await page.keyboard.press("Escape");
  await client.finish();
});

test("the list of people shows some hundred at a time, and its filter finds all", async () => {
  const client = await browser.world.open("cleo", { hash: "#inbox" });
  const { page } = client;
  await page.route("**/register*", async (route) => {
    const response = await route.fetch();
    const snapshot = (await response.json()) as { realm_users: object[] };
    const [first = {}] = snapshot.realm_users;
    const crowd = Array.from({ length: 220 }, (_one, at) => ({
      ...first,
      ...{ user_id: 1_000_000 + at, full_name: `Zo ${100 + at}`, email: `zo${at}@demo.test` },
    }));
    snapshot.realm_users.push(...crowd);
    await route.fulfill({ response, json: snapshot });
  });
  await page.reload();
  await client.settled();
  await page.keyboard.press("w");
  const people = page.getByRole("complementary", { name: "People" });
  const last = people.getByRole("button", { name: "Zo 319" });
  await people.getByRole("button", { name: "Zo 100" }).waitFor();
  await expect.poll(() => last.count()).toBe(0);
  const field = people.getByRole("textbox");
  await field.fill("zo 319");
  await last.waitFor();
  await field.fill("");
  const more = people.getByRole("button", { name: /^Show \d+ more of/ });
  await more.click();
  await last.waitFor();
  await expect.poll(() => more.count()).toBe(0);
  await client.context.close();
});
