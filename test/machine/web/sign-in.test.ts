// Signing in by passkeys, in Chromium with a virtual authenticator, and by the pages for second steps.
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { codeAt } from "../../../server/accounts/second-steps/totp.ts";
import { sql } from "../../../server/platform/db/sql.ts";
import { addRosa, mailsTo, PASSWORD, rosa } from "../../harness/accounts.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { callerOf, createHarness, type Harness } from "../../harness/harness.ts";
import { ownPageHeaders } from "../../harness/own-page-headers.ts";
import { openChromium } from "./chromium.ts";

const email = rosa.username;
const STEP_MS = 30_000;

let harness: Harness;
let browser: Browser;
let site: string;
let context: BrowserContext;
let page: Page;
let cdp: CDPSession;
let rosaId: number;

beforeAll(async () => {
  browser = await openChromium();
}, 120_000);
beforeEach(async () => {
  await context?.close();
  await harness?.close();
  harness = await createHarness();
  const url = new URL(await harness.app.listen({ host: "127.0.0.1", port: 0 }));
  // Browsers have passkeys over plain http for this name alone. It is one of the first organization's.
  site = `http://localhost:${url.port}`;
  rosaId = await addRosa(harness);
  await openBrowser();
}, 120_000);
afterAll(async () => {
  await context?.close();
  await harness?.close();
});

/** A context of its own, with an authenticator that confirms all by itself. */
async function openBrowser(): Promise<void> {
  await context?.close();
  context = await browser.newContext();
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
}

async function addAuthenticator(): Promise<string> {
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

async function signIn(): Promise<void> {
  await page.goto(`${site}/login?next=/reset`);
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** A call of the page, with its cookie. */
function call(path: string, fields: Record<string, string> = {}, method = "POST"): Promise<Answer> {
  return page.evaluate(
    async ([url, body, verb]) => {
      const response = await fetch(`/api/v1${url}`, {
        method: verb as string,
        headers: { "X-Parley-Client": "website" },
        ...(verb === "GET" ? {} : { body: new URLSearchParams(body as Record<string, string>) }),
      });
      return response.json();
    },
    [path, fields, method] as const,
  );
}

// biome-ignore lint/suspicious/noExplicitAny: the fields of answers differ.
type Answer = any;

/** Makes a passkey with the browser, and gives the credential that it returned. */
function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<string> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    return JSON.stringify(credential.toJSON());
  }, options);
}

function usePasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<string> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    return JSON.stringify(credential.toJSON());
  }, options);
}

/** Signs in by password and adds a passkey. Gives its id and the recovery codes. */
async function addPasskey(): Promise<{ id: number; codes: string[] }> {
  await signIn();
  await page.waitForURL(`${site}/reset`);
  const { options } = await call("/passkeys/registration_options");
  const answer = await call("/passkeys", { credential: await makePasskey(options), name: "Laptop" });
  expect(answer.msg).toBe("");
  return { id: answer.passkey.id, codes: answer.recovery_codes };
}

async function signOut(): Promise<void> {
  await call("/session", {}, "DELETE");
  await page.goto(`${site}/login?next=/reset`);
}

const textsToRosa = async () => (await mailsTo(harness, email)).map(({ text }) => text).join();

test("a passkey signs in by one button, without the password and a code", async () => {
  await addAuthenticator();
  const { codes } = await addPasskey();
  expect(codes).toHaveLength(10);
  await signOut();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(`${site}/reset`);
  expect((await call("/users/me", {}, "GET")).user_id).toBe(rosaId);
  const { passkeys } = await call("/passkeys", {}, "GET");
  expect(passkeys).toMatchObject([{ name: "Laptop", last_used_at: expect.any(Number) }]);
  await expect.poll(textsToRosa).toContain("The passkey “Laptop” was added.");
});

