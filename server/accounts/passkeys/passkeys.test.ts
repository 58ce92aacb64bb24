import { afterAll, beforeEach, expect, test } from "vitest";
import { MAX_PASSKEYS } from "../../../api/limits.ts";
import { addRosa, browserAfter, PASSWORD, rosa, signIn } from "../../../test/harness/accounts.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { Authenticator } from "../../../test/harness/authenticator.ts";
import {
  type Caller,
  callerOf,
  createHarness,
  type Harness,
  HOST,
  OTHER_HOST,
} from "../../../test/harness/harness.ts";
import { ownPageHeaders } from "../../../test/harness/own-page-headers.ts";
import { addPasskey as addRow } from "../../../test/harness/passkeys.ts";
import { makeProofsOld } from "../../../test/harness/proofs.ts";
import { browserOf, cookieIn } from "../../../test/harness/sessions.ts";
import { users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { SessionCookie } from "../../platform/http/session-cookie.ts";
import { startSession } from "../sessions/start.ts";
import { signInByPasskey } from "./sign-in.ts";

const place = { origin: `http://${HOST}`, rpId: HOST };
let harness: Harness;
let rosaId: number;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  rosaId = await addRosa(harness);
});
afterAll(() => harness.close());

async function challengeFor(browser: Caller, parameters: Record<string, unknown> = {}): Promise<string> {
  return (await expectSuccess(browser.post("/passkeys/registration_options", parameters))).options.challenge;
}

/** Signs in by password and adds a passkey. */
async function register(device = new Authenticator()) {
  const browser = await signIn(harness);
  const credential = device.create({ ...place, challenge: await challengeFor(browser) });
  const answer = await browser.post("/passkeys", { credential, name: "Laptop" });
  expect(answer.body.msg).toBe("");
  const { passkey, recovery_codes: codes } = answer.body;
  return { device, passkey, codes, browser: browserAfter(harness, answer) };
}

/** A browser that has asked for a challenge to sign in. */
async function asking(host: string = HOST): Promise<{ challenge: string; browser: Caller }> {
  const first = await callerOf(harness.app, { host, ...ownPageHeaders }).post("/session/passkey_options");
  expect(first.body.msg).toBe("");
  const cookie = cookieIn(first.headers["set-cookie"]);
  return { challenge: first.body.options.challenge, browser: browserOf(harness, cookie, host) };
}

async function signInBy(device: Authenticator) {
  const { challenge, browser } = await asking();
  return browser.post("/session/passkey", { credential: device.get({ ...place, challenge }) });
}

test("a passkey is a whole sign-in, and with it the password alone is none", async () => {
  const { device, codes, passkey } = await register();
  expect(codes).toHaveLength(10);
  const answer = await signInBy(device);
  expect(answer.body).toEqual({ result: "success", msg: "", email: rosa.username, user_id: rosaId });
  const browser = browserAfter(harness, answer);
  const { passkeys } = await expectSuccess(browser.get("/passkeys"));
  expect(passkeys).toEqual([{ ...passkey, last_used_at: expect.any(Number) }]);
  const refused = await harness.nobody().post("/session", rosa);
  expect([refused.body.code, refused.body.kinds]).toEqual([
    "SECOND_STEP_REQUIRED",
    ["passkey", "recovery_code"],
  ]);
  await expectSuccess(harness.nobody().post("/session", { ...rosa, code: codes[0] }));
});

test("the cookie that binds a challenge can't be read by scripts, nor sent by other sites", async () => {
  const answer = await harness.nobody().post("/session/passkey_options");
  expect(answer.headers["set-cookie"]).toMatch(
    /^parley-sign-in=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/,
  );
  const foreign = await harness.app.inject({
    method: "POST",
    url: "/api/v1/session/passkey_options",
    headers: { host: HOST },
  });
  expect(foreign.statusCode).toBe(403);
});

