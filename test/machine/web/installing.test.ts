import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { useBrowser } from "./browser.ts";
import { say, sayMany } from "./seed.ts";

const browser = useBrowser();

test("the program can be installed, and opens without a network", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("trains", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "tunnel", "Before the tunnel");
  const client = await open("dev", {
    hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "tunnel") }),
    hasWorker: true,
  });
  const { page } = client;
  client.expectProblems(/ERR_|Failed to load/);
  await page.getByRole("feed").getByText("Before the tunnel").waitFor();
  const manifest = await page.evaluate(async () => {
    const address = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')?.href ?? "";
    const { name, icons } = (await (await fetch(address)).json()) as {
      name: string;
      icons: { src: string; sizes: string; purpose: string }[];
    };
    const found = await Promise.all(
      icons.map(async ({ src, sizes, purpose }) => {
        const image = await createImageBitmap(await (await fetch(src)).blob());
        return [purpose, sizes, `${image.width}x${image.height}`];
      }),
    );
    return { name, found };
  });
  expect(manifest.name).not.toBe("");
  expect(manifest.found.map(([purpose]) => purpose)).toEqual(["any", "any", "maskable"]);
  for (const [, said, real] of manifest.found) expect(real).toBe(said);

  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.waitForFunction(async () => (await caches.match("/")) !== undefined);
  const kept = await page.evaluate(async () => {
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept.filter((url) => url !== "/" && url !== "/logo.svg" && !url.startsWith("/assets/"))).toEqual([]);
  await page.waitForFunction(() => localStorage.getItem("parley.saved") !== null);
  await client.context.setOffline(true);
  await page.reload();
  await page
    .getByRole("status")
    .getByText(/offline/)
    .waitFor();
  await page.getByRole("feed").getByText("Before the tunnel").waitFor();
  await client.context.setOffline(false);
  await page
    .getByRole("status")
    .getByText(/offline/)
    .waitFor({ state: "detached" });
  await say(harness, "elin", channel.id, "tunnel", "Behind the tunnel");
  await page.getByRole("feed").getByText("Behind the tunnel").waitFor();
  await client.finish();
});

test("a new version is offered, and comes by itself when nobody looks, to the same place and text", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("versions", ["dev", "elin"]);
  const ids = await sayMany(harness, "elin", channel.id, "long", 80);
  await harness.as("dev").post("/messages/flags", { messages: ids, op: "add", flag: "read" });
  const client = await open("dev", { hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "long") }) });
  const { page } = client;
  await page.getByRole("textbox", { name: /Message to/ }).fill("Half a sentence");
  await page.getByRole("feed").hover();
  await page.mouse.wheel(0, -900);
  await page.waitForFunction(() => (history.state as { anchor?: unknown } | null)?.anchor !== undefined);
  await client.settled();
  const before = await topOf(page);
  await page.route("**/client-build", (route) => route.fulfill({ body: "another build" }));
  await look(page, "visible");
  await page.getByText("There is a new version of this page.").waitFor();
  await client.checkAccessibility();
  await page.unroute("**/client-build");
  const isLoaded = page.waitForEvent("load");
  await look(page, "hidden");
  await isLoaded;
  await client.settled();
  await expect.poll(() => page.getByText("There is a new version of this page.").count()).toBe(0);
  await expect
    .poll(() => page.getByRole("textbox", { name: /Message to/ }).inputValue())
    .toBe("Half a sentence");
  expect(await topOf(page)).toEqual(before);
  await client.finish();
});

test("a browser that is too old is told so in its language", async () => {
  const client = await browser.world.open("dev");
  const page = await client.context.newPage();
  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLElement.prototype, "popover");
    Object.defineProperty(navigator, "language", { value: "de-AT" });
  });
  await page.goto(browser.world.url);
  await page.getByText(/Dieser Browser ist für diesen Chat zu alt/).waitFor();
  await expect.poll(() => page.getByText(/This browser is too old/).isVisible()).toBe(false);
  await page.close();
  await client.finish();
});

async function look(page: Page, visibility: "visible" | "hidden"): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, visibility);
}

/** The message at the top of the view, and where it is. */
function topOf(page: Page) {
  return page.getByRole("feed").evaluate((element) => {
    const edge = element.getBoundingClientRect().top;
    const row = [...element.querySelectorAll("article")].find(
      (one) => one.getBoundingClientRect().bottom > edge + 1,
    );
    return [
      row?.querySelector(".content")?.textContent,
      Math.round((row?.getBoundingClientRect().top ?? 0) - edge),
    ];
  });
}
