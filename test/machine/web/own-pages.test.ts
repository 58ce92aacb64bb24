/** One's own settings while calls fail, answers are late, and the account changes elsewhere. */
import { expect, test } from "vitest";
import { hashPassword } from "../../../server/platform/crypto/passwords.ts";
import { sql } from "../../../server/platform/db/sql.ts";
import { expectSuccess } from "../../harness/answers.ts";
import type { CastName } from "../../harness/harness.ts";
import { makeProofsOld } from "../../harness/proofs.ts";
import { refuseNext, useBrowser } from "./browser.ts";
import { holdAnswers, look, loseQueue, queueOf } from "./network.ts";

const browser = useBrowser();

async function setPassword(name: CastName, password: string): Promise<void> {
  const { harness } = browser.world;
  const hash = await hashPassword(password);
  await harness.services.database.query(sql`
    update users set password_hash = ${hash} where id = ${harness.user(name).id}`);
}

test("a select shows again what counts when its change was refused", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("sirens", ["dev"]);
  const topic = { stream_id: channel.id, topic: "drills", visibility_policy: 3 };
  await expectSuccess(harness.as("dev").post("/user_topics", topic));
  const client = await open("dev", { hash: "#settings/topics" });
  const { page } = client;
  client.expectProblems(/^shift/);
  const policy = page.getByRole("combobox", { name: /topic drills/ });
  await refuseNext(client, "/user_topics");
  await policy.selectOption("Muted");
  await page.getByText("Not now").waitFor();
  await expect.poll(() => policy.inputValue()).toBe("followed");
  await page.getByRole("link", { name: "Notifications" }).click();
  await page.getByRole("combobox", { name: "Add a channel…" }).selectOption("#sirens");
  const sound = page.getByRole("combobox", { name: "#sirens: Sound" });
  await refuseNext(client, "/users/me/subscriptions/properties");
  await sound.selectOption("On");
  await page.locator(".problem").getByText("Not now").waitFor();
  await expect.poll(() => sound.inputValue()).toBe("usual");
  await client.finish();
});

