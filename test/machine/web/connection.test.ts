import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say, sayMany } from "./seed.ts";

const browser = useBrowser();

test("after its queue has expired, the client catches up and keeps the place and the text", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("nights", ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", channel.id, "shift", 80);
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "shift") }) });
  const { page } = client;
  client.expectProblems(/status of 400/);
  const feed = page.getByRole("feed");
  await page.getByRole("textbox", { name: /Message to/ }).fill("Half a sentence");
  // The next poll names the queue.
  const poll = page.waitForRequest(/\/events\?/);
  await say(harness, "elin", channel.id, "shift", "Before midnight");
  const queueId = new URL((await poll).url()).searchParams.get("queue_id") as string;
  await feed.getByText("Before midnight").waitFor();
  await client.settled();
  await feed.hover();
  await page.mouse.wheel(0, -600);
  await page.waitForFunction(() => (history.state as { anchor?: unknown } | null)?.anchor !== undefined);
  const topOf = () =>
    feed.evaluate((element) => {
      const edge = element.getBoundingClientRect().top;
      const rows = [...element.querySelectorAll("article")];
      const row = rows.find((one) => one.getBoundingClientRect().bottom > edge + 1);
      return [row?.querySelector(".content")?.textContent, Math.round(row?.getBoundingClientRect().top ?? 0)];
    });
  const before = await topOf();
  const registered = page.waitForResponse(/\/register$/);
  await expectSuccess(harness.as("dev").delete("/events", { queue_id: queueId }));
  await say(harness, "elin", channel.id, "shift", "After midnight");
  await registered;
  await client.settled();
  expect(await topOf()).toEqual(before);
  await expect
    .poll(() => page.getByRole("textbox", { name: /Message to/ }).inputValue())
    .toBe("Half a sentence");
  await page.getByRole("button", { name: /newest message|new message/ }).click();
  await feed.getByText("After midnight").waitFor();
  await client.finish();
});

test("what failed without the network loads by itself when that is back, within two seconds", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("islands", ["dev", "elin"]);
  await sayMany(harness, "elin", channel.id, "ferry", 3);
  const client = await open("dev", { hash: "#inbox" });
  const { page, context } = client;
  // Parts of the program that come when there is time are missed too.
  client.expectProblems(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|dynamically imported|^shift: /);
  await context.setOffline(true);
  await page.getByText("You are offline").waitFor();
  const search = hashOfNarrow({
    narrow: [{ operator: "search", operand: "Message" }, ...topicNarrow(channel.id, "ferry")],
  });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, search);
  await page.getByText("The messages could not be loaded").waitFor();
  const since = Date.now();
  await context.setOffline(false);
  await expect.poll(() => page.getByText("You are offline").count()).toBe(0);
  expect(Date.now() - since).toBeLessThan(2000);
  await expect
    .poll(() =>
      page
        .getByRole("feed")
        .getByText(/Message \d/)
        .count(),
    )
    .toBe(3);
  await client.finish();
});
