/** Identities of providers as ways in: what connects one, what it opens, and what ends it (F2). */

import { beforeEach, describe, expect, test } from "vitest";
import {
  addPerson,
  mailedPath,
  mailsTo,
  OTHER_PASSWORD,
  PASSWORD,
  sendForm,
  signIn,
} from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import type { Browser } from "../../../test/harness/browser.ts";
import { readDesktopCode } from "../../../test/harness/desktop-code.ts";
import { HOST } from "../../../test/harness/harness.ts";
import { SITE, useProviders } from "../../../test/harness/oidc-providers.ts";
import { TOTP_STEP_MS } from "../../../test/harness/one-time-codes.ts";
import { ownPageHeaders } from "../../../test/harness/own-page-headers.ts";
import { makeProofsOld } from "../../../test/harness/proofs.ts";
import type { User } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { resetSecondSteps } from "../second-steps/actions.ts";
import { codeAt } from "../second-steps/totp.ts";

const providers = useProviders();
const { fresh, personIn, accountOf, identities } = providers;

let email: string;
let count = 0;
/** A person of their own for each test, with a password. */
beforeEach(async () => {
  email = `wilma${++count}@demo.test`;
  await addPerson(providers.harness, email, `Wilma ${count}`);
});

const login = () => ({ username: email, password: PASSWORD });
const subject = () => `at the provider ${count}`;

/** Connects an identity without a verified address with wilma's account, by her password. */
async function connectByPassword(): Promise<Browser> {
  const browser = fresh({ sub: subject(), email: "mallory@attacker.example", email_verified: false });
  const { url } = await browser.open(`${SITE}/auth/sso`);
  await browser.submit(url, login());
  return browser;
}

async function enterAgain(path = "/auth/sso") {
  const browser = fresh({ sub: subject(), email: "mallory@attacker.example", email_verified: false });
  return { browser, ...(await browser.open(`${SITE}${path}`)) };
}

/** Adds an authenticator app, and returns what makes its codes. */
async function addApp(): Promise<(steps?: number) => string> {
  const person = await signIn(providers.harness, login());
  const { secret } = await expectSuccess(person.post("/second_steps/totp"));
  await expectSuccess(person.post("/second_steps/totp/confirm", { code: codeAt(secret) }));
  // A code counts once, and one step early too.
  return (steps = 1) => codeAt(secret, Date.now() + steps * TOTP_STEP_MS);
}

async function textsTo(address: string): Promise<string> {
  return (await mailsTo(providers.harness, address)).map(({ text }) => text).join("\n");
}

async function audited(action: string): Promise<number> {
  const { entries } = await expectSuccess(providers.harness.as("ada").get("/realm/audit_log", { action }));
  const id = accountOf(email)?.id;
  return entries.filter(({ target_id }: { target_id: number }) => target_id === id).length;
}

describe("an identity that was connected by the password", () => {
  test("is mailed to the person, and is in the audit log", async () => {
    const browser = await connectByPassword();
    expect(await personIn(browser)).toBe(email);
    expect(await audited("identity_connected")).toBe(1);
    expect(await textsTo(email)).toContain("An account at The sso service can sign in to yours now.");
  });

  test("ends with the password, when another is set by mail", async () => {
    await connectByPassword();
    const { harness } = providers;
    await sendForm(harness, "/reset", { email }, { headers: ownPageHeaders });
    const path = await mailedPath(harness, email);
    const done = await sendForm(harness, path, { password: OTHER_PASSWORD }, { headers: ownPageHeaders });
    expect(done.body).toContain("Your password is set");
    const { browser, url } = await enterAgain();
    expect([await personIn(browser), url]).toEqual([undefined, `${SITE}/auth/sso/connect`]);
    expect(await audited("identity_removed")).toBe(1);
  });

  test("ends when the operator takes the second steps away", async () => {
    await connectByPassword();
    const { harness } = providers;
    const done = await runStateChange(harness.state, (tx) =>
      resetSecondSteps(tx, harness.services, (accountOf(email) as User).id),
    );
    expect(done).toBe(true);
    expect(await personIn((await enterAgain()).browser)).toBeUndefined();
  });

  test("does not begin where the password was changed meanwhile", async () => {
    const browser = fresh({ sub: subject(), email, email_verified: false });
    const { url } = await browser.open(`${SITE}/auth/sso`);
    const changed = { old_password: PASSWORD, new_password: OTHER_PASSWORD };
    await expectSuccess((await signIn(providers.harness, login())).patch("/settings", changed));
    await browser.submit(url, login());
    expect((await identities()).map((each) => each.subject)).not.toContain(subject());
  });
});

describe("where a second step is required", () => {
  // A session of a provider has to set nothing up, and neither has the key that a mobile app gets.
  test.each(["/auth/sso", `/auth/sso?mobile_flow_otp=${"ab".repeat(32)}`])(
    "the password alone connects nothing, by %s",
    async (path) => {
      await providers.set({ require_second_step: "everyone" });
      try {
        const { browser, url } = await enterAgain(path);
        const { status, body } = await browser.submit(url, login());
        expect([status, await personIn(browser)]).toEqual([403, undefined]);
        expect(body).toContain("Your organization requires a second step of you.");
        expect((await identities()).map((each) => each.subject)).not.toContain(subject());
        const code = await addApp();
        await browser.submit(url, { ...login(), code: code() });
        expect((await identities()).map((each) => each.subject)).toContain(subject());
      } finally {
        await providers.set({ require_second_step: "nobody" });
      }
    },
  );
});

