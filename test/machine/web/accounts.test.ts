// The ways into an account, walked in Chromium with a real mail server and a real provider. Every page on
// them is looked at in light and dark and in three widths.
import { createDecipheriv, randomBytes } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { unsubscribeUrl } from "../../../server/accounts/mail-preferences/links.ts";
import { codeAt } from "../../../server/accounts/second-steps/totp.ts";
import { freePort } from "../../e2e/parley.ts";
import { addPerson, OTHER_PASSWORD, PASSWORD } from "../../harness/accounts.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { callerOf, createHarness, type Harness } from "../../harness/harness.ts";
import {
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from "../../harness/identity-provider.ts";
import { runJobs } from "../../harness/jobs.ts";
import { type MailServer, startMailServer } from "../../harness/mail-server.ts";
import { findViolations } from "./accessibility.ts";
import { buildClient } from "./build.ts";
import { openChromium } from "./chromium.ts";

const WIDTHS = [390, 800, 1280];
const STEP_MS = 30_000;
/** A walk looks at each page six times. */
const PATIENCE_MS = 300_000;

let harness: Harness;
let mailServer: MailServer;
let provider: IdentityProvider;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let site: string;
let problems: string[];

beforeAll(async () => {
  buildClient();
  browser = await openChromium();
  mailServer = await startMailServer();
  const port = await freePort();
  // Browsers have passkeys over plain http for this name alone. It is one of the first organization's.
  site = `http://localhost:${port}`;
  provider = await startIdentityProvider(["acme"], [`${site}/auth/acme/callback`]);
  const acme = {
    id: "acme",
    name: "Work account",
    issuer: provider.issuer,
    client_id: "acme",
    client_secret: CLIENT_SECRET,
  };
  harness = await createHarness({
    PARLEY_RATE_LIMITS: "off",
    PARLEY_PUBLIC_URL: site,
    PARLEY_OPEN_ORGANIZATIONS: "on",
    PARLEY_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    PARLEY_MAIL_FROM: "Demo chat <chat@demo.test>",
    PARLEY_OIDC: JSON.stringify([acme]),
  });
  await harness.app.listen({ host: "127.0.0.1", port });
}, PATIENCE_MS);
afterAll(async () => {
  await harness?.close();
  await provider?.close();
  await mailServer?.close();
});

beforeEach(async () => {
  problems = [];
  context = await browser.newContext({ reducedMotion: "reduce" });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // Pages that refuse something have the status of an error.
    const isStatus = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isStatus) problems.push(message.text());
  });
});
afterEach(async () => {
  await context.close();
  expect(problems).toEqual([]);
});

/** Looks at the page with this heading: for whom it is hard to use, and whether it is too wide. */
async function look(heading: string): Promise<void> {
  await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const found = await findViolations(page);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([found, Math.max(0, excess)], `${heading}, ${colorScheme}, ${width}`).toEqual([[], 0]);
    }
  }
}

const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const alert = () => page.getByRole("alert").filter({ hasText: /./ }).innerText();

/** The link in the newest mail to an address. */
async function linkTo(email: string): Promise<string> {
  await runJobs(harness.services);
  const mails = await mailServer.received();
  const mail = mails.filter(({ to }) => to?.some(({ address }) => address === email)).at(-1);
  const [link] = /http\S+/.exec(mail?.text ?? "") ?? [];
  expect(link).toMatch(new RegExp(`^${site}/`));
  return link as string;
}

/** Who is signed in by the browser's cookie. */
async function person(where = context): Promise<string | undefined> {
  const answer = await where.request.get(`${site}/api/v1/users/me`);
  return (await answer.json()).email;
}

async function addMailedPerson(email: string, fullName: string): Promise<void> {
  await addPerson(harness, email, fullName);
  await runJobs(harness.services);
  await mailServer.received();
}

async function signIn(email: string, password = PASSWORD, next = "/health"): Promise<void> {
  await page.goto(`${site}/login?next=${encodeURIComponent(next)}`);
  await fill("Email address", email);
  await fill("Password", password);
  await press("Sign in");
}

/** Used, expired, foreign and invented links have one page. */
async function expectEnded(links: readonly string[]): Promise<void> {
  const texts = new Set<string>();
  for (const link of links) {
    expect((await page.goto(link))?.status()).toBe(404);
    texts.add(await page.locator("main").innerText());
  }
  expect(texts.size).toBe(1);
}

const guessed = (link: string) => link.replace(/[\w-]{43}$/, "A".repeat(43));

