import { expect, test } from "vitest";
import { topicNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { useBrowser } from "./browser.ts";
import { say } from "./seed.ts";

const browser = useBrowser();

test("people without an account read public channels, and every action leads to the form and back", async () => {
  const { harness, open } = browser.world;
  await expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: true }));
  const channel = await harness.channel("square", ["ada", "dev"], { isWebPublic: true });
  await harness.channel("cellar", ["ada", "dev"]);
  const id = await say(harness, "ada", channel.id, "fountain", "Everybody may read this");
  await expectSuccess(harness.as("dev").post(`/messages/${id}/reactions`, { emoji_name: "heart" }));
  const client = await open("dev", { isSignedOut: true });
  const { page } = client;
  await page.getByRole("feed").getByText("Everybody may read this").waitFor();
  // The client learns of people by their messages only.
  await page.getByRole("feed").getByRole("button", { name: "Ada Osei" }).waitFor();
  await client.checkAccessibility();
  const list = page.getByRole("navigation", { name: "Views and channels" });
  await expect.poll(() => list.getByRole("link", { name: "cellar" }).count()).toBe(0);
  await expect.poll(() => page.getByRole("textbox").count()).toBe(0);
  await list.getByRole("link", { name: "fountain" }).click();
  await client.settled();
  const { hash } = new URL(page.url());
  expect(hash).toContain("fountain");
  await page.getByRole("button", { name: /heart/ }).click();
  await page.waitForURL(/\/login\?next=/);
  expect(new URL(page.url()).searchParams.get("next")).toBe(`/${hash}`);
  await page.goBack();
  await page.getByRole("feed").getByText("Everybody may read this").waitFor();
  await client.finish();
});

test("a link to what needs an account leads to the form, and from there to the conversation", async () => {
  const { harness, open } = browser.world;
  await expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: true }));
  await harness.channel("market", ["ada"], { isWebPublic: true });
  const hidden = await harness.channel("basement", ["ada", "dev"]);
  await say(harness, "ada", hidden.id, "boxes", "Not for everybody");
  const ids = [harness.user("ada").id, harness.user("dev").id].join();
  const topic = hashOfNarrow({ narrow: topicNarrow(hidden.id, "boxes") });
  for (const hash of [topic, `#narrow/dm/${ids}`, "#narrow/search/boxes", "#inbox"]) {
    const client = await open("dev", { isSignedOut: true, hash });
    const { page } = client;
    // The messages of the address are asked for before it is known whether anybody is signed in.
    client.expectProblems(/status of 40[01]/);
    await page.getByRole("heading", { name: "Sign in to see this conversation" }).waitFor();
    expect(
      await page
        .getByRole("main")
        .getByText(/Not logged in|Try again/)
        .count(),
    ).toBe(0);
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await page.waitForURL(/\/login\?next=/);
    expect(new URL(page.url()).searchParams.get("next")).toBe(`/${hash}`);
    await page.goBack();
    await page.getByRole("heading", { name: "Sign in to see this conversation" }).waitFor();
    await client.finish();
  }
});

test("people without an account read in the language that their browser prefers", async () => {
  const { harness, open } = browser.world;
  await expectSuccess(harness.as("ada").patch("/realm", { enable_spectator_access: true }));
  await harness.channel("garden", ["ada"], { isWebPublic: true });
  const client = await open("dev", { isSignedOut: true, locale: "de-AT" });
  await client.page.getByRole("navigation", { name: "Ansichten und Kanäle" }).waitFor();
  expect(await client.page.evaluate(() => document.documentElement.lang)).toBe("de-AT");
  await client.finish();
});

test("an account has its own language, whatever the browser prefers", async () => {
  const client = await browser.world.open("dev", { locale: "de-AT" });
  await client.page.getByRole("navigation", { name: "Views and channels" }).waitFor();
  expect(await client.page.evaluate(() => document.documentElement.lang)).toBe("en");
  await client.finish();
});
