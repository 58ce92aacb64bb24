import { afterAll, beforeEach, expect, test } from "vitest";
import { addRosa, openPage, PASSWORD, rosa, sendForm, signIn } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness, HOST, OTHER_HOST } from "../../../test/harness/harness.ts";
import { holdTotpStep, TOTP_STEP_MS } from "../../../test/harness/one-time-codes.ts";
import { makeProofsOld } from "../../../test/harness/proofs.ts";
import { browserOf, cookieIn } from "../../../test/harness/sessions.ts";
import { sql } from "../../platform/db/sql.ts";
import { codeAt } from "./totp.ts";

const ownPage = { origin: `http://${HOST}` };
holdTotpStep();
let harness: Harness;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  await addRosa(harness);
});
afterAll(() => harness.close());

interface Sent {
  host?: string;
  cookie?: string;
  headers?: Record<string, string>;
}

const open = (url: string, { host = HOST, cookie = "" }: Sent = {}) =>
  openPage(harness, url, { host, headers: { cookie } });

const submit = (
  url: string,
  fields: Record<string, string>,
  { host = HOST, cookie = "", headers = ownPage }: Sent = {},
) => sendForm(harness, url, fields, { host, headers: { cookie, ...headers } });

/** Sets an app up for Rosa, with the code of the step before this one. */
async function setUp(): Promise<string> {
  const browser = await signIn(harness);
  const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
  const code = codeAt(secret, Date.now() - TOTP_STEP_MS);
  await expectSuccess(browser.post("/second_steps/totp/confirm", { code }));
  return secret;
}

test("after the right password a second page asks for the code, and leads to where it was asked to go", async () => {
  const secret = await setUp();
  const first = await submit("/login?next=/settings", rosa);
  expect([first.statusCode, first.headers.location]).toEqual([303, "/login/second-step?next=%2Fsettings"]);
  expect(first.headers["set-cookie"]).toMatch(
    /^parley-sign-in=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/,
  );
  const cookie = cookieIn(first.headers["set-cookie"]);
  const page = await open("/login/second-step?next=/settings", { cookie });
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('autocomplete="one-time-code"');
  const wrong = await submit("/login/second-step?next=/settings", { code: "000000" }, { cookie });
  expect([wrong.statusCode, wrong.headers["set-cookie"]]).toEqual([403, undefined]);
  expect(wrong.body).toContain("The code is wrong");
  const right = await submit("/login/second-step?next=/settings", { code: codeAt(secret) }, { cookie });
  expect([right.statusCode, right.headers.location]).toEqual([303, "/settings"]);
  const session = cookieIn(right.headers["set-cookie"]);
  expect((await browserOf(harness, session).get("/users/me")).body.email).toBe(rosa.username);
  const again = await submit(
    "/login/second-step",
    { code: codeAt(secret, Date.now() + TOTP_STEP_MS) },
    { cookie },
  );
  expect([again.statusCode, again.headers.location]).toEqual([303, "/login"]);
});

test("the second page needs the cookie of the first, in its organization and for ten minutes", async () => {
  const secret = await setUp();
  const code = codeAt(secret);
  const cookie = cookieIn((await submit("/login", rosa)).headers["set-cookie"]);
  const elsewhere = { host: OTHER_HOST, cookie, headers: { origin: `http://${OTHER_HOST}` } };
  for (const sent of [{}, { cookie: `parley-sign-in=${"a".repeat(43)}` }, elsewhere]) {
    const answer = await submit("/login/second-step", { code }, sent);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, "/login"]);
  }
  const foreign = await submit(
    "/login/second-step",
    { code },
    { cookie, headers: { origin: "https://evil.example" } },
  );
  expect(foreign.statusCode).toBe(403);
  await harness.services.database.query(
    sql`update pending_sign_ins set expires_at = now() - interval '1 second'`,
  );
  expect((await submit("/login/second-step", { code }, { cookie })).headers.location).toBe("/login");
});

