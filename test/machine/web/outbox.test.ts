import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { type Client, refuseNext, useBrowser } from "./browser.ts";
import { openTopic, sign } from "./outbox.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

/** Calls that send get no answer, and do not reach the server. Gives what ends that. */
async function block(page: Page): Promise<() => Promise<void>> {
  const refuse = (route: Route) => (route.request().method() === "POST" ? route.abort() : route.continue());
  await page.route("**/api/v1/messages", refuse);
  return () => page.unroute("**/api/v1/messages", refuse);
}

test("a message that was not sent is there again after a reload, and goes out once", async () => {
  const { client, page, field, texts } = await openTopic(browser, "reloads");
  client.expectProblems(/ERR_FAILED/);
  const unblock = await block(page);
  await field.fill("Do not lose me");
  await field.press("Control+Enter");
  await page
    .getByRole("alert")
    .getByText(/Not sent/)
    .waitFor();
  await sign(page).getByText("1 message was not sent.").waitFor();
  await client.checkAccessibility();
  await page.reload();
  await client.settled();
  const alert = page.getByRole("alert");
  await alert.getByText(/Not sent/).waitFor();
  await page.getByRole("feed").getByText("Do not lose me").waitFor();
  await unblock();
  await alert.getByRole("button", { name: "Try again" }).click();
  await alert.waitFor({ state: "detached" });
  await client.settled();
  await expect.poll(async () => (await texts()).filter((text) => text === "Do not lose me")).toHaveLength(1);
  await sign(page).getByText("1 message was not sent.").waitFor({ state: "detached" });
  await client.finish();
});

test("a message whose answer was lost with the page is found, and not said to have failed", async () => {
  const { client, page, field, texts } = await openTopic(browser, "lost answers");
  client.expectProblems(/ERR_/);
  let isDone = () => {};
  const done = new Promise<void>((resolve) => {
    isDone = resolve;
  });
  await page.route(
    "**/api/v1/messages",
    async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      isDone();
    },
    { times: 1 },
  );
  await field.fill("It arrived");
  await field.press("Control+Enter");
  await done;
  await page.reload();
  await client.settled();
  await page.getByRole("feed").getByText("It arrived").waitFor();
  await expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("parley.outbox."))),
    )
    .toEqual([]);
  await expect.poll(() => page.getByRole("feed").getByText("It arrived").count()).toBe(1);
  await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  await expect.poll(async () => (await texts()).filter((text) => text === "It arrived")).toHaveLength(1);
  await client.finish();
});

test("what is sent from an old part of a conversation is shown at its end, also if it is refused", async () => {
  const { client, page, ids, narrow, field } = await openTopic(browser, "old parts", 300);
  await page.goto(`${browser.world.url}/?language=en#inbox`);
  await client.settled();
  await page.goto(`${browser.world.url}/?language=en${hashOfNarrow({ narrow, near: ids[10] as number })}`);
  await client.settled();
  await page.locator(`[data-key="${ids[10]}"]`).waitFor();
  await refuseNext(client, "/messages");
  await field.fill("From long ago");
  await field.press("Control+Enter");
  await page
    .getByRole("alert")
    .getByText(/Not sent\. Not now/)
    .waitFor();
  await page.getByRole("feed").getByText("From long ago").waitFor();
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await client.settled();
  await page.getByRole("feed").getByText("From long ago").waitFor();
  await client.finish();
});

test("a search says where a message went, and offers one that was refused again", async () => {
  const { harness, client, page, channel, field, texts } = await openTopic(browser, "answers");
  const text = `@**Dev Rao|${harness.user("dev").id}** where is the ladle?`;
  await say(harness, "elin", channel.id, "soup", text);
  for (const hash of ["#narrow/is/mentioned", "#narrow/search/ladle"]) {
    await page.goto(`${browser.world.url}/?language=en${hash}`);
    await client.settled();
    await page.getByRole("article").filter({ hasText: "where is the ladle" }).first().focus();
    await page.keyboard.press("r");
    await field.fill(`In the drawer, ${hash}`);
    await field.press("Control+Enter");
    await client.settled();
    await sign(page).getByText("Sent to").waitFor();
    await sign(page)
      .getByRole("link", { name: /answers › soup/ })
      .waitFor();
    await client.checkAccessibility();
    await refuseNext(client, "/messages");
    await field.fill(`Or not, ${hash}`);
    await field.press("Control+Enter");
    await sign(page).getByText("Not sent. Not now").waitFor();
    await client.checkAccessibility();
    await sign(page).getByRole("button", { name: "Try again" }).click();
    await sign(page).getByText("Sent to").waitFor();
  }
  await expect
    .poll(async () => (await texts()).slice(-4))
    .toEqual([
      "In the drawer, #narrow/is/mentioned",
      "Or not, #narrow/is/mentioned",
      "In the drawer, #narrow/search/ladle",
      "Or not, #narrow/search/ladle",
    ]);
  await client.finish();
});

