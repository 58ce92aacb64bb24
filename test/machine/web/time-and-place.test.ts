import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

const topicHash = (channelId: number, topic: string) =>
  hashOfNarrow({ narrow: topicNarrow(channelId, topic) });

test("at midnight today becomes yesterday, and what comes then stands under the new day", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("nightly", ["dev", "elin"]);
  await say(harness, "elin", channel.id, "watch", "Before midnight");
  const hash = topicHash(channel.id, "watch");
  const client = await open("dev", { hash, before: (page) => page.clock.install() });
  const { page } = client;
  const days = page.getByRole("feed").getByRole("button", { name: /^(Today|Yesterday|\w+day)/ });
  expect(await days.allTextContents()).toEqual(["Today"]);
  await page.clock.fastForward("24:00:00");
  await expect.poll(() => days.allTextContents()).toEqual(["Yesterday"]);
  await page.goto(`${page.url().replace(/#.*/, "")}#recent`);
  const time = page.getByRole("main").getByRole("row").filter({ hasText: "watch" }).locator("time");
  await expect.poll(() => time.textContent()).toMatch(/^\w{3} \d+$|^\d+ \w{3}$/);
  await client.context.close();
});

test("people are shown as present, and limits end, by the server's clock", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("clocks", ["dev", "elin"]);
  await expectSuccess(harness.as("ada").patch("/realm", { message_content_edit_limit_seconds: 300 }));
  await expectSuccess(harness.as("elin").post("/users/me/presence", { status: "active" }));
  await say(harness, "dev", channel.id, "noon", "My own");
  const client = await open("dev", {
    hash: topicHash(channel.id, "noon"),
    before: (page) =>
      page.addInitScript(() => {
        const { now } = Date;
        Date.now = () => now() + 600_000;
      }),
  });
  const { page } = client;
  await page.keyboard.press("w");
  const elin = page.getByRole("complementary").getByRole("button", { name: /Elin Berg/ });
  await expect.poll(() => elin.first().textContent()).toMatch(/active/);
  await page.getByRole("article").last().focus();
  await page.keyboard.press("e");
  await page.getByRole("textbox", { name: "Text of the message" }).waitFor();
  await client.context.close();
});

test("the window's title names the settings on the screen", async () => {
  const { open } = browser.world;
  const client = await open("ada", { hash: "#settings" });
  const { page } = client;
  const titles = {
    "#settings/profile": /^(\(\d+\) )?Settings · Demo$/,
    "#organization": /^(\(\d+\) )?Organization settings · Demo$/,
    "#channels/all": /^(\(\d+\) )?Channels · Demo$/,
    "#groups": /^(\(\d+\) )?User groups · Demo$/,
    "#inbox": /^(\(\d+\) )?Inbox · Demo$/,
  };
  for (const [hash, title] of Object.entries(titles)) {
    await page.goto(`${page.url().replace(/#.*/, "")}${hash}`);
    await expect.poll(() => page.title()).toMatch(title);
  }
  await client.finish();
});

test("a link is copied also where the browser has no clipboard, or is shown to be copied by hand", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("links", ["dev"]);
  const id = await say(harness, "dev", channel.id, "copy", "Copy me");
  const client = await open("dev", {
    hash: topicHash(channel.id, "copy"),
    before: (page) =>
      page.addInitScript(() => {
        Object.defineProperty(navigator, "clipboard", { value: undefined });
        document.addEventListener("copy", () => {
          const field = document.activeElement as HTMLTextAreaElement;
          Object.assign(window, { copied: field.value });
        });
      }),
  });
  const { page } = client;
  const row = page.getByRole("article").last();
  await row.focus();
  await page.keyboard.press("l");
  await page.getByRole("main").getByText("Link copied").waitFor();
  const copied = await page.evaluate(() => (window as unknown as { copied: string }).copied);
  expect(copied).toMatch(new RegExp(`/near/${id}$`));
  expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.evaluate(() => {
    document.execCommand = () => false;
  });
  await page.keyboard.press("l");
  const dialog = page.getByRole("dialog", { name: "Copy this text yourself" });
  const field = dialog.getByRole("textbox", { name: "Text to copy" });
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await field.inputValue()).toBe(copied);
  await client.checkAccessibility();
  await page.keyboard.press("Escape");
  await expect.poll(() => dialog.count()).toBe(0);
  await client.finish();
});

test("who is taken out of a private channel is told so, and can't write there", async () => {
  const { harness, open } = browser.world;
  const secret = await harness.channel("secrets", ["ada", "dev"], { isPrivate: true });
  await say(harness, "ada", secret.id, "plan", "Between us");
  const client = await open("dev", { hash: topicHash(secret.id, "plan") });
  const { page } = client;
  client.expectProblems(/^shift: /);
  await page.getByText("Between us").waitFor();
  await expectSuccess(
    harness.as("ada").delete("/users/me/subscriptions", {
      subscriptions: ["secrets"],
      principals: [harness.user("dev").id],
    }),
  );
  await page.getByText("You no longer have access to this channel.").waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("secrets");
  expect(await page.getByText("Between us").count()).toBe(0);
  expect(await page.getByRole("textbox", { name: /Message to/ }).count()).toBe(0);
  await client.checkAccessibility();
  // The messages are asked for before it is known that the channel is none of the viewer's.
  client.expectProblems(/status of 400/);
  await page.reload();
  await client.settled();
  await page.getByText("This channel does not exist, or you have no access to it.").waitFor();
  await client.finish();
});