test("somebody joins by mail where no invitation is needed", { timeout: PATIENCE_MS }, async () => {
  await page.goto(`${site}/join`);
  await look("You need an invitation to join");
  await expectSuccess(harness.as("ada").patch("/realm", { invite_required: false }));
  await page.goto(`${site}/join`);
  await fill("Your email address", "no address");
  await press("Send me a link");
  await look("Join Demo");
  await fill("Your email address", "nora@demo.test");
  await press("Send me a link");
  await look("Look into your mail");
  const link = await linkTo("nora@demo.test");
  await page.goto(link);
  await fill("Your name", "Nora Vale");
  await fill("A new password", "password");
  await press("Create account");
  await look("Join Demo");
  await fill("A new password", PASSWORD);
  await press("Create account");
  await page.waitForURL(`${site}/`);
  await expect.poll(() => person()).toBe("nora@demo.test");
  await expectEnded([link, guessed(link)]);
  await look("This link does not work");
  await expectSuccess(harness.as("ada").patch("/realm", { invite_required: true }));
});

test("somebody joins by an invitation, which then works no more", { timeout: PATIENCE_MS }, async () => {
  // Without PARLEY_PUBLIC_URL a link names the address that was called.
  const { email, apiKey } = harness.user("ada");
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  const ada = callerOf(harness.app, { host: new URL(site).host, authorization });
  await expectSuccess(ada.post("/invites", { invitee_emails: "otto@demo.test", stream_ids: [] }));
  const link = await linkTo("otto@demo.test");
  await page.goto(link);
  await fill("Your name", "O");
  await press("Create account");
  await look("Join Demo");
  await fill("Your name", "Otto Berg");
  await fill("A password for you", PASSWORD);
  await press("Create account");
  await page.waitForURL(`${site}/`);
  await expect.poll(() => person()).toBe("otto@demo.test");
  await expectEnded([link, guessed(link)]);
  await look("This invitation does not work");
});

test("who forgot a password sets another by mail and signs in with it", {
  timeout: PATIENCE_MS,
}, async () => {
  await addMailedPerson("rosa@demo.test", "Rosa Vale");
  await page.goto(`${site}/login`);
  await look("Sign in to Demo");
  await fill("Email address", "rosa@demo.test");
  await fill("Password", "not the password");
  await press("Sign in");
  await expect.poll(alert).toContain("incorrect");
  await look("Sign in to Demo");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await look("Another password for Demo");
  await fill("Your email address", "rosa@demo.test");
  await press("Send me a link");
  await look("Look into your mail");
  const link = await linkTo("rosa@demo.test");
  await page.goto(link);
  await look("Another password for Demo");
  await fill("A new password", OTHER_PASSWORD);
  await press("Set password");
  await look("Your password is set");
  expect(await person()).toBeUndefined();
  await expectEnded([link, guessed(link), link.replace("/reset/", "/verify/")]);
  await page.getByRole("link", { name: "ask for a new link" }).click();
  await page.getByRole("heading", { name: "Another password for Demo" }).waitFor();
  await signIn("rosa@demo.test", OTHER_PASSWORD);
  await page.waitForURL(`${site}/health`);
  await expect.poll(() => person()).toBe("rosa@demo.test");
});

test("somebody confirms another address", { timeout: PATIENCE_MS }, async () => {
  await addMailedPerson("vera@demo.test", "Vera Vale");
  await signIn("vera@demo.test");
  await page.waitForURL(`${site}/health`);
  const answer = await context.request.patch(`${site}/api/v1/settings`, {
    headers: { origin: site, "x-parley-client": "website" },
    form: { email: "vera.ott@demo.test" },
  });
  expect((await answer.json()).msg).toBe("");
  await page.goto(await linkTo("vera.ott@demo.test"));
  await look("Your email address for Demo");
  await press("Use this address");
  await look("Your email address is confirmed");
  await expect.poll(() => person()).toBe("vera.ott@demo.test");
});

test("somebody connects a provider once, and then signs in by it", { timeout: PATIENCE_MS }, async () => {
  await addMailedPerson("hans@demo.test", "Hans Vale");
  const follow = () => page.getByRole("link", { name: "Continue with Work account" }).click();
  const start = async () => {
    await page.goto(`${site}/login`);
    await follow();
  };
  provider.person = { sub: "hans", email: "hans@demo.test", email_verified: true };
  await start();
  await look("Connect Work account with your account in Demo");
  await fill("Password", "not the password");
  await press("Sign in and connect");
  await look("Connect Work account with your account in Demo");
  await fill("Password", PASSWORD);
  await press("Sign in and connect");
  await page.waitForURL(`${site}/`);
  await expect.poll(() => person()).toBe("hans@demo.test");
  await context.clearCookies();
  await start();
  await page.waitForURL(`${site}/`);
  await expect.poll(() => person()).toBe("hans@demo.test");
  await context.clearCookies();
  provider.person = undefined;
  await start();
  await look("Work account has not signed you in");
  await page.goto(`${site}/auth/acme/callback?state=guessed&code=guessed`);
  await look("This sign-in does not work");
  await page.goto(`${site}/auth/nobody`);
  await look("There is no such way to sign in");
  expect(await person()).toBeUndefined();
});

