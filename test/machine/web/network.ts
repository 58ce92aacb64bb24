/** What networks and servers do to an open page, at the moment that a test wants. */
import type { Page } from "playwright-core";
import { expectSuccess } from "../../harness/answers.ts";
import type { CastName, Harness } from "../../harness/harness.ts";
import type { Client } from "./browser.ts";

/**
 * Holds the answers to the calls of that method, each as the server made it when it was asked, until the
 * function that this gives is called.
 */
export async function holdAnswers(page: Page, method: string, path: string): Promise<() => Promise<void>> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const url = `**/api/v1${path}`;
  const answers: Promise<void>[] = [];
  await page.route(url, (route) => {
    if (route.request().method() !== method) return route.fallback();
    const answer = async () => {
      const response = await route.fetch();
      await isReleased;
      await route.fulfill({ response });
    };
    answers.push(answer());
    return answers.at(-1);
  });
  return async () => {
    release();
    await Promise.all(answers);
    await page.unroute(url);
  };
}

/** The calls of that method don't reach the server until the function that this gives is called. */
export async function holdCalls(page: Page, method: string, path: string): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/api/v1${path}`, async (route) => {
    if (route.request().method() === method) await isReleased;
    await route.continue();
  });
  return release;
}

/** The next poll names the queue, so somebody has to cause an event. */
export async function queueOf(page: Page, cause: () => Promise<unknown>): Promise<string> {
  const poll = page.waitForRequest(/\/events\?/);
  await cause();
  return new URL((await poll).url()).searchParams.get("queue_id") as string;
}

/** The page is away while its queue ends, and gets another model when it is back. */
export async function loseQueue(
  client: Client,
  { harness, name, queueId }: { harness: Harness; name: CastName; queueId: string },
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  client.expectProblems(/status of 400|ERR_INTERNET_DISCONNECTED|Failed to load|^shift: /);
  await client.context.setOffline(true);
  await expectSuccess(harness.as(name).delete("/events", { queue_id: queueId }));
  await meanwhile();
  const registered = client.page.waitForResponse(/\/register$/);
  await client.context.setOffline(false);
  await registered;
  await client.settled();
}

/** As when the person looks at another window, or comes back. */
export async function look(page: Page, visibility: "visible" | "hidden"): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, visibility);
}
