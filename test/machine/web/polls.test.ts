import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { refuseNext, useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

/** A topic of dev's and elin's that begins with the text. */
async function openWith(name: string, text: string) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  const id = await say(harness, "elin", channel.id, "plans", text);
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "plans") });
  const client = await open("dev", { hash });
  const act = (content: object) =>
    expectSuccess(harness.as("elin").post("/submessage", { message_id: id, msg_type: "widget", content }));
  return { harness, channel, client, page: client.page, act, open, hash };
}

test("a poll takes votes and answers by keys, and shows those of others at once", async () => {
  const { client, page, act } = await openWith("votes", "/poll Lunch?\nSoup\nSalad");
  const poll = page.getByRole("region", { name: "Poll" });
  await poll.getByText("Lunch?").waitFor();
  await poll.getByRole("button", { name: "Soup, 0 votes" }).focus();
  await page.keyboard.press("Enter");
  await poll.getByRole("button", { name: "Soup, 1 vote", pressed: true }).waitFor();
  await act({ type: "vote", key: "canned,0", vote: 1 });
  await poll.getByRole("button", { name: "Soup, 2 votes" }).waitFor();
  await poll.getByText("Dev Rao and Elin Berg").waitFor();
  expect(
    await poll
      .getByRole("button", { name: "Soup, 2 votes" })
      .evaluate((element) => element === document.activeElement),
  ).toBe(true);
  await page.keyboard.press("Enter");
  await poll.getByRole("button", { name: "Soup, 1 vote", pressed: false }).waitFor();
  const field = poll.getByRole("textbox", { name: "Add an answer" });
  await field.fill("Soup");
  await field.press("Enter");
  await poll.getByRole("alert").waitFor();
  await field.fill("Bread");
  await field.press("Enter");
  await poll.getByRole("button", { name: "Bread, 0 votes" }).waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
  await client.settled();
  // Only its author may rename a poll.
  await expect.poll(() => poll.getByRole("button", { name: "Change: Question" }).count()).toBe(0);
  await client.finish();
});

test("a list of tasks is ticked off together, and its author renames it", async () => {
  const { harness, channel, client, page } = await openWith("tasks", "Let us plan");
  await say(harness, "dev", channel.id, "plans", "/todo Party\nCake: with candles\nMusic");
  const list = page.getByRole("region", { name: "List of tasks" });
  await list.getByRole("checkbox", { name: "Cake with candles" }).check();
  await list.getByRole("checkbox", { name: "Cake with candles", checked: true }).waitFor();
  const field = list.getByRole("textbox", { name: "Add a task" });
  await field.fill("Drinks: cold ones");
  await field.press("Enter");
  await list.getByRole("checkbox", { name: "Drinks cold ones" }).waitFor();
  await list.getByRole("button", { name: "Change: Title of the list" }).click();
  await list.getByRole("textbox", { name: "Title of the list" }).fill("Picnic");
  await page.keyboard.press("Enter");
  await list.getByText("Picnic").waitFor();
  await client.finish();
});

test("a task stays ticked off on its way, while others tick off theirs", async () => {
  const { page, client, act, open, hash } = await openWith("ticks", "/todo Party\nCake\nMusic");
  let deliver: () => void = () => {};
  const isHeld = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await page.route("**/api/v1/submessage", async (route) => {
    await isHeld;
    await route.continue();
  });
  const cake = page.getByRole("checkbox", { name: "Cake" });
  await cake.check();
  await act({ type: "strike", key: "1,canned" });
  await page.getByRole("checkbox", { name: "Music", checked: true }).waitFor();
  expect(await cake.isChecked()).toBe(true);
  deliver();
  const other = await open("elin", { hash });
  await other.page.getByRole("checkbox", { name: "Cake", checked: true }).waitFor();
  await other.finish();
  await page.unroute("**/api/v1/submessage");
  // What the server refuses goes back.
  await refuseNext(client, "/submessage");
  await cake.click();
  await page.getByText("Not now").waitFor();
  await expect.poll(() => cake.isChecked()).toBe(true);
  await client.finish();
});

test("a poll on its way shows its lines, and not the command", async () => {
  const { client, page } = await openWith("echo", "Let us vote");
  let deliver: () => void = () => {};
  const isHeld = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await page.route("**/api/v1/messages", async (route) => {
    if (route.request().method() === "POST") await isHeld;
    await route.continue();
  });
  const field = page.getByRole("textbox", { name: /message/i });
  await field.fill("/poll Which <soup>?\n* Leek\nPea");
  await page.keyboard.press("Control+Enter");
  const feed = page.getByRole("feed");
  await feed.getByText("Which <soup>?").waitFor();
  await expect
    .poll(() => feed.getByRole("listitem").allTextContents())
    .toEqual(expect.arrayContaining(["Leek", "Pea"]));
  await expect.poll(() => feed.getByText("/poll").count()).toBe(0);
  deliver();
  await page.getByRole("region", { name: "Poll" }).getByText("Which <soup>?").waitFor();
  await client.settled();
  // The poll is higher than its lines.
  client.expectProblems(/^shift: /);
  await client.finish();
});
