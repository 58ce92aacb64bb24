import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayMany } from "./seed.ts";

const browser = useBrowser();

const hashOf = (channelId: number, topic: string, near?: number) =>
  hashOfNarrow({ narrow: topicNarrow(channelId, topic), ...(near !== undefined && { near }) });

test("a link to a message selects and marks it, and its words alone can be quoted", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("marked", ["dev", "elin"]);
  const wanted = await say(harness, "elin", channel.id, "soup", "Onions first, then garlic");
  await say(harness, "ada", channel.id, "soup", "And salt").catch(() => undefined);
  const last = await say(harness, "elin", channel.id, "soup", "Salt at last");
  const client = await open("dev", { hash: hashOf(channel.id, "soup", wanted) });
  const { page } = client;
  client.expectProblems(/^shift:/);
  const rowOf = (id: number) => page.locator(`article[data-key="${id}"]`);
  await page.locator(`article[data-key="${wanted}"] .message.aimed`).waitFor();
  expect(await rowOf(wanted).getAttribute("tabindex")).toBe("0");
  expect(await page.locator(`article[data-key="${last}"] .message.aimed`).count()).toBe(0);
  // Words that are marked by script leave the focus where it is, as those of a finger do.
  await rowOf(wanted)
    .locator(".content")
    .evaluate((content) => {
      const text = content.querySelector("p")?.firstChild as Text;
      getSelection()?.setBaseAndExtent(text, 0, text, 6);
    });
  await page.keyboard.press(">");
  const field = page.getByRole("textbox", { name: /Message/ });
  await expect.poll(() => field.inputValue()).toMatch(/```quote\nOnions\n```/);
  await field.fill("");
  // A press on a picture opens the card of who it is of.
  await rowOf(wanted).locator(".avatar").click();
  await page.getByRole("dialog", { name: "Elin Berg" }).waitFor();
  await page.keyboard.press("Escape");
  await client.finish();
});

test("the list shows the row of the conversation that one came to", async () => {
  const { harness, open } = browser.world;
  const ids = [];
  for (let at = 10; at < 40; at++) ids.push((await harness.channel(`list ${at}`, ["dev", "elin"])).id);
  const last = ids.at(-1) ?? 0;
  await say(harness, "elin", last, "far down", "Here");
  const client = await open("dev", { hash: hashOf(last, "far down") });
  const { page } = client;
  client.expectProblems(/^shift:/);
  const row = page.getByRole("navigation").getByRole("link", { name: /^far down/ });
  const isSeen = () =>
    row.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top > 0 && bottom <= innerHeight;
    });
  await expect.poll(isSeen).toBe(true);
  await client.finish();
});

test("who writes in a resolved topic is told, and can reopen it with the text kept", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("resolved ones", ["dev", "elin"]);
  const id = await say(harness, "elin", channel.id, "leak", "It drips");
  const change = { topic: "✔ leak", propagate_mode: "change_all" };
  await expectSuccess(harness.as("dev").patch(`/messages/${id}`, change));
  const client = await open("dev", { hash: hashOf(channel.id, "✔ leak") });
  const { page } = client;
  client.expectProblems(/^shift:/);
  const field = page.getByRole("textbox", { name: /Message/ });
  expect(await page.getByText("This topic is resolved.").count()).toBe(0);
  await field.fill("It drips again");
  await page.getByText("This topic is resolved.").waitFor();
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Reopen it" }).click();
  await page.getByRole("heading", { name: /resolved ones leak$/, level: 1 }).waitFor();
  await page.getByText("This topic is resolved.").waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("It drips again");
  await client.finish();
});

