import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

/** What a key opens, and which file it waits for. `select`: a message must have the focus. */
const parts = [
  {
    opens: "the switcher",
    file: "switcher",
    key: "Control+k",
    field: (page: Page) => page.getByRole("dialog").getByRole("combobox"),
  },
  {
    opens: "the list of topics",
    file: "place-picker",
    key: "y",
    field: (page: Page) => page.getByRole("dialog").getByRole("combobox"),
  },
  {
    opens: "the search",
    file: "search-field",
    key: "/",
    field: (page: Page) => page.getByRole("search").getByRole("combobox"),
  },
  {
    opens: "a direct message",
    file: "people-field",
    key: "x",
    field: (page: Page) => page.locator(".compose .recipient").getByRole("combobox"),
  },
  {
    opens: "the picker of emoji",
    file: "emoji-picker",
    key: ":",
    field: (page: Page) => page.getByRole("dialog").getByRole("combobox"),
    select: true,
  },
  {
    opens: "a message to edit",
    file: "edit-box",
    key: "e",
    field: (page: Page) => page.getByRole("textbox", { name: "Text of the message" }),
    select: true,
  },
];

async function openTopic(name: string, file: string) {
  const { harness, open } = browser.world;
  const channel = await harness.channel(name, ["dev", "elin"]);
  await say(harness, "elin", channel.id, "plans", "Hello");
  await say(harness, "dev", channel.id, "plans", "Mine");
  let deliver: () => void = () => {};
  const isHeld = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  const client = await open("dev", {
    hash: hashOfNarrow({ narrow: topicNarrow(channel.id, "plans") }),
    before: (page) =>
      page.route(`**/assets/${file}-*.js`, async (route) => {
        await isHeld;
        await route.continue();
      }),
    isUnsettled: true,
  });
  await client.page.getByRole("feed").getByText("Mine").waitFor();
  return { client, page: client.page, deliver: () => deliver() };
}

test.each(parts)("keys typed on at once after the one for $opens are for its field", async (part) => {
  const { client, page, deliver } = await openTopic(`ahead-${part.file}`, part.file);
  if (part.select) await page.getByRole("feed").getByRole("article").last().focus();
  const { hash } = new URL(page.url());
  await page.keyboard.press(part.key);
  // Each of them is a shortcut of the page.
  await page.keyboard.type("jaxn");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("d");
  expect(await part.field(page).count()).toBe(0);
  deliver();
  await part.field(page).waitFor();
  await expect.poll(() => part.field(page).inputValue()).toMatch(/jaxd$/);
  expect(new URL(page.url()).hash).toBe(hash);
  await page.keyboard.type("e");
  await expect.poll(() => part.field(page).inputValue()).toMatch(/jaxde$/);
  await client.finish();
});

test("Enter that is typed before the switcher is there goes to what was typed before it", async () => {
  const { client, page, deliver } = await openTopic("ahead-enter", "switcher");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("elin berg");
  await page.keyboard.press("Enter");
  deliver();
  await page.getByRole("heading", { name: "Elin Berg", level: 1 }).waitFor();
  await client.finish();
});

test("Escape or a press elsewhere gives the keys back to the page", async () => {
  const { client, page, deliver } = await openTopic("ahead-escape", "switcher");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("jumps");
  await page.keyboard.press("Escape");
  await page.keyboard.press("d");
  await page.getByRole("heading", { name: "Drafts", level: 1 }).waitFor();
  deliver();
  await client.settled();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await client.finish();
});

test("what was written below stays as it was while a part is awaited", async () => {
  const { client, page, deliver } = await openTopic("ahead-below", "switcher");
  const field = page.getByRole("textbox", { name: /Message to/ });
  await field.focus();
  await page.keyboard.type("Dear all");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("jumps");
  deliver();
  const switcher = page.getByRole("dialog").getByRole("combobox");
  await expect.poll(() => switcher.inputValue()).toBe("jumps");
  expect(await field.inputValue()).toBe("Dear all");
  await page.keyboard.press("Escape");
  await client.finish();
});

test("a field that gets the focus meanwhile gets no keys: Enter would send them as a message", async () => {
  const { client, page, deliver } = await openTopic("ahead-elsewhere", "switcher");
  const field = page.getByRole("textbox", { name: /Message to/ });
  await field.focus();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("jumps");
  // As when the window is left and used again.
  await field.evaluate((element) => {
    element.blur();
    element.focus();
  });
  await page.keyboard.type("x");
  expect(await field.inputValue()).toBe("");
  deliver();
  const switcher = page.getByRole("dialog").getByRole("combobox");
  await expect.poll(() => switcher.inputValue()).toBe("jumpsx");
  expect(await field.inputValue()).toBe("");
  await page.keyboard.press("Escape");
  await client.finish();
});

test("keys are for the part that was opened last", async () => {
  const { client, page, deliver } = await openTopic("ahead-twice", "{people-field,switcher}");
  await page.keyboard.press("x");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("jumps");
  deliver();
  const switcher = page.getByRole("dialog").getByRole("combobox");
  await expect.poll(() => switcher.inputValue()).toBe("jumps");
  await page.keyboard.press("Escape");
  await client.finish();
});
