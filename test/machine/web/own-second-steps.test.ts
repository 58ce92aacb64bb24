import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { hashPassword } from "../../../server/platform/crypto/passwords.ts";
import { sql } from "../../../server/platform/db/sql.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { addPasskey } from "../../harness/passkeys.ts";
import { makeProofsOld } from "../../harness/proofs.ts";
import { useBrowser } from "./browser.ts";

const browser = useBrowser();

test("an authenticator app is set up, its codes are renewed, and it is removed again", async () => {
  const { harness, open } = browser.world;
  const passwordHash = await hashPassword("a long password");
  await harness.services.database.query(sql`
    update users set password_hash = ${passwordHash} where id = ${harness.user("elin").id}`);
  const client = await open("elin", { hash: "#settings/security" });
  const { page } = client;
  // With another session, the poll of the old one ends with 401.
  client.expectProblems(/40[013] \(/);
  // What the server answers takes the place of what was there.
  client.expectProblems(/^shift: /);
  // A session that has just begun counts as a proof.
  await makeProofsOld(harness);
  await page.getByRole("button", { name: "Set up an app" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await proof.locator("input:focus").waitFor();
  // Behind the dialog nothing is being saved: the change waits for the proof.
  expect(await page.getByText("Saving…").count()).toBe(0);
  await page.keyboard.type("another password");
  await proof.getByRole("button", { name: "Continue" }).click();
  await proof.getByText("Wrong password").waitFor();
  await proof.getByLabel("Your password").fill("a long password");
  await proof.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("img", { name: "QR code" }).waitFor();
  const secret = await page.locator("code").first().textContent();
  await page.getByLabel("Code from the app").fill("000000");
  await page.getByRole("button", { name: "Use this app" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Code from the app").fill(new TOTP({ secret: secret ?? "" }).generate());
  await page.getByRole("button", { name: "Use this app" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect.poll(() => codes.count()).toBe(10);
  const first = await codes.first().textContent();
  await client.checkAccessibility();
  await page.getByRole("button", { name: "Get new codes" }).click();
  await expect.poll(() => codes.first().textContent()).not.toBe(first);
  const shown = await codes.first().textContent();
  await page.getByRole("button", { name: "I have kept them" }).click();
  await makeProofsOld(harness);
  await page.getByRole("button", { name: "Remove the app" }).click();
  await proof.getByLabel("Code of a second step").waitFor();
  expect(await proof.getByLabel("Your password").count()).toBe(0);
  await proof.getByLabel("Code of a second step").fill("aaaa-aaaa-aaaa");
  await proof.getByRole("button", { name: "Continue" }).click();
  await proof.getByText("The code is wrong").waitFor();
  await proof.getByLabel("Code of a second step").fill(shown ?? "");
  await proof.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Set up an app" }).waitFor();
  await client.finish();
});

test("somebody with a passkey alone is led to sign in by it again", async () => {
  const { harness, open } = browser.world;
  await addPasskey(harness, harness.user("cleo").viewer);
  const client = await open("cleo", { hash: "#settings/account" });
  const { page } = client;
  client.expectProblems(/403 \(|^shift/);
  await makeProofsOld(harness);
  await page.getByLabel("Email address").fill("cleo.new@demo.test");
  await page.getByRole("button", { name: "Change the address" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  const link = proof.getByRole("link", { name: "Sign in again" });
  expect(await link.getAttribute("href")).toBe("/login?again&next=%2F%23settings%2Faccount");
  expect(await proof.getByLabel("Your password").count()).toBe(0);
  await client.checkAccessibility();
  await client.finish();
});

test("the question who one is, and what is wrong with the answer, are in the account's language", async () => {
  const { harness, open } = browser.world;
  await expectSuccess(harness.as("dev").patch("/settings", { default_language: "de" }));
  const look = { width: 390, height: 844, theme: "dark", language: "" } as const;
  const client = await open("dev", { hash: "#settings/security", ...look });
  const { page } = client;
  client.expectProblems(/40[03] \(/);
  await makeProofsOld(harness);
  await page.getByRole("button", { name: "App einrichten" }).click();
  const proof = page.getByRole("dialog", { name: "Bestätige, dass du es bist" });
  await proof.getByLabel("Dein Passwort").fill("another password");
  await proof.getByRole("button", { name: "Weiter" }).click();
  await proof.getByText("Das Passwort ist falsch.").waitFor();
  await client.checkAccessibility();
  await proof.getByRole("button", { name: "Abbrechen" }).click();
  await proof.waitFor({ state: "detached" });
  client.expectProblems(/^shift/);
  await client.finish();
});