test("the list of topics says what is unread, followed and resolved, and begins a new one", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("topics at length", ["dev", "elin"]);
  for (const topic of ["plain", "✔ done", "dear"]) await say(harness, "elin", channel.id, topic, "Hello");
  const policy = { stream_id: channel.id, topic: "dear", visibility_policy: 3 };
  await expectSuccess(harness.as("dev").post("/user_topics", policy));
  const client = await open("dev", { hash: hashOf(channel.id, "plain") });
  const { page } = client;
  client.expectProblems(/^shift:/);
  await page.getByRole("feed").getByText("Hello").waitFor();
  await page.keyboard.press("y");
  const dialog = page.getByRole("dialog", { name: "Topics of #topics at length" });
  await dialog.getByRole("option", { name: /dear.*followed · 1 unread message · \d/ }).waitFor();
  await dialog.getByRole("option", { name: "New topic", exact: true }).waitFor();
  await client.checkAccessibility();
  await page.keyboard.type("brand new");
  await dialog.getByRole("option", { name: "New topic “brand new”" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: /› brand new/ }).waitFor();
  await client.finish();
});

test("addresses of other clients lead to what they mean, and unknown ones say so", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("old links", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "soup", "Hello");
  const client = await open("dev", { hash: "#recent_topics" });
  const { page } = client;
  client.expectProblems(/^shift:/);
  const goTo = (hash: string) =>
    page.evaluate((wanted) => {
      location.hash = wanted;
    }, hash);
  await page.getByRole("heading", { name: "Recent conversations", level: 1 }).waitFor();
  await goTo("#streams/all");
  await page.waitForURL(/#channels\/available$/);
  await goTo(`#topics/${channel.id}`);
  await page.getByRole("heading", { name: /old links/, level: 1 }).waitFor();
  await goTo("#no-such-view");
  await page.getByText("There is no view at this address.").waitFor();
  await client.finish();
});

test("a new search takes the place of the old one, and views of one word have names", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("searched", ["dev", "elin"]);
  await sayMany(harness, "elin", channel.id, "harbour", 3);
  const client = await open("dev", { hash: "#narrow/is/unread" });
  const { page } = client;
  client.expectProblems(/^shift:/);
  await page.getByRole("heading", { name: "Unread messages", level: 1 }).waitFor();
  await page.evaluate(() => {
    location.hash = "#narrow/is/alerted";
  });
  await page.getByText("You have no alert words yet").waitFor();
  await client.checkAccessibility();
  await page.evaluate(() => {
    location.hash = "#narrow/search/message";
  });
  const field = page.getByRole("combobox", { name: "Search messages" });
  await page.getByRole("feed").getByText("Message 3").waitFor();
  await page.locator("main h1").click();
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement?.ariaLabel === "Search messages");
  await page.keyboard.type("other");
  await expect.poll(() => field.inputValue()).toBe("other");
  await client.finish();
});

test("on a phone the title has two lines, the topic first", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("a channel of a long name", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "a topic that says much", "Hello");
  const client = await open("dev", {
    hash: hashOf(channel.id, "a topic that says much"),
    ...{ width: 390, height: 844, isTouch: true },
  });
  const { page } = client;
  const boxOf = async (selector: string) => {
    const box = await page.locator(`main h1 ${selector}`).boundingBox();
    return box ?? { x: 0, y: 0, width: 0, height: 0 };
  };
  const [topic, name] = [await boxOf(".topic-name"), await boxOf("a bdi")];
  expect(topic.y + topic.height).toBeLessThanOrEqual(name.y + 2);
  // Both lines stand in the middle of the header, not at an edge.
  const header = await page.locator("main header").boundingBox();
  expect(topic.y).toBeGreaterThanOrEqual(5);
  expect(name.y + name.height).toBeLessThanOrEqual((header?.height ?? 0) - 5);
  // The topic is whole, since what is seldom needed is in the menu.
  const isCut = (one: Element) => one.scrollWidth > one.clientWidth;
  expect(await page.locator("main h1 .topic-name").evaluate(isCut)).toBe(false);
  const actions = page.getByRole("button", { name: "Actions for this place" });
  await actions.tap();
  await page.getByRole("menuitem", { name: "New topic" }).tap();
  await page.getByRole("combobox", { name: "Topic" }).waitFor();
  await actions.tap();
  await page.getByRole("menuitem", { name: "People" }).tap();
  await page.getByRole("complementary", { name: "People" }).waitFor();
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Close the list of people" }).tap();
  await client.finish();
});
