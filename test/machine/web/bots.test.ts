import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectSuccess } from "../../harness/answers.ts";
import { CAST_PASSWORD } from "../../harness/cast.ts";
import { picture } from "../../harness/pictures.ts";
import { makeProofsOld } from "../../harness/proofs.ts";
import { useBrowser } from "./browser.ts";

const browser = useBrowser();
const NO_PICTURE = { name: "notes.png", mimeType: "image/png", buffer: Buffer.from("Just words.") };

async function pictureFile(name: string, width: number) {
  return { name, mimeType: "image/png", buffer: await picture("png", width, width) };
}

const addBot = (name: string, short_name: string) =>
  expectSuccess(browser.world.harness.as("dev").post("/bots", { full_name: name, short_name }));

/** The picture of a bot in the organization's list, once it is an uploaded one. */
function uploadedPicture(page: Page, name: string) {
  const row = page.getByRole("table", { name: "Bots" }).getByRole("row").filter({ hasText: name });
  return row.locator('img[src^="/user_avatars/"]:not([src*="/drawn/"])');
}

test("an owner gives a bot a picture, and an administrator sees it at once", async () => {
  await addBot("Loom Bot", "loom");
  const other = await browser.world.open("ada", { hash: "#organization/bots" });
  const client = await browser.world.open("dev", { hash: "#settings/bots", width: 390, height: 844 });
  const { page } = client;
  await page.getByText("Loom Bot").click();
  const field = page.getByLabel("Upload a picture");
  await field.setInputFiles(NO_PICTURE);
  await page.getByRole("status").getByText("Invalid image format").waitFor();
  client.expectProblems(/400 \(Bad Request\)/);
  await expect.poll(() => uploadedPicture(other.page, "Loom Bot").count()).toBe(0);
  await field.setInputFiles(await pictureFile("loom.png", 120));
  await page.getByText("Saved").waitFor();
  await uploadedPicture(other.page, "Loom Bot").waitFor();
  await page.locator('summary img[src^="/user_avatars/"]:not([src*="/drawn/"])').waitFor();
  await client.finish();
  await other.finish();
});