describe("an account with an authenticator app", () => {
  test("asks an older identity for a code once", async () => {
    await connectByPassword();
    const code = await addApp();
    const { browser, url, body } = await enterAgain("/auth/sso?next=/inbox");
    expect([url, await personIn(browser)]).toEqual([`${SITE}/auth/sso/second-step`, undefined]);
    expect(body).toContain("Second step");
    const wrong = await browser.submit(url, { code: "000000" });
    expect([wrong.status, await personIn(browser)]).toEqual([403, undefined]);
    expect((await browser.submit(url, { code: code() })).url).toBe(`${SITE}/inbox`);
    expect(await personIn(browser)).toBe(email);
    expect((await browser.submit(url, { code: code(2) })).status).toBe(400);
    expect(await personIn((await enterAgain()).browser)).toBe(email);
  });

  test.each(["mobile", "desktop"])(
    "gives a %s app nothing by an older identity before that",
    async (kind) => {
      await connectByPassword();
      const code = await addApp();
      const { browser, url } = await enterAgain(`/auth/sso?${kind}_flow_otp=${"ab".repeat(32)}`);
      expect(url).toBe(`${SITE}/auth/sso/second-step`);
      const { body } = await browser.submit(url, { code: code() });
      expect(body).toContain(kind === "mobile" ? 'href="zulip://login?' : '<pre id="code"');
    },
  );

  test("lets a desktop app prove what was shown in the browser", async () => {
    await connectByPassword();
    const code = await addApp();
    const otp = "ab".repeat(32);
    const { browser, url } = await enterAgain(`/auth/sso?desktop_flow_otp=${otp}`);
    const { body } = await browser.submit(url, { code: code() });
    const app = fresh({ sub: "of the app" });
    await app.submit(`${SITE}/accounts/login/subdomain/${await readDesktopCode(body, otp)}`, {});
    expect(await personIn(app)).toBe(email);
    const { database } = providers.harness.services;
    const sessions = await database.query(sql`
      select 1 from sessions where user_id = ${accountOf(email)?.id} and step_proved_at is not null
        and signed_in_by = 'provider'`);
    expect(sessions).toHaveLength(1);
  });

  test("asks for a code at the first sign-in by a trusted address", async () => {
    const code = await addApp();
    const browser = fresh({ sub: subject(), email });
    const { url } = await browser.open(`${SITE}/auth/trusted`);
    expect([url, await personIn(browser)]).toEqual([`${SITE}/auth/trusted/second-step`, undefined]);
    expect((await identities()).map((each) => each.subject)).not.toContain(subject());
    await browser.submit(url, { code: code() });
    expect(await personIn(browser)).toBe(email);
    expect(await audited("identity_connected")).toBe(1);
    const later = fresh({ sub: subject(), email });
    await later.open(`${SITE}/auth/trusted`);
    expect(await personIn(later)).toBe(email);
  });

  test("does not take the step of another provider, or of another browser", async () => {
    await connectByPassword();
    const code = await addApp();
    await enterAgain();
    const other = fresh({ sub: subject() });
    const sent = await other.submit(`${SITE}/auth/sso/second-step`, { code: code() });
    expect([sent.status, await personIn(other)]).toEqual([400, undefined]);
  });
});

describe("one's own identities", () => {
  test("can be seen, and ended after a proof, which ends what they have opened", async () => {
    const browser = await connectByPassword();
    const person = await signIn(providers.harness, login());
    const { identities: own } = await expectSuccess(person.get("/identities"));
    expect(own).toEqual([
      {
        id: expect.any(Number),
        provider: "sso",
        provider_name: "The sso service",
        connected_by: "password",
        connected_at: expect.any(Number),
        last_used_at: expect.any(Number),
      },
    ]);
    await makeProofsOld(providers.harness);
    const end = (proof: object) => person.delete(`/identities/${own[0].id}`, { ...proof });
    expect((await end({})).body.code).toBe("RECENT_PROOF_REQUIRED");
    await expectSuccess(end({ password: PASSWORD }));
    expect(await personIn(browser)).toBeUndefined();
    expect(await personIn((await enterAgain()).browser)).toBeUndefined();
    expect(await audited("identity_removed")).toBe(1);
    expect(await textsTo(email)).toContain("can no longer be entered by an account at The sso service");
  });

  test("are of nobody else's concern", async () => {
    await connectByPassword();
    const { identities: own } = await expectSuccess(
      (await signIn(providers.harness, login())).get("/identities"),
    );
    const hans = await signIn(providers.harness, { username: "hans@demo.test", password: PASSWORD });
    expect((await expectSuccess(hans.get("/identities"))).identities).toEqual([]);
    expect((await hans.delete(`/identities/${own[0].id}`)).body.code).toBe("BAD_REQUEST");
    expect(await personIn((await enterAgain()).browser)).toBe(email);
  });

  test("that have ended leave no code of a desktop app", async () => {
    await connectByPassword();
    const otp = "ab".repeat(32);
    const { body } = await enterAgain(`/auth/sso?desktop_flow_otp=${otp}`);
    const data = Buffer.from(/<pre id="code" class="wrapped">([0-9a-f]+)</.exec(body)?.[1] ?? "", "hex");
    const bytes = Buffer.from(otp, "hex");
    const secret = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["decrypt"]);
    const iv = data.subarray(0, 12);
    const opened = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, secret, data.subarray(12));
    const person = await signIn(providers.harness, login());
    const { identities: own } = await expectSuccess(person.get("/identities"));
    await expectSuccess(person.delete(`/identities/${own[0].id}`));
    const app = fresh({ sub: subject() });
    const url = `${SITE}/accounts/login/subdomain/${Buffer.from(opened)}`;
    expect([(await app.submit(url, {})).status, app.cookies(HOST)]).toEqual([400, ""]);
  });
});