/**
 * Takes the network from the page. What it says of messages that wait is fetched when the browser has time.
 * That is waited for first.
 */
async function goOffline({ page, context }: Pick<Client, "page" | "context">): Promise<void> {
  const isFetched = () =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/outbox-sign-"));
  await page.waitForFunction(isFetched);
  await context.setOffline(true);
}

test("while the server is away messages wait, and then go out in order", async () => {
  const { client, page, field, texts } = await openTopic(browser, "tunnels");
  // What a message waits for goes with the wait, which ends without a press.
  client.expectProblems(/ERR_|Failed to load|^shift/);
  await goOffline(client);
  await page.getByText(/You are offline/).waitFor();
  for (const text of ["Into the tunnel", "Still in it"]) {
    await field.fill(text);
    await field.press("Control+Enter");
  }
  await page.getByRole("feed").getByText("Waits for the connection.").first().waitFor();
  await sign(page).getByText("2 messages wait to be sent.").waitFor();
  await client.context.setOffline(false);
  await sign(page)
    .getByText(/wait to be sent/)
    .waitFor({ state: "detached" });
  await client.settled();
  await expect.poll(async () => (await texts()).slice(-2)).toEqual(["Into the tunnel", "Still in it"]);
  await client.finish();
});

test("a message whose topic went public while the server was away waits for a look", async () => {
  const { harness, open } = browser.world;
  const cellar = await harness.channel("wine cellar", ["ada", "dev"], { isPrivate: true });
  const yard = await harness.channel("wine yard", ["ada", "dev", "elin"]);
  const id = await say(harness, "ada", cellar.id, "tasting", "For few.");
  const narrow = topicNarrow(cellar.id, "tasting");
  const client = await open("dev", { hash: hashOfNarrow({ narrow }) });
  const { page } = client;
  client.expectProblems(/ERR_|Failed to load|^shift/);
  await goOffline(client);
  await page.getByText(/You are offline/).waitFor();
  const field = page.getByRole("textbox", { name: /Message to/ });
  await field.fill("Between us");
  await field.press("Control+Enter");
  await page.getByRole("feed").getByText("Waits for the connection.").waitFor();
  const move = { stream_id: yard.id, propagate_mode: "change_all" };
  await expectSuccess(harness.as("ada").patch(`/messages/${id}`, move));
  await client.context.setOffline(false);
  const alert = page.getByRole("feed").getByRole("alert");
  await alert.getByText(/The topic is now in a channel that other people read/).waitFor();
  await client.settled();
  const texts = async () => {
    const ask = { anchor: "newest", num_before: 9, num_after: 0, apply_markdown: false };
    const where = { narrow: topicNarrow(yard.id, "tasting"), ...ask };
    const { messages } = await expectSuccess(harness.as("dev").get("/messages", where));
    return (messages as { content: string }[]).map(({ content }) => content);
  };
  expect(await texts()).not.toContain("Between us");
  await alert.getByRole("button", { name: "Try again" }).click();
  await alert.waitFor({ state: "detached" });
  await client.settled();
  await expect.poll(texts).toContain("Between us");
  await client.finish();
});

test("messages that were not sent are counted and listed with the drafts, also on a phone", async () => {
  const { client, page, field, texts } = await openTopic(browser, "lists");
  client.expectProblems(/ERR_FAILED/);
  const unblock = await block(page);
  for (const text of ["One", "Two", "Three"]) {
    await field.fill(text);
    await field.press("Control+Enter");
  }
  await sign(page).getByText("3 messages were not sent.").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await client.settled();
  await sign(page).getByRole("link", { name: "Show" }).click();
  const list = page.getByRole("region", { name: "Not sent" });
  await list.getByText("Three").waitFor();
  await client.checkAccessibility();
  await list.getByRole("button", { name: "Delete" }).last().click();
  await list.getByText("Three").waitFor({ state: "detached" });
  await list.getByRole("button", { name: "Edit" }).last().click();
  await expect.poll(() => field.inputValue()).toBe("Two");
  await unblock();
  await field.fill("");
  await page.goto(`${browser.world.url}/?language=en#drafts`);
  await client.settled();
  await list.getByRole("button", { name: "Try again" }).press("Enter");
  await list.waitFor({ state: "detached" });
  await client.settled();
  await expect.poll(async () => (await texts()).slice(-1)).toEqual(["One"]);
  await client.finish();
});