test("with another password by then the code does not sign in", async () => {
  const secret = await setUp();
  const cookie = cookieIn((await submit("/login", rosa)).headers["set-cookie"]);
  await harness.services.database.query(
    sql`update users set password_hash = 'another by now' where email = ${rosa.username}`,
  );
  const answer = await submit("/login/second-step", { code: codeAt(secret) }, { cookie });
  expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([403, undefined]);
});

test("a wrong password shows the same page with and without a second step", async () => {
  const wrong = { ...rosa, password: "no such password" };
  const without = await submit("/login", wrong);
  await setUp();
  const withOne = await submit("/login", wrong);
  expect([withOne.statusCode, withOne.body]).toEqual([without.statusCode, without.body]);
});

test("who must set up a second step is led there, and does it without script", async () => {
  await expectSuccess(harness.as("ada").patch("/realm", { require_second_step: "everyone" }));
  const entered = await submit("/login?next=/settings", rosa);
  expect(entered.headers.location).toBe("/login/set-up?next=%2Fsettings");
  const cookie = cookieIn(entered.headers["set-cookie"]);
  expect((await open("/", { cookie })).headers.location).toBe("/login/set-up");
  const choice = await open("/login/set-up?next=/settings", { cookie });
  expect(choice.body).toContain("requires a second step of you");
  expect(choice.body).not.toContain('name="password"');
  const started = await submit("/login/set-up?next=/settings", { action: "start" }, { cookie });
  expect(started.body).toContain("<svg");
  const secret = (/<pre class="wrapped">([A-Z2-7 ]+)<\/pre>/.exec(started.body)?.[1] ?? "").replaceAll(
    " ",
    "",
  );
  const wrong = await submit("/login/set-up", { action: "confirm", code: "000000" }, { cookie });
  expect(wrong.statusCode).toBe(403);
  expect(wrong.body).toContain("<svg");
  const code = codeAt(secret);
  const done = await submit("/login/set-up?next=/settings", { action: "confirm", code }, { cookie });
  expect(done.body).toMatch(/<pre class="wrapped">(\w{4}-\w{4}-\w{4}\n?){10}<\/pre>/);
  expect(done.body).toContain('href="/settings"');
  const renewed = cookieIn(done.headers["set-cookie"]);
  await expectSuccess(browserOf(harness, renewed).get("/users/me"));
  expect((await open("/login/set-up?next=/settings", { cookie: renewed })).headers.location).toBe(
    "/settings",
  );
});

test("an old session sets a second step up with the password once more", async () => {
  const answer = await harness.nobody().post("/session", rosa);
  const cookie = cookieIn(answer.headers["set-cookie"]);
  await expectSuccess(harness.as("ada").patch("/realm", { require_second_step: "everyone" }));
  await makeProofsOld(harness);
  expect((await open("/login/set-up", { cookie })).body).toContain('name="password"');
  const without = await submit("/login/set-up", { action: "start" }, { cookie });
  expect([without.statusCode, without.body.includes("<svg")]).toEqual([403, false]);
  const started = await submit("/login/set-up", { action: "start", password: PASSWORD }, { cookie });
  expect(started.body).toContain("<svg");
});

test("the page to set up is for sessions of those who must, and for forms of its own", async () => {
  expect((await open("/login/set-up")).headers.location).toBe("/login?next=%2F");
  const answer = await harness.nobody().post("/session", rosa);
  const cookie = cookieIn(answer.headers["set-cookie"]);
  expect((await open("/login/set-up?next=//evil.example", { cookie })).headers.location).toBe("/");
  await expectSuccess(harness.as("ada").patch("/realm", { require_second_step: "everyone" }));
  const foreign = await submit("/login/set-up", { action: "start" }, { cookie, headers: { origin: "null" } });
  expect(foreign.statusCode).toBe(403);
});

test("the script is served by the server itself", async () => {
  const script = await open("/passkeys.js");
  expect([script.statusCode, script.headers["content-type"]]).toEqual([
    200,
    "text/javascript; charset=utf-8",
  ]);
});