test("who must have a second step is led there from the client, and comes back", {
  timeout: PATIENCE_MS,
}, async () => {
  await addMailedPerson("mira@demo.test", "Mira Vale");
  await signIn("mira@demo.test", PASSWORD, "/#inbox");
  await page.locator(".app").waitFor();
  await expectSuccess(harness.as("ada").patch("/realm", { require_second_step: "everyone" }));
  try {
    await look("Set up a second step");
    await press("Use an authenticator app");
    await look("Set up your authenticator app");
    const secret = (await page.locator("pre").innerText()).replace(/\s/g, "");
    await fill("The six digits that the app shows", "000000");
    await press("Confirm");
    await look("Set up your authenticator app");
    await fill("The six digits that the app shows", codeAt(secret));
    await press("Confirm");
    await look("Your recovery codes");
    await page.getByRole("link", { name: "Go on" }).click();
    await page.locator(".app").waitFor();
    await context.clearCookies();
    await signIn("mira@demo.test");
    await look("Second step");
    await fill("Code", "000000");
    await press("Sign in");
    await look("Second step");
    await fill("Code", codeAt(secret, Date.now() + STEP_MS));
    await press("Sign in");
    await page.waitForURL(`${site}/health`);
    await expect.poll(() => person()).toBe("mira@demo.test");
  } finally {
    await expectSuccess(harness.as("ada").patch("/realm", { require_second_step: "nobody" }));
  }
});

test("a link of a mail ends the mails of its kind after a question", { timeout: PATIENCE_MS }, async () => {
  const { services, state } = harness;
  const { user } = harness.user("elin");
  const link = unsubscribeUrl(services.keyring, state, user, "missed-messages", site);
  await page.goto(link);
  await look("Get no more mails?");
  await press("Get no more");
  await look("Done");
  await expectEnded([guessed(link), link.replace("missed-messages", "welcome")]);
  await look("This link does not work");
});

test("a desktop app is signed in by a text that the browser shows", { timeout: PATIENCE_MS }, async () => {
  await addMailedPerson("olga@demo.test", "Olga Vale");
  const app = await browser.newContext({ userAgent: "Mozilla/5.0 ZulipElectron/5.11" });
  try {
    const browserPage = page;
    page = await app.newPage();
    provider.person = { sub: "olga", email: "olga@demo.test", email_verified: true };
    const opened = app.waitForEvent("page");
    await page.goto(`${site}/auth/acme`);
    await look("Sign in with Work account");
    const appPage = page;
    page = await opened;
    await fill("Password", PASSWORD);
    await press("Sign in and connect");
    await look("You are signed in");
    const text = await page.locator("pre").innerText();
    page = appPage;
    await fill("The text", text);
    await press("Sign in");
    await page.waitForURL(`${site}/`);
    expect(await person(app)).toBe("olga@demo.test");
    page = browserPage;
  } finally {
    await app.close();
  }
  const otp = randomBytes(32);
  await page.goto(`${site}/auth/acme?desktop_flow_otp=${otp.toString("hex")}`);
  await look("You are signed in");
  const text = Buffer.from(await page.locator("pre").innerText(), "hex");
  const decipher = createDecipheriv("aes-256-gcm", otp, text.subarray(0, 12));
  decipher.setAuthTag(text.subarray(-16));
  const token = decipher.update(text.subarray(12, -16), undefined, "utf8") + decipher.final("utf8");
  expect(await person()).toBeUndefined();
  await page.goto(`${site}/accounts/login/subdomain/${token}`);
  await look("Sign in to Demo");
  await press("Sign in");
  await page.waitForURL(`${site}/`);
  await expect.poll(() => person()).toBe("olga@demo.test");
  await context.clearCookies();
  await page.goto(`${site}/accounts/login/subdomain/${token}`);
  await look("This sign-in does not work");
  expect(await person()).toBeUndefined();
});

test("anybody makes an organization of their own by mail", { timeout: PATIENCE_MS }, async () => {
  await page.goto(`${site}/new`);
  await look("Create an organization");
  await fill("Your email address", "not an address");
  await press("Send me a link");
  await look("Create an organization");
  await fill("Your email address", "ida@bakers.test");
  await press("Send me a link");
  await look("Look into your mail");
  const link = await linkTo("ida@bakers.test");
  await page.goto(link);
  await look("Create your organization");
  await fill("Name of the organization", "Bakers");
  await fill("Its address", "www");
  await fill("Your name", "Ida Moe");
  await fill("A password for you", PASSWORD);
  await press("Create organization");
  await look("Create your organization");
  await fill("Its address", "bakers");
  await fill("A password for you", PASSWORD);
  await press("Create organization");
  await look("Bakers is ready");
  await page.reload();
  await look("Bakers is ready");
  await page.getByRole("link", { name: "http://bakers.localhost" }).click();
  await fill("Email address", "ida@bakers.test");
  await fill("Password", PASSWORD);
  await press("Sign in");
  await page.locator(".app").waitFor();
  expect(new URL(page.url()).hostname).toBe("bakers.localhost");
  await page.goto(link);
  await look("This link does not work");
});