test("an answer of another site, for another host, of an unchecked user or with a wrong signature is refused", async () => {
  const { device } = await register();
  const other = new Authenticator();
  const wrong: ((challenge: string) => object)[] = [
    (challenge) => device.get({ ...place, challenge, origin: "http://evil.example" }),
    (challenge) => device.get({ ...place, challenge, rpId: "evil.example" }),
    (challenge) => device.get({ ...place, challenge, isVerified: false }),
    () => device.get({ ...place, challenge: "Y2hhbGxlbmdl" }),
    (challenge) => ({ ...other.get({ ...place, challenge }), id: device.id.toString("base64url") }),
    (challenge) => other.get({ ...place, challenge }),
  ];
  for (const answerOf of wrong) {
    const { challenge, browser } = await asking();
    const { status, body, headers } = await browser.post("/session/passkey", {
      credential: answerOf(challenge),
    });
    expect([status, body.code, headers["set-cookie"]]).toEqual([403, "PASSKEY_NOT_ACCEPTED", undefined]);
  }
  expect((await signInBy(device)).status).toBe(200);
});

test("a challenge works once, for the browser that asked, and for five minutes", async () => {
  const { device } = await register();
  const { challenge, browser } = await asking();
  const credential = device.get({ ...place, challenge });
  const elsewhere = await asking();
  expect((await elsewhere.browser.post("/session/passkey", { credential })).body.code).toBe(
    "PASSKEY_NOT_ACCEPTED",
  );
  const answers = await Promise.all([1, 2, 3].map(() => browser.post("/session/passkey", { credential })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const late = await asking();
  await harness.services.database.query(
    sql`update passkey_challenges set expires_at = now() - interval '1 second'`,
  );
  const old = device.get({ ...place, challenge: late.challenge });
  expect((await late.browser.post("/session/passkey", { credential: old })).body.code).toBe(
    "PASSKEY_NOT_ACCEPTED",
  );
});

test("another organization does not know the passkey", async () => {
  const { device } = await register();
  const { challenge, browser } = await asking(OTHER_HOST);
  const there = { origin: `http://${OTHER_HOST}`, rpId: OTHER_HOST, challenge };
  expect((await browser.post("/session/passkey", { credential: device.get(there) })).body.code).toBe(
    "PASSKEY_NOT_ACCEPTED",
  );
});

test("a counter that does not go up is refused; a device that counts nothing is not", async () => {
  const { device } = await register();
  expect((await signInBy(device)).status).toBe(200);
  device.counter = 0;
  expect((await signInBy(device)).body.code).toBe("PASSKEY_NOT_ACCEPTED");
  expect((await signInBy(device)).status).toBe(200);
  await harness.services.database.query(sql`update passkeys set counter = 0`);
  device.counter = -1;
  expect((await signInBy(device)).status).toBe(200);
});

test("a passkey with a certificate is refused before anything of it is looked at", async () => {
  const browser = await signIn(harness);
  const challenge = await challengeFor(browser);
  const statements = [
    { format: "android-key", statement: new Map() },
    { format: "packed", statement: new Map([["x5c", Buffer.from("certificate")]]) },
  ];
  for (const attestation of statements) {
    const credential = new Authenticator().create({ ...place, challenge }, attestation);
    expect((await browser.post("/passkeys", { credential })).body.code).toBe("PASSKEY_NOT_ACCEPTED");
  }
  const open = await harness.services.database.query(sql`select purpose from passkey_challenges`);
  expect(open).toEqual([{ purpose: "registration" }]);
});

test("a passkey is added with the credentials that asked for it, once, and of a checked user", async () => {
  const browser = await signIn(harness);
  const challenge = await challengeFor(browser);
  const device = new Authenticator();
  const credential = device.create({ ...place, challenge });
  const other = await signIn(harness);
  expect((await other.post("/passkeys", { credential })).body.code).toBe("PASSKEY_NOT_ACCEPTED");
  const unchecked = device.create({ ...place, challenge, isVerified: false });
  expect((await browser.post("/passkeys", { credential: unchecked })).body.code).toBe("PASSKEY_NOT_ACCEPTED");
  expect((await browser.post("/passkeys", { credential })).body.code).toBe("PASSKEY_NOT_ACCEPTED");
  const later = await challengeFor(browser);
  const added = await browser.post("/passkeys", {
    credential: device.create({ ...place, challenge: later }),
  });
  expect(added.status).toBe(200);
  const present = browserAfter(harness, added);
  const twice = device.create({ ...place, challenge: await challengeFor(present) });
  expect(await refusal(present.post("/passkeys", { credential: twice }))).toBe(
    "This passkey is there already.",
  );
});

test("a program adds a passkey with the API key and the password", async () => {
  const { api_key } = await expectSuccess(harness.nobody().post("/fetch_api_key", rosa));
  const authorization = `Basic ${Buffer.from(`${rosa.username}:${api_key}`).toString("base64")}`;
  const program = callerOf(harness.app, { host: HOST, authorization });
  expect((await program.post("/passkeys/registration_options")).body.code).toBe("RECENT_PROOF_REQUIRED");
  const challenge = await challengeFor(program, { password: PASSWORD });
  const device = new Authenticator();
  await expectSuccess(program.post("/passkeys", { credential: device.create({ ...place, challenge }) }));
  expect((await signInBy(device)).status).toBe(200);
});

test("a person has a limited number of passkeys", async () => {
  const browser = await signIn(harness);
  const user = harness.state.get(users).findManaged(rosa.username);
  if (!user) throw new Error("Rosa has no account");
  for (let each = 0; each < MAX_PASSKEYS; each++) await addRow(harness, { state: harness.state, user });
  const credential = new Authenticator().create({ ...place, challenge: await challengeFor(browser) });
  expect(await refusal(browser.post("/passkeys", { credential }))).toBe(
    `You can have at most ${MAX_PASSKEYS} passkeys.`,
  );
});

test("people name and remove their own passkeys, and others don't know them", async () => {
  const { browser, device, passkey } = await register();
  const url = `/passkeys/${passkey.id}`;
  for (const name of ["dev", "ada", "zed"] as const) {
    expect((await harness.as(name).patch(url, { name: "Mine" })).status).toBe(404);
  }
  expect((await harness.as("dev", { byKeyAlone: true }).delete(url)).body.code).toBe("RECENT_PROOF_REQUIRED");
  await expectSuccess(browser.patch(url, { name: " Old laptop " }));
  expect((await expectSuccess(browser.get("/passkeys"))).passkeys[0].name).toBe("Old laptop");
  await makeProofsOld(harness);
  for (const proof of [{}, { password: PASSWORD }]) {
    const { body } = await browser.delete(url, proof);
    expect([body.code, body.kinds]).toEqual(["RECENT_PROOF_REQUIRED", ["passkey", "recovery_code"]]);
  }
  await expectSuccess(browserAfter(harness, await signInBy(device)).delete(url));
  expect((await signInBy(device)).body.code).toBe("PASSKEY_NOT_ACCEPTED");
  await signIn(harness);
});

test("a sign-in that meets the removal of its passkey starts no session", async () => {
  const { browser, device, passkey } = await register();
  const asked = await callerOf(harness.app, { host: HOST, ...ownPageHeaders }).post(
    "/session/passkey_options",
  );
  const cookie = new SessionCookie({ cookie: cookieIn(asked.headers["set-cookie"]) }, place.origin);
  const party = { id: place.rpId, origin: place.origin };
  const credential = device.get({ ...place, challenge: asked.body.options.challenge });
  const { services, state } = harness;
  const signedIn = await signInByPasskey(services, state, {
    credential,
    party,
    cookie: cookie.signIn,
    address: "192.0.2.7",
  });
  await expectSuccess(browser.delete(`/passkeys/${passkey.id}`));
  await expect(
    startSession(services, state, signedIn, { cookie, address: "192.0.2.7", client: "website" }),
  ).rejects.toThrow("The passkey was not accepted");
  expect(cookie.header).toBeUndefined();
});

test("the only second step stays while the organization requires one", async () => {
  const { browser, passkey } = await register();
  await expectSuccess(harness.as("ada").patch("/realm", { require_second_step: "everyone" }));
  expect(await refusal(browser.delete(`/passkeys/${passkey.id}`))).toMatch(/requires a second step of you/);
  expect((await expectSuccess(browser.get("/passkeys"))).passkeys).toHaveLength(1);
});

test("an ended account signs in by no passkey, and bots have none", async () => {
  const { device } = await register();
  await expectSuccess(harness.as("ada").delete(`/users/${rosaId}`));
  expect((await signInBy(device)).body.code).toBe("USER_DEACTIVATED");
  expect((await harness.as("echo").get("/passkeys")).status).toBe(400);
});
