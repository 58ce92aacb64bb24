import type { Page } from "playwright-core";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import type { useBrowser } from "./browser.ts";
import { sayMany } from "./seed.ts";

/** A topic that dev reads and writes in, and what it says by then, for others. */
export async function openTopic(browser: ReturnType<typeof useBrowser>, name: string, count = 1) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", channel.id, "soup", Math.max(2, count));
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const narrow = topicNarrow(channel.id, "soup");
  const client = await open("dev", { hash: hashOfNarrow({ narrow }) });
  const { page } = client;
  const field = page.getByRole("textbox", { name: /Message to/ });
  const texts = async () => {
    const ask = { narrow, anchor: "newest", num_before: 20, num_after: 0, apply_markdown: false };
    const { messages } = await expectSuccess(harness.as("elin").get("/messages", ask));
    return (messages as { content: string }[]).map(({ content }) => content);
  };
  return { harness, channel, ids, narrow, client, page, field, texts };
}

/** The calls to that path wait until the gift is called. */
export async function hold(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/api/v1${path}`, async (route) => {
    if (route.request().method() === "POST") await released;
    await route.continue();
  });
  return release;
}

/** What the window says of messages and files that wait. */
export const sign = (page: Page) => page.locator(".outbox-sign");
