import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Narrow, topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();
const lateFiles =
  /\/(background|notes|outbox-sign|render|search-language-parts|start-saving|switcher|widget-body|writing-parts)-.*\.js$/;

/** Holds what the file of that name answers, until the function that it gives is called. */
async function hold(page: Page, file: string): Promise<() => void> {
  let deliver: () => void = () => {};
  const isHeld = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await page.route(`**/assets/${file}-*.js`, async (route) => {
    await isHeld;
    await route.continue();
  });
  return deliver;
}

/** `held`: the file that has not arrived when this resolves. */
async function openHeld(held: string, narrow: Narrow) {
  let deliver: () => void = () => {};
  const client = await browser.world.open("dev", {
    hash: hashOfNarrow({ narrow }),
    async before(page) {
      deliver = await hold(page, held);
    },
    isUnsettled: true,
  });
  return { client, page: client.page, deliver: () => deliver() };
}

async function makeTopic(name: string, text: string): Promise<Narrow> {
  const { harness } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  await say(harness, "elin", channel.id, "plans", text);
  await say(harness, "elin", channel.id, "plans", "What do you say?");
  return topicNarrow(channel.id, "plans");
}

test.each([
  ["a poll", "late-poll", '/poll Lunch?\nSoup\nSalad\nA "fresh" juice', "Poll"],
  ["a list of tasks", "late-tasks", "/todo Party\nCake: with candles\nMusic", "List of tasks"],
])("%s has its space before the part that draws it is there", async (_what, name, text, label) => {
  const { client, page, deliver } = await openHeld("widget-body", await makeTopic(name, text));
  const below = page.getByText("What do you say?");
  await below.waitFor();
  const before = await below.boundingBox();
  const space = page.locator(".widget-space");
  const spaceHeight = (await space.boundingBox())?.height ?? 0;
  deliver();
  const widget = page.getByRole("region", { name: label });
  await widget.waitFor();
  const height = (await widget.boundingBox())?.height ?? 0;
  expect(Math.abs(height - spaceHeight)).toBeLessThanOrEqual(1);
  expect(await below.boundingBox()).toEqual(before);
  await client.finish();
});

test("what is typed and pasted before the part for it is there is kept, and completed then", async () => {
  const { client, page, deliver } = await openHeld("writing-parts", await makeTopic("late-words", "Hello"));
  const field = page.getByRole("textbox", { name: /Message to/ });
  await field.focus();
  await field.evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", "<b>bold</b>");
    clipboardData.setData("text/plain", "bold");
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  deliver();
  await expect.poll(() => field.inputValue()).toBe("**bold**");
  await client.settled();
  await page.keyboard.type(" @el");
  await page.getByRole("option", { name: "Elin Berg", selected: true }).waitFor();
  await client.finish();
});

test("completions come as soon as their part does", async () => {
  const { client, page, deliver } = await openHeld("writing-parts", await makeTopic("late-names", "Hello"));
  const field = page.getByRole("textbox", { name: /Message to/ });
  await field.focus();
  await page.keyboard.type("Hi @el");
  await expect.poll(() => field.inputValue()).toBe("Hi @el");
  expect(await page.getByRole("listbox", { name: "Completions" }).count()).toBe(0);
  deliver();
  await page.getByRole("option", { name: "Elin Berg", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("Hi @**Elin Berg** ");
  await client.finish();
});

test("a search waits for the part that can say whether it has an answer", async () => {
  const asked: string[] = [];
  const narrow: Narrow = [{ operator: "has", operand: "wings" }];
  const { client, page, deliver } = await openHeld("search-language-parts", narrow);
  // The page of the address is asked for before there is a program.
  client.expectProblems(/400 \(Bad Request\)/);
  page.on("request", (request) => asked.push(request.url()));
  await page.getByRole("navigation").first().waitFor();
  deliver();
  await page.getByRole("heading", { level: 1, name: "Search: has:wings" }).waitFor();
  await page.getByText("wings").first().waitFor();
  expect(asked.filter((url) => url.includes("wings"))).toEqual([]);
  await client.finish();
});

test("without a network for them, the parts are asked for again, and nothing fails", async () => {
  const narrow = await makeTopic("no-parts", "/poll Lunch?\nSoup\nSalad");
  const client = await browser.world.open("dev", {
    hash: hashOfNarrow({ narrow }),
    async before(page) {
      await page.route(lateFiles, (route) => route.abort());
    },
    isUnsettled: true,
  });
  const { page } = client;
  client.expectProblems(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await page.getByText("What do you say?").waitFor();
  const field = page.getByRole("textbox", { name: /Message to/ });
  await field.focus();
  await page.keyboard.type("@el");
  await expect.poll(() => field.inputValue()).toBe("@el");
  await page.unroute(lateFiles);
  await page.keyboard.type("i");
  // A call that was refused may still be under way, so the first key after it may ask in vain.
  const complete = async () => {
    await page.keyboard.press("Backspace");
    await page.keyboard.type("i");
    return page.getByRole("option", { name: "Elin Berg" }).count();
  };
  await expect.poll(complete, { interval: 500 }).toBe(1);
  await client.context.setOffline(true);
  await page
    .getByText(/offline|can’t be reached/i)
    .first()
    .waitFor();
  await client.context.setOffline(false);
  await page.getByRole("region", { name: "Poll" }).waitFor();
  expect(await page.getByText("There is a new version").count()).toBe(0);
  await client.finish();
});

test("what a press needs and can't be fetched is said, nothing is lost, and another press gets it", async () => {
  const narrow = await makeTopic("late-presses", "Hello");
  const parts = /\/(insert-menu|upload-file|topic-menu|message-menu)-.*\.js$/;
  const client = await browser.world.open("dev", {
    hash: hashOfNarrow({ narrow }),
    before: (page) => page.route(parts, (route) => route.abort()),
  });
  const { page } = client;
  client.expectProblems(/ERR_FAILED|Failed to load resource|^shift: .* DIV\.compose /);
  const field = page.getByRole("textbox", { name: /Message to/ });
  const banner = page.getByRole("alert").getByText(/can’t be reached/);
  const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("soup") };
  await page.locator('.compose input[type="file"]').setInputFiles(file);
  await banner.waitFor();
  await page.getByRole("button", { name: "Close" }).first().click();
  await page.unrouteAll();
  await page.locator('.compose input[type="file"]').setInputFiles(file);
  await expect.poll(() => field.inputValue()).toMatch(/^\[notes\.txt\]\(\/user_uploads/);
  await field.fill("");
  await client.finish();
});

test("a page that could not be fetched comes by itself, with its words", async () => {
  const parts = /\/(settings|en)-[^/]*\.js$/;
  const client = await browser.world.open("dev", {
    hash: "#settings/preferences",
    before: (page) => page.route(parts, (route) => route.abort()),
    isUnsettled: true,
  });
  const { page } = client;
  client.expectProblems(/ERR_FAILED|Failed to load resource|^shift/);
  await page.getByRole("navigation").first().waitFor();
  await page.waitForTimeout(1000);
  await page.unrouteAll();
  await page.getByRole("combobox", { name: "Density" }).waitFor();
  await client.finish();
});
