import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { hashPassword } from "../../../server/platform/crypto/passwords.ts";
import { sql } from "../../../server/platform/db/sql.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { addSession } from "../../harness/sessions.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);

/** To another address, as a link does. */
async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((element) => {
    location.hash = element;
  }, hash);
}

test("a profile is changed field by field, and others see it at once", async () => {
  const { harness, open } = browser.world;
  const field = { name: "Editor", field_type: 3, field_data: { v: { text: "Vim", order: "1" } } };
  await expectSuccess(harness.as("ada").post("/realm/profile_fields", field));
  const client = await open("cleo", { hash: "#settings/profile" });
  const { page } = client;
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("C");
  await name.press("Enter");
  await page.getByRole("alert").getByText("2 to 100 characters").waitFor();
  client.expectProblems(/400 \(Bad Request\)/);
  await expect.poll(() => name.inputValue()).toBe("C");
  await name.fill("Cleo Sol");
  await name.press("Enter");
  await page.getByText("Saved").waitFor();
  await page.getByRole("combobox", { name: "Editor" }).selectOption("Vim");
  await page
    .getByLabel("File with your picture")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: PIXEL });
  await page.getByRole("button", { name: "Remove the picture" }).waitFor();
  await client.settled();
  const { user } = await expectSuccess(
    harness.as("elin").get(`/users/${harness.user("cleo").id}`, { include_custom_profile_fields: true }),
  );
  expect(user.full_name).toBe("Cleo Sol");
  expect(Object.values(user.profile_data)).toEqual([{ value: "v" }]);
  await client.finish();
});

test("a field for administrators is read-only for others, and an administrator fills in the own one", async () => {
  const { harness, open } = browser.world;
  const field = { name: "Desk", field_type: 1, editable_by_user: false };
  const { id } = await expectSuccess(harness.as("ada").post("/realm/profile_fields", field));
  const other = await open("elin", { hash: "#settings/profile" });
  const theirs = other.page.getByRole("textbox", { name: "Desk" });
  await expect.poll(() => theirs.isDisabled()).toBe(true);
  await other.page.getByText("Only administrators can change this.").waitFor();
  const value = { profile_data: [{ id, value: "4b" }] };
  await expectSuccess(harness.as("ada").patch(`/users/${harness.user("elin").id}`, value));
  await expect.poll(() => theirs.inputValue()).toBe("4b");
  await other.finish();
  const client = await open("ben", { hash: "#settings/profile" });
  const own = client.page.getByRole("textbox", { name: "Desk" });
  await own.fill("1a");
  await own.press("Enter");
  await client.page.getByText("Saved").waitFor();
  await expect.poll(() => own.inputValue()).toBe("1a");
  await client.finish();
});

test("the look changes at once, is there at the first paint, and follows other windows", async () => {
  const { harness, open } = browser.world;
  const client = await open("dev", { hash: "#settings/preferences" });
  const { page } = client;
  const look = () =>
    page.evaluate(() => {
      const { dataset, style } = document.documentElement;
      return [dataset.density, dataset.contrast, style.getPropertyValue("--text")];
    });
  await page.getByRole("combobox", { name: "Density" }).selectOption("Compact");
  await page.getByRole("combobox", { name: "Text size" }).selectOption("20");
  await page.getByRole("checkbox", { name: "More contrast" }).check();
  // Larger texts move what is below them.
  client.expectProblems(/^shift: /);
  await client.settled();
  await expect.poll(look).toEqual(["compact", "more", "1.429"]);
  const section = page.getByRole("link", { name: "Profile" });
  expect(await section.evaluate((element) => getComputedStyle(element).fontSize)).toMatch(/^20(\.\d+)?px$/);
  await client.checkAccessibility();
  await page.route("**/assets/*.js", (route) => route.abort());
  client.expectProblems(/ERR_FAILED/);
  await page.reload();
  await expect.poll(look).toEqual(["compact", "more", "1.429"]);
  await page.unrouteAll();
  await page.reload();
  await client.settled();
  const usual = { web_line_height_percent: 122, web_font_size_px: 14, high_contrast_mode: false };
  await expectSuccess(harness.as("dev").patch("/settings", usual));
  await expect.poll(look).toEqual([undefined, undefined, "1"]);
  await expect.poll(() => page.getByRole("combobox", { name: "Density" }).inputValue()).toBe("usual");
  await client.finish();
});