test("with a passkey the password alone is not enough, and a recovery code is", async () => {
  await addAuthenticator();
  const { codes } = await addPasskey();
  const refused = await harness.nobody().post("/session", { username: email, password: PASSWORD });
  expect([refused.body.code, refused.body.kinds]).toEqual([
    "SECOND_STEP_REQUIRED",
    ["passkey", "recovery_code"],
  ]);
  await openBrowser();
  await signIn();
  await page.getByLabel("Code").fill(codes[0] as string);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${site}/reset`);
});

test("a challenge is answered once, by the browser that asked, and for what it was", async () => {
  await addAuthenticator();
  await addPasskey();
  const { options } = await call("/session/passkey_options");
  const credential = await usePasskey(options);
  expect((await call("/session/passkey", { credential })).user_id).toBe(rosaId);
  expect((await call("/session/passkey", { credential })).code).toBe("PASSKEY_NOT_ACCEPTED");
  const later = await call("/session/passkey_options");
  const stolen = await usePasskey(later.options);
  const other = callerOf(harness.app, { host: new URL(site).host, ...ownPageHeaders });
  const elsewhere = await other.post("/session/passkey", { credential: JSON.parse(stolen) });
  expect(elsewhere.body.code).toBe("PASSKEY_NOT_ACCEPTED");
  // Only one of several answers at once counts.
  const last = await usePasskey((await call("/session/passkey_options")).options);
  const all = await Promise.all([1, 2, 3].map(() => call("/session/passkey", { credential: last })));
  expect(all.filter(({ result }) => result === "success")).toHaveLength(1);
});

test("a challenge that is over, and a passkey without a check of its user, are refused", async () => {
  const authenticatorId = await addAuthenticator();
  await addPasskey();
  const old = await usePasskey((await call("/session/passkey_options")).options);
  await harness.services.database.query(
    sql`update passkey_challenges set expires_at = now() - interval '1 second'`,
  );
  expect((await call("/session/passkey", { credential: old })).code).toBe("PASSKEY_NOT_ACCEPTED");
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  const { options } = await call("/session/passkey_options");
  const unverified = await usePasskey({ ...options, userVerification: "discouraged" });
  expect((await call("/session/passkey", { credential: unverified })).code).toBe("PASSKEY_NOT_ACCEPTED");
});

test("a counter that goes back is refused, and its owner is warned", async () => {
  await addAuthenticator();
  const { id } = await addPasskey();
  await harness.services.database.query(sql`update passkeys set counter = 1000 where id = ${id}`);
  const credential = await usePasskey((await call("/session/passkey_options")).options);
  expect((await call("/session/passkey", { credential })).code).toBe("PASSKEY_NOT_ACCEPTED");
  await expect.poll(textsToRosa).toContain("there may be a copy of it");
});

test("a passkey is named and removed by its owner, and then signs nobody in", async () => {
  await addAuthenticator();
  const { id } = await addPasskey();
  expect((await harness.as("dev").patch(`/passkeys/${id}`, { name: "Mine" })).status).toBe(404);
  expect((await call(`/passkeys/${id}`, { name: "Old laptop" }, "PATCH")).result).toBe("success");
  expect((await call(`/passkeys/${id}`, {}, "DELETE")).result).toBe("success");
  expect((await call("/passkeys", {}, "GET")).passkeys).toEqual([]);
  const credential = await usePasskey((await call("/session/passkey_options")).options);
  expect((await call("/session/passkey", { credential })).code).toBe("PASSKEY_NOT_ACCEPTED");
  const { body } = await harness.nobody().post("/session", { username: email, password: PASSWORD });
  expect(body.user_id).toBe(rosaId);
  await expect.poll(textsToRosa).toContain("The passkey “Old laptop” was removed.");
});

test("an ended account signs in by no passkey", async () => {
  await addAuthenticator();
  await addPasskey();
  await expectSuccess(harness.as("ada").delete(`/users/${rosaId}`));
  const credential = await usePasskey((await call("/session/passkey_options")).options);
  expect((await call("/session/passkey", { credential })).code).toBe("USER_DEACTIVATED");
});

test("whom the organization requires a second step of is led to set up an app, and goes on", async () => {
  await expectSuccess(harness.as("ada").patch("/realm", { require_second_step: "everyone" }));
  await signIn();
  await page.getByRole("heading", { name: "Set up a second step" }).waitFor();
  await page.getByRole("button", { name: "Use an authenticator app" }).click();
  await page.getByRole("img", { name: /QR code/ }).waitFor();
  const secret = (await page.locator("pre").innerText()).replace(/\s/g, "");
  await page.getByLabel("The six digits").fill("000000");
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("The six digits").fill(codeAt(secret));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  await page.getByRole("link", { name: "Go on" }).click();
  await page.waitForURL(`${site}/reset`);
  expect((await call("/users/me", {}, "GET")).user_id).toBe(rosaId);
  await openBrowser();
  await signIn();
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("The code is wrong").waitFor();
  await page.getByLabel("Code").fill(codeAt(secret, Date.now() + STEP_MS));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${site}/reset`);
});

test("a passkey is a second step that the organization requires", async () => {
  await addAuthenticator();
  await expectSuccess(harness.as("ada").patch("/realm", { require_second_step: "everyone" }));
  await signIn();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  expect((await page.locator("pre").innerText()).trim().split("\n")).toHaveLength(10);
  await page.getByRole("link", { name: "Go on" }).click();
  await page.waitForURL(`${site}/reset`);
  expect((await call("/users/me", {}, "GET")).user_id).toBe(rosaId);
});

test("without script, and where the browser has no passkeys, there is no button", async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false });
  try {
    const shown = await plain.newPage();
    await shown.goto(`${site}/login`);
    await expect.poll(() => shown.getByRole("button").allInnerTexts()).toEqual(["Sign in"]);
  } finally {
    await plain.close();
  }
});
