import { expect, test } from "vitest";
import { directNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { type ClientOptions, useBrowser } from "./browser.ts";
import { say, sayMany, sayToPeople } from "./seed.ts";

const browser = useBrowser();

async function openSearch(options: ClientOptions = {}) {
  const client = await browser.world.open("dev", options);
  const { page } = client;
  const field = page.getByRole("combobox", { name: "Search messages" });
  const options_ = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
  const results = page.getByRole("feed", { name: /^Messages in Search:/ });
  return { client, page, field, options: options_, results };
}

test("operators are typed, proposed and left out again, and hits are marked", async () => {
  const { harness } = browser.world;
  const kitchen = await harness.channel("kitchen", ["dev", "elin"]);
  const garden = await harness.channel("garden", ["dev", "elin"]);
  await say(harness, "elin", kitchen.id, "soup of the day", "Pumpkin <b>soup</b> & bread");
  await say(harness, "dev", kitchen.id, "soup of the day", "I like pumpkin");
  await say(harness, "elin", garden.id, "harvest", "The pumpkin is ripe");
  const { client, page, field, options, results } = await openSearch();

  await page.keyboard.press("/");
  await options.first().waitFor();
  await client.checkAccessibility();
  await field.pressSequentially("channel:kit");
  await options.getByText("messages in #kitchen").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove channel: kitchen" }).waitFor();
  await field.pressSequentially("-sender:me pumpkin");
  await page.keyboard.press("Enter");
  await results.getByText("Pumpkin").waitFor();
  await client.settled();
  await expect.poll(() => results.getByRole("article").count()).toBe(1);
  await page.getByRole("heading", { level: 1, name: "Search: channel:kitchen -sender:me pumpkin" }).waitFor();
  await expect.poll(() => results.locator(".highlight").allTextContents()).toEqual(["Pumpkin"]);
  // What looked like markup is text.
  await expect.poll(() => results.getByText("<b>soup</b>").count()).toBe(1);
  await client.checkAccessibility();

  await page.getByRole("button", { name: "Remove −sender: me" }).click();
  await page.keyboard.press("Enter");
  await results.getByText("I like").waitFor();

  // A word of the topic is marked there.
  await page.getByRole("button", { name: "Clear the search" }).click();
  await field.fill("topic:harvest");
  await page.keyboard.press("Enter");
  await results.getByText("is ripe").waitFor();
  await client.finish();
});

test("a result opens among its neighbours without being read, and Back leads to the same results", async () => {
  const { harness } = browser.world;
  const channel = await harness.channel("archive of logs", ["dev", "elin"]);
  const first = await say(harness, "elin", channel.id, "old", "The needle in the haystack");
  await sayMany(harness, "elin", channel.id, "noise", 120);
  for (let at = 0; at < 18; at++) await say(harness, "elin", channel.id, `t${at}`, `A needle, number ${at}`);
  const { client, page, results } = await openSearch({ hash: "#narrow/search/needle" });
  await results.getByText("number 17").waitFor();
  // By now all rows have their heights. A jump to rows without heights counts as a shift.
  await client.settled();
  const unreadBefore = await page.title();
  const link = results.getByRole("link", { name: /old.*Show in context/ });
  await results.evaluate((element) => element.scrollTo(0, 0));
  await link.waitFor();
  await client.settled();
  const topOf = () => link.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const top = await topOf();

  await link.click();
  await page.getByRole("heading", { level: 1, name: /old/ }).waitFor();
  await page.getByRole("feed").getByText("in the haystack").waitFor();
  await client.settled();
  expect(new URL(page.url()).hash).toContain(`/near/${first}`);
  await expect.poll(() => page.title()).toContain(/^\(\d+\)/.exec(unreadBefore)?.[0] ?? "(");

  await page.goBack();
  await link.waitFor();
  await client.settled();
  expect(Math.abs((await topOf()) - top)).toBeLessThanOrEqual(1);
  const { body } = await harness.as("dev").get(`/messages/${first}`);
  expect(body.message.flags).not.toContain("read");
  await client.finish();
});

test("what was typed and left does not go along to another view", async () => {
  const { client, page, field, options } = await openSearch({ hash: "#inbox" });
  await page.keyboard.press("/");
  await options.first().waitFor();
  await field.pressSequentially("left beh");
  await page.getByRole("heading", { level: 1, name: "Inbox" }).click();
  await expect.poll(() => field.inputValue()).toBe("left beh");
  await page.getByRole("link", { name: "Combined feed" }).click();
  await page.getByRole("heading", { level: 1, name: "Combined feed" }).waitFor();
  await page.getByRole("button", { name: "Search messages" }).waitFor();
  await client.finish();
});

test("a search in a conversation says when nothing is found, and what to try", async () => {
  const { harness } = browser.world;
  const [ada, dev] = [harness.user("ada"), harness.user("dev")];
  await sayToPeople(harness, "ada", [dev.id], "A marmot was seen");
  const { client, page, field, results } = await openSearch({
    hash: hashOfNarrow({ narrow: directNarrow([ada.id]) }),
  });
  await page.getByRole("button", { name: "Search in this conversation" }).click();
  await page.getByRole("button", { name: /^Remove dm: / }).waitFor();
  await field.fill("badger");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Nothing was found." }).waitFor();
  await client.checkAccessibility();
  await page.getByRole("link", { name: /^Search without dm: / }).click();
  await page.getByRole("heading", { level: 1, name: "Search: badger" }).waitFor();
  await field.fill("sender:nobody marmot");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("“nobody” is not the name of one person.").waitFor();
  await page.getByRole("button", { name: "Change the search" }).click();
  await field.fill("x".repeat(2001));
  await page.getByRole("button", { name: "Remove sender: nobody" }).click();
  await page.keyboard.press("Enter");
  await page.getByText("The limit is 2000 characters.").waitFor();
  await expect.poll(() => results.count()).toBe(0);
  await client.finish();
});

test("recent searches are proposed, and forgotten when the person wants it", async () => {
  const { client, page, field, options } = await openSearch({ language: "de" });
  const search = page.getByRole("combobox", { name: "Nachrichten durchsuchen" });
  await expect.poll(() => field.count()).toBe(0);
  await page.keyboard.press("/");
  await search.fill("kürbis is:starred ");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Nichts gefunden." }).waitFor();
  await page.getByRole("button", { name: "Suche leeren" }).click();
  const list = page.getByRole("listbox", { name: "Vorschläge" });
  await list.getByRole("option", { name: /kürbis.*zuletzt gesucht/ }).waitFor();
  await list.getByRole("option", { name: "Letzte Suchen vergessen" }).click();
  await list.getByRole("option", { name: /zuletzt gesucht/ }).waitFor({ state: "detached" });
  await expect.poll(() => options.count()).toBe(0);
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("searches"))),
  ).toEqual([]);
  await client.finish();
});

test("a phone has a sheet for searches, from the list and from a conversation", async () => {
  const { harness } = browser.world;
  const channel = await harness.channel("phones", ["dev"]);
  await say(harness, "ada", channel.id, "dials", "The dial was round");
  const { client, page, field, results } = await openSearch({ width: 390, height: 844, theme: "dark" });
  await page.getByRole("button", { name: "Search messages" }).click();
  await field.fill("dial");
  await client.checkAccessibility();
  await page.keyboard.press("Enter");
  await results.getByText("was round").waitFor();
  await page.getByRole("button", { name: "Change the search" }).click();
  await field.waitFor();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await client.finish();
});