test("language and clock change without a reload", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("clocks", ["elin", "dev"]);
  await say(harness, "dev", channel.id, "noon", "At <time:2026-11-22T20:15:00Z>");
  const client = await open("elin", { hash: "#settings/preferences", language: "" });
  const { page } = client;
  client.expectProblems(/^shift: /);
  await page.getByRole("combobox", { name: "Times" }).selectOption("24 hours (14:30)");
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByRole("heading", { name: "Ansicht und Bedienung" }).waitFor();
  await client.settled();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("de");
  await go(page, hashOfNarrow({ narrow: topicNarrow(channel.id, "noon") }));
  await page.getByRole("feed").getByText("20:15").waitFor();
  await page.reload();
  await page.getByRole("navigation", { name: "Ansichten und Kanäle" }).waitFor();
  await client.finish();
});

test("times are as the account's language writes them, until the person chooses", async () => {
  const { harness, open } = browser.world;
  await expectSuccess(harness.as("ben").patch("/settings", { default_language: "de" }));
  const channel = await harness.channel("uhren", ["ben", "dev"]);
  await say(harness, "dev", channel.id, "mittag", "Um <time:2026-11-22T20:15:00Z>");
  const hash = hashOfNarrow({ narrow: topicNarrow(channel.id, "mittag") });
  const client = await open("ben", { hash, language: "" });
  const { page } = client;
  client.expectProblems(/^shift: /);
  const feed = page.getByRole("feed");
  const times = () => feed.locator("time, .time").allTextContents();
  await feed.getByText("20:15").waitFor();
  expect((await times()).filter((one) => !/(^|[ ,])\d\d:\d\d$/.test(one))).toEqual([]);
  await go(page, "#settings/preferences");
  await page.getByRole("combobox", { name: "Uhrzeiten" }).selectOption("12 Stunden (2:30 PM)");
  await client.settled();
  await go(page, hash);
  await feed.getByText(/8:15\sPM/).waitFor();
  await expectSuccess(harness.as("ben").patch("/settings", { default_language: "en" }));
  await client.finish();
});

test("reading, starting and leaving follow the account", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("habits", ["ben", "dev"]);
  const id = await say(harness, "dev", channel.id, "unread", "Stays unread");
  const wishes = { web_home_view: "recent_topics", web_mark_read_on_scroll_policy: 3 };
  await expectSuccess(harness.as("ben").patch("/settings", wishes));
  const client = await open("ben");
  const { page } = client;
  // The test goes to the conversation, which opens the list of its topics.
  client.expectProblems(/^shift: .*\.item more/);
  await page.getByRole("heading", { name: "Recent conversations", level: 1 }).waitFor();
  const openTopic = () => go(page, hashOfNarrow({ narrow: topicNarrow(channel.id, "unread") }));
  await openTopic();
  await page.getByRole("feed").getByText("Stays unread").waitFor();
  await client.settled();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Recent conversations", level: 1 }).waitFor();
  const flags = async () => {
    const { message } = await expectSuccess(harness.as("ben").get(`/messages/${id}`));
    return message.flags;
  };
  await expect.poll(flags).not.toContain("read");
  await expectSuccess(harness.as("ben").patch("/settings", { web_mark_read_on_scroll_policy: 2 }));
  await openTopic();
  await expect.poll(flags).toContain("read");
  await client.finish();
});