test("a proof that is not given changes nothing, and nothing is said to be saved", async () => {
  const { harness, open } = browser.world;
  await setPassword("cleo", "a long password");
  const client = await open("cleo", { hash: "#settings/security" });
  const { page } = client;
  client.expectProblems(/403 \(|^shift/);
  await makeProofsOld(harness);
  await page.getByRole("button", { name: "Set up an app" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await proof.getByRole("button", { name: "Cancel" }).click();
  await proof.waitFor({ state: "detached" });
  await client.settled();
  expect(await page.getByText("Saved").count()).toBe(0);
  expect(await page.getByText("Saving").count()).toBe(0);
  await page.getByRole("button", { name: "Set up an app" }).click();
  await proof.getByLabel("Your password").fill("a long password");
  await proof.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("img", { name: "QR code" }).waitFor();
  await client.finish();
});

test("the new name of a passkey stays in its field while one looks at another window", async () => {
  const passkeys = ["Phone", "Laptop"].map((name, at) => ({
    ...{ id: at + 1, name, created_at: 1_790_000_000, last_used_at: null },
    ...{ is_backed_up: false, transports: [] },
  }));
  const client = await browser.world.open("elin", {
    hash: "#settings/security",
    before: (page) =>
      page.route("**/api/v1/passkeys", (route) =>
        route.fulfill({ json: { result: "success", msg: "", passkeys } }),
      ),
  });
  const { page } = client;
  client.expectProblems(/^shift/);
  await page.getByText("Phone", { exact: true }).click();
  const name = page.getByRole("textbox", { name: "Name of the passkey" }).first();
  await name.fill("Old phone");
  const fetched = page.waitForResponse(/\/passkeys$/);
  await look(page, "hidden");
  await look(page, "visible");
  await fetched;
  await client.settled();
  await expect.poll(() => name.isVisible()).toBe(true);
  await expect.poll(() => name.inputValue()).toBe("Old phone");
  await client.finish();
});

test("uploads are there again after a lost queue, and an old answer brings none back", async () => {
  const { harness, open } = browser.world;
  const client = await open("dev", { hash: "#settings/uploads" });
  const { page } = client;
  client.expectProblems(/^shift/);
  const upload = (name: string) =>
    page.evaluate(async (element) => {
      const form = new FormData();
      form.append("file", new Blob(["soup"]), element);
      const headers = { "X-Parley-Client": "test" };
      await fetch("/api/v1/user_uploads", { method: "POST", headers, body: form });
    }, name);
  const queueId = await queueOf(page, () => upload("soup.txt"));
  await page.getByText("soup.txt").waitFor();
  await loseQueue(client, { harness, name: "dev", queueId }, async () => {});
  await page.getByText("soup.txt").waitFor();
  const release = await holdAnswers(page, "GET", "/attachments");
  await look(page, "hidden");
  await look(page, "visible");
  await page.getByRole("button", { name: "Delete soup.txt" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  const nothing = page.getByText("You have uploaded nothing.");
  await nothing.waitFor();
  // The sentence begins where its heading does.
  const heading = page.getByRole("heading", { name: "My uploads" });
  expect((await nothing.boundingBox())?.x).toBe((await heading.boundingBox())?.x);
  await release();
  await client.settled();
  await page.getByText("You have uploaded nothing.").waitFor();
  expect(await page.getByText("soup.txt").count()).toBe(0);
  await client.finish();
});

test("a press and an Enter change the password once, and no error is shown", async () => {
  const { open } = browser.world;
  await setPassword("ben", "a long password");
  const client = await open("ben", { hash: "#settings/account" });
  const { page } = client;
  client.expectProblems(/40[013] \(|^shift/);
  await page.getByLabel("Current password").fill("a long password");
  await page.getByLabel("New password").fill("an even longer password");
  const release = await holdAnswers(page, "PATCH", "/settings");
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByLabel("New password").press("Enter");
  await release();
  await page.getByText("Saved").waitFor();
  await client.settled();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await page.locator(".problem").count()).toBe(0);
  await client.context.close();
});

test("signing out in the list of sessions leaves nothing of the account in the browser", async () => {
  const client = await browser.world.open("elin", { hash: "#settings/sessions" });
  const { page } = client;
  await page.evaluate(() => localStorage.setItem("parley.searches", '["secret"]'));
  await page.getByRole("button", { name: "Sign out here" }).click();
  await page.waitForURL(/\/login/);
  expect(await page.evaluate(() => localStorage.getItem("parley.searches"))).toBeNull();
  await client.context.close();
});

test("what is typed while a word is being added stays", async () => {
  const client = await browser.world.open("dev", { hash: "#settings/notifications" });
  const { page } = client;
  client.expectProblems(/^shift/);
  const field = page.getByRole("textbox", { name: "New alert word" });
  const release = await holdAnswers(page, "POST", "/users/me/alert_words");
  await field.fill("soup");
  await field.press("Enter");
  await field.fill("salad");
  await release();
  await client.settled();
  await page.getByRole("button", { name: "Remove soup" }).waitFor();
  await expect.poll(() => field.inputValue()).toBe("salad");
  await client.finish();
});

test("subscribers are asked for again when the network is back", async () => {
  const { harness, open } = browser.world;
  const channel = await harness.channel("bridges", ["dev", "elin"]);
  const client = await open("dev", { hash: `#channels/${channel.id}/bridges/general` });
  const { page } = client;
  client.expectProblems(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|dynamically imported|^shift/);
  await client.context.setOffline(true);
  await page.getByText("You are offline").waitFor();
  await page.getByRole("link", { name: "Subscribers" }).click();
  await page.getByRole("alert").first().waitFor();
  await client.context.setOffline(false);
  await page.getByRole("list", { name: "Subscribers" }).getByText("Elin Berg").waitFor();
  await client.finish();
});

test("a new channel is asked about before it is thrown away, and does not fetch back who has left", async () => {
  const { open } = browser.world;
  const client = await open("ada", { hash: "#channels/new" });
  const { page } = client;
  client.expectProblems(/^shift/);
  await page.getByRole("textbox", { name: "Name" }).fill("harbour");
  await page.getByRole("link", { name: "All", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("More settings").click();
  await page.getByRole("combobox", { name: "Keep messages" }).selectOption("For some days");
  await page.getByRole("spinbutton").fill("");
  expect(await page.getByRole("button", { name: "Create the channel" }).isDisabled()).toBe(true);
  await page.getByRole("spinbutton").fill("30");
  const release = await holdAnswers(page, "POST", "/channels/create");
  await page.getByRole("button", { name: "Create the channel" }).click();
  await page.evaluate(() => {
    location.hash = "#inbox";
  });
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  await release();
  await page.getByRole("navigation").getByRole("link", { name: "harbour" }).waitFor();
  await client.settled();
  expect(new URL(page.url()).hash).toBe("#inbox");
  await client.finish();
});

test("of two quick choices the second one stays on the screen, though the first is refused", async () => {
  const client = await browser.world.open("elin", { hash: "#settings/preferences" });
  const { page } = client;
  client.expectProblems(/400 \(Bad Request\)|^shift/);
  const gates: (() => void)[] = [];
  await page.route("**/api/v1/settings", async (route) => {
    const isFirst = gates.length === 0;
    await new Promise<void>((resolve) => gates.push(resolve));
    if (!isFirst) return route.continue();
    const json = { result: "error", msg: "Not now", code: "BAD_REQUEST" };
    return route.fulfill({ status: 400, json });
  });
  const size = page.getByRole("combobox", { name: "Text size" });
  await size.selectOption("15");
  await size.selectOption("16");
  await expect.poll(() => gates.length).toBe(1);
  gates[0]?.();
  await expect.poll(() => gates.length).toBe(2);
  await page.waitForTimeout(500);
  expect(await size.inputValue()).toBe("16");
  gates[1]?.();
  await client.settled();
  await expect.poll(() => size.inputValue()).toBe("16");
  await client.finish();
});