test("a tab takes over what another one has left, and no other tab shows it", async () => {
  const { client, page, field, texts, narrow } = await openTopic(browser, "tabs");
  client.expectProblems(/ERR_FAILED/);
  // The failed message goes when the server answers, which may be long after the press.
  client.expectProblems(/^shift:/);
  const other = await client.context.newPage();
  await other.goto(`${browser.world.url}/?language=en${hashOfNarrow({ narrow })}`);
  await other.getByRole("feed").waitFor();
  const unblock = await block(other);
  const third = await client.context.newPage();
  await third.goto(`${browser.world.url}/?language=en${hashOfNarrow({ narrow })}`);
  await third.getByRole("feed").waitFor();
  await other.getByRole("textbox", { name: /Message to/ }).fill("From a closed tab");
  await other.getByRole("textbox", { name: /Message to/ }).press("Control+Enter");
  await other
    .getByRole("alert")
    .getByText(/Not sent/)
    .waitFor();
  await unblock();
  await other.close();
  const alerts = async () =>
    (await page.getByRole("alert").count()) + (await third.getByRole("alert").count());
  await expect.poll(alerts, { timeout: 10_000 }).toBe(1);
  const heir = (await page.getByRole("alert").count()) === 1 ? page : third;
  await heir.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await expect.poll(alerts).toBe(0);
  await expect
    .poll(async () => (await texts()).filter((text) => text === "From a closed tab").length)
    .toBe(1);
  await field.fill("");
  await third.close();
  await client.finish();
});

test("the reload for a new version keeps a message that failed", async () => {
  const { client, page, field } = await openTopic(browser, "updates");
  client.expectProblems(/ERR_FAILED/);
  await block(page);
  await field.fill("Do not lose me");
  await field.press("Control+Enter");
  await page
    .getByRole("alert")
    .getByText(/Not sent/)
    .waitFor();
  await page.route("**/client-build", (route) => route.fulfill({ body: "another build" }));
  await look(page, "visible");
  await page.getByText("There is a new version of this page.").waitFor();
  await page.unroute("**/client-build");
  const isLoaded = page.waitForEvent("load");
  await look(page, "hidden");
  await isLoaded;
  await client.settled();
  await page
    .getByRole("alert")
    .getByText(/Not sent/)
    .waitFor();
  await page.getByRole("feed").getByText("Do not lose me").waitFor();
  await client.finish();
});

test("in a channel without a subscription, an own message is there when the server has it", async () => {
  const { harness, client, page, channel, field } = await openTopic(browser, "visitors");
  // The list on the left loses the channel without a press.
  client.expectProblems(/^shift: .* A\.item/);
  const leave = { subscriptions: JSON.stringify([channel.name]) };
  await expectSuccess(harness.as("dev").delete("/users/me/subscriptions", leave));
  await client.settled();
  await field.fill("Is anybody here?");
  await field.press("Control+Enter");
  const row = page.getByRole("article").filter({ hasText: "Is anybody here?" });
  await row.waitFor();
  await expect.poll(() => page.locator(".row.sending").count()).toBe(0);
  await client.finish();
});

test("a message that was sent while the queue was replaced is there once", async () => {
  const { harness, client, page, channel, field } = await openTopic(browser, "replaced");
  client.expectProblems(/status of 400/);
  const poll = page.waitForRequest(/\/events\?/);
  await say(harness, "elin", channel.id, "soup", "Before");
  const queueId = new URL((await poll).url()).searchParams.get("queue_id") as string;
  await page.getByRole("feed").getByText("Before").waitFor();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/v1/messages", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  });
  const registered = page.waitForResponse(/\/register$/);
  await field.fill("Once");
  await field.press("Control+Enter");
  await expectSuccess(harness.as("dev").delete("/events", { queue_id: queueId }));
  await registered;
  release();
  await client.settled();
  await expect.poll(() => page.getByRole("feed").getByText("Once", { exact: true }).count()).toBe(1);
  await expect.poll(() => page.locator(".row.sending").count()).toBe(0);
  await client.finish();
});

test("signing out asks before it deletes what was not sent", async () => {
  const { client, page, field } = await openTopic(browser, "farewells");
  client.expectProblems(/ERR_FAILED/);
  await block(page);
  await field.fill("Do not lose me");
  await field.press("Control+Enter");
  await page
    .getByRole("alert")
    .getByText(/Not sent/)
    .waitFor();
  await page.evaluate(() => localStorage.setItem("parley.outbox.99999.1.0001.x", "another account's"));
  await page
    .getByRole("button", { name: /menu|account/i })
    .last()
    .click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  const question = page.getByRole("dialog", { name: "Sign out?" });
  await question.getByText("1 message was not sent. Signing out deletes it.").waitFor();
  await client.checkAccessibility();
  await question.getByRole("button", { name: "Sign out and delete" }).click();
  await page.waitForURL(/\/login/);
  const kept = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith("parley.outbox.")),
  );
  expect(kept).toEqual(["parley.outbox.99999.1.0001.x"]);
  await client.context.close();
});

async function look(page: Page, visibility: "visible" | "hidden"): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, visibility);
}