test("the account's secrets need the password, and other browsers can be signed out", async () => {
  const { harness, open } = browser.world;
  const passwordHash = await hashPassword("demo-password");
  await harness.services.database.query(sql`
    update users set password_hash = ${passwordHash} where id = ${harness.user("gus").id}`);
  await addSession(harness, "gus");
  const client = await open("gus", { hash: "#settings/account" });
  const { page } = client;
  client.expectProblems(/40[01] \(/);
  const password = page.getByLabel("Your password");
  await password.fill("wrong");
  await page.getByRole("button", { name: "Show the key" }).click();
  await page.getByRole("alert").waitFor();
  await password.fill("demo-password");
  await page.getByRole("button", { name: "Show the key" }).click();
  const key = harness.user("gus").apiKey;
  await page.getByText(key).waitFor();
  await page.getByRole("button", { name: "Replace the key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replace the key" }).click();
  await page.getByText(key).waitFor({ state: "detached" });
  // A program of theirs replaces it.
  await expectSuccess(harness.as("gus").post("/users/me/api_key/regenerate"));
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.getByText("The key was replaced meanwhile.").waitFor();
  await page.getByLabel("Current password").fill("demo-password");
  await page.getByLabel("New password").fill("12345678");
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByText(/too easy to guess/).waitFor();
  await page.getByRole("link", { name: "Sessions" }).click();
  const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole("button", { name: "Sign out all others" }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await client.finish();
});

test("notifications, topics and muted people are kept", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("alerts", ["dev"]);
  const topic = { stream_id: channel.id, topic: "deploys", visibility_policy: 3 };
  await expectSuccess(harness.as("dev").post("/user_topics", topic));
  await expectSuccess(harness.as("dev").post(`/users/me/muted_users/${harness.user("elin").id}`));
  const client = await open("dev", { hash: "#settings/notifications" });
  const { page } = client;
  await page.getByRole("checkbox", { name: "Followed topics: Email" }).uncheck();
  await page.getByRole("textbox", { name: "New alert word" }).fill("on call");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove on call" }).waitFor();
  await page.getByRole("combobox", { name: "Add a channel…" }).selectOption("#alerts");
  await page.getByRole("combobox", { name: "#alerts: Sound" }).selectOption("On");
  await client.settled();
  await client.checkAccessibility();
  await page.getByRole("link", { name: "Topics" }).click();
  await page.getByRole("combobox", { name: /topic deploys/ }).selectOption("Muted");
  await page.getByRole("link", { name: "Muted people" }).click();
  await page.getByRole("button", { name: /^Unmute/ }).click();
  await page.getByText("You have muted nobody.").waitFor();
  const kept = await expectSuccess(
    harness.as("dev").post("/register", {
      fetch_event_types: ["user_settings", "alert_words", "subscription", "user_topic"],
    }),
  );
  expect(kept.user_settings.enable_followed_topic_email_notifications).toBe(false);
  expect(kept.alert_words).toEqual(["on call"]);
  const subscription = kept.subscriptions.find((one: { stream_id: number }) => one.stream_id === channel.id);
  expect(subscription.audible_notifications).toBe(true);
  const policy = kept.user_topics.find((value: { stream_id: number }) => value.stream_id === channel.id);
  expect(policy.visibility_policy).toBe(1);
  await client.finish();
});

test("bots are made and ended, and files are deleted", async () => {
  const { harness, open } = browser.world;
  const client = await open("dev", { hash: "#settings/bots" });
  const { page } = client;
  await page.getByRole("button", { name: "New bot" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Build Bot");
  await page.getByRole("button", { name: "Create the bot" }).click();
  await page.getByText("Build Bot").click();
  await page.getByText("build-bot@").waitFor();
  await page.getByRole("button", { name: "Deactivate the bot" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate the bot" }).click();
  await page.getByRole("button", { name: "Reactivate" }).waitFor();
  await client.settled();
  await client.checkAccessibility();
  await page.evaluate(async () => {
    const form = new FormData();
    form.append("file", new Blob(["soup"]), "soup.txt");
    const headers = { "X-Parley-Client": "test" };
    await fetch("/api/v1/user_uploads", { method: "POST", headers, body: form });
  });
  await page.getByRole("link", { name: "My uploads" }).click();
  await page.getByRole("button", { name: "Delete soup.txt" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("You have uploaded nothing.").waitFor();
  const { attachments } = await expectSuccess(harness.as("dev").get("/attachments"));
  expect(attachments).toEqual([]);
  await client.finish();
});

test("who leaves a section with a text that is not saved is asked first", async () => {
  const { harness, open } = browser.world;
  const client = await open("elin", { hash: "#settings/profile" });
  const { page } = client;
  const name = page.getByRole("textbox", { name: "Name" });
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await name.fill("Elin of the Hill");
  await page.getByRole("link", { name: "Preferences" }).click();
  await question.waitFor();
  await client.checkAccessibility();
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(new URL(page.url()).hash).toBe("#settings/profile");
  await expect.poll(() => name.inputValue()).toBe("Elin of the Hill");
  await page.getByRole("link", { name: "Preferences" }).click();
  await question.getByRole("button", { name: "Discard it" }).click();
  await page.getByRole("combobox", { name: "Density" }).waitFor();
  expect(new URL(page.url()).hash).toBe("#settings/preferences");
  await page.getByRole("link", { name: "Profile" }).click();
  await expect.poll(() => name.inputValue()).toBe(harness.user("elin").user.fullName);
  await client.finish();
});