test("an administrator makes a bot with a picture, and changes it together with the name", async () => {
  const other = await browser.world.open("ben", { hash: "#organization/bots" });
  const client = await browser.world.open("ada", { hash: "#organization/bots" });
  const { page } = client;
  await page.getByRole("button", { name: "Create a bot" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a bot" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Kiln Bot");
  await dialog.getByRole("textbox", { name: "Short name" }).fill("kiln");
  await dialog.getByLabel("Choose a picture").setInputFiles(await pictureFile("kiln.png", 120));
  await dialog.getByText("kiln.png").waitFor();
  await client.checkAccessibility();
  await dialog.getByRole("button", { name: "Create" }).click();
  await uploadedPicture(other.page, "Kiln Bot").waitFor();
  const before = await uploadedPicture(other.page, "Kiln Bot").getAttribute("src");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Actions for Kiln Bot" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  const edit = page.getByRole("dialog", { name: "Edit Kiln Bot" });
  await edit.getByRole("textbox", { name: "Name" }).fill("Oven Bot");
  await edit.getByLabel("Choose a picture").setInputFiles(NO_PICTURE);
  await edit.getByRole("button", { name: "Save" }).click();
  await edit.getByRole("alert").getByText("Invalid image format").waitFor();
  await expect.poll(() => edit.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Oven Bot");
  client.expectProblems(/400 \(Bad Request\)/);
  await edit.getByLabel("Choose a picture").setInputFiles(await pictureFile("oven.png", 140));
  await edit.getByRole("button", { name: "Save" }).click();
  await edit.waitFor({ state: "detached" });
  await other.page.getByText("Oven Bot").waitFor();
  await uploadedPicture(other.page, "Oven Bot")
    .and(other.page.locator(`:not([src="${before}"])`))
    .waitFor();
  client.expectProblems(/^shift/);
  other.expectProblems(/^shift/);
  await client.finish();
  await other.finish();
});

test("an owner shows a bot's key by a proof, hides it, gets another, and sees none that was replaced elsewhere", async () => {
  const { harness, open } = browser.world;
  const outgoing = { bot_type: 3, payload_url: "https://build.example.com/chat" };
  const bot = { full_name: "Shuttle Bot", short_name: "shuttle", ...outgoing };
  const { user_id, api_key } = await expectSuccess(harness.as("dev").post("/bots", bot));
  const { services } = await expectSuccess(harness.as("dev").post(`/bots/${user_id}/api_key`));
  const client = await open("dev", { hash: "#settings/bots" });
  const { page } = client;
  const row = page.getByRole("listitem").filter({ hasText: "Shuttle Bot" });
  await row.getByText("Shuttle Bot").click();
  await row.getByText("https://build.example.com/chat").waitFor();
  await makeProofsOld(harness);
  expect(await page.content()).not.toContain(api_key);
  expect(await page.content()).not.toContain(services[0].token);

  await row.getByRole("button", { name: "Show the key" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await proof.getByRole("button", { name: "Cancel" }).click();
  await proof.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(api_key);
  await row.getByRole("button", { name: "Show the key" }).click();
  await proof.getByLabel("Your password").fill(CAST_PASSWORD);
  await proof.getByRole("button", { name: "Continue" }).click();
  await row.getByText(api_key).waitFor();
  await row.getByText(services[0].token).waitFor();
  client.expectProblems(/403 \(Forbidden\)|401 \(Unauthorized\)|400 \(Bad Request\)/);
  await client.checkAccessibility();

  await row.getByRole("button", { name: "Replace the key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replace the key" }).click();
  await row.getByText(api_key).waitFor({ state: "detached" });
  const { api_key: next } = await expectSuccess(harness.as("dev").post(`/bots/${user_id}/api_key`));
  await row.getByText(next).waitFor();

  const { api_key: last } = await expectSuccess(
    harness.as("dev").post(`/bots/${user_id}/api_key/regenerate`),
  );
  await row.getByText("The key was replaced meanwhile").waitFor();
  expect(await page.content()).not.toContain(next);
  await row.getByRole("button", { name: "Show the key" }).click();
  await row.getByText(last).waitFor();
  expect(await row.getByText("The key was replaced meanwhile").count()).toBe(0);
  await row.getByRole("button", { name: "Hide the key" }).click();
  await row.getByRole("button", { name: "Show the key" }).waitFor();
  expect(await page.content()).not.toContain(last);
  client.expectProblems(/^shift/);
  await client.finish();
});

test("an administrator sees the key of a bot at its making, and shows that of another's by a proof", async () => {
  const { harness, open } = browser.world;
  const { user_id, api_key } = await addBot("Spindle Bot", "spindle");
  const client = await open("ada", { hash: "#organization/bots" });
  const { page } = client;
  await page.getByRole("button", { name: "Create a bot" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a bot" });
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Bobbin Bot");
  await dialog.getByRole("textbox", { name: "Short name" }).fill("bobbin");
  await dialog.getByRole("button", { name: "Create" }).click();
  const made = page.getByRole("dialog", { name: "How Bobbin Bot signs in" });
  await expect
    .poll(() => made.getByRole("textbox", { name: "API key" }).inputValue())
    .toMatch(/^[A-Za-z0-9]{32}$/);
  expect(await made.getByRole("button", { name: "Show the key" }).count()).toBe(0);
  await page.keyboard.press("Escape");

  await makeProofsOld(harness);
  await page.getByRole("button", { name: "Actions for Spindle Bot" }).click();
  await page.getByRole("menuitem", { name: "API key" }).click();
  const key = page.getByRole("dialog", { name: "How Spindle Bot signs in" });
  await key.getByRole("button", { name: "Show the key" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await proof.getByLabel("Your password").fill(CAST_PASSWORD);
  await proof.getByRole("button", { name: "Continue" }).click();
  await expect.poll(() => key.getByRole("textbox", { name: "API key" }).inputValue()).toBe(api_key);
  await client.checkAccessibility();
  // Nothing was saved: the key is only shown.
  expect(await key.getByText("Saved").count()).toBe(0);
  await key.getByRole("button", { name: "Replace the key" }).click();
  await key.getByRole("button", { name: "Replace it: the old key stops working" }).click();
  await expect.poll(() => key.getByRole("textbox", { name: "API key" }).inputValue()).not.toBe(api_key);
  const now = await expectSuccess(harness.as("ada").post(`/bots/${user_id}/api_key`));
  expect(await key.getByRole("textbox", { name: "API key" }).inputValue()).toBe(now.api_key);
  client.expectProblems(/403 \(Forbidden\)|401 \(Unauthorized\)|400 \(Bad Request\)/);
  client.expectProblems(/^shift/);
  await client.finish();
});
