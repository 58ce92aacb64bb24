import { afterAll, beforeEach, expect, test } from "vitest";
import { RECOVERY_CODES } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { addRosa, browserAfter, mailsTo, PASSWORD, rosa, signIn } from "../../../test/harness/accounts.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type Caller, callerOf, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { holdTotpStep, TOTP_STEP_MS } from "../../../test/harness/one-time-codes.ts";
import { makeProofsOld } from "../../../test/harness/proofs.ts";
import { aBrowser, browserOf, cookieIn } from "../../../test/harness/sessions.ts";
import { presentPasswordHash } from "../../people/credentials.ts";
import { users } from "../../people/user.ts";
import { changeState } from "../../people/viewer/change.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { checkFreshProof } from "../proof/check.ts";
import { startSession } from "../sessions/start.ts";
import { authenticateKey } from "../sign-in/authenticate.ts";
import { resetSecondSteps } from "./actions.ts";
import { codeAt, stepOf } from "./totp.ts";

holdTotpStep();
let harness: Harness;
let rosaId: number;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  rosaId = await addRosa(harness);
});
afterAll(() => harness.close());

const account = () => {
  const user = [...harness.state.get(users).all()].find(({ id }) => id === rosaId);
  if (!user) throw new Error("Rosa has no account");
  return user;
};

const attempt = (parameters: Record<string, string> = {}) =>
  harness.nobody().post("/session", { ...rosa, ...parameters });

/** Sets an app up with the code of the step before this one, so that the present code is still to be used. */
async function setUp(browser: Caller): Promise<{ secret: string; codes: string[]; browser: Caller }> {
  const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
  const answer = await browser.post("/second_steps/totp/confirm", {
    code: codeAt(secret, Date.now() - TOTP_STEP_MS),
  });
  expect(answer.body.msg).toBe("");
  return { secret, codes: answer.body.recovery_codes, browser: browserAfter(harness, answer) };
}

async function textsToRosa(): Promise<string> {
  return (await mailsTo(harness, rosa.username)).map(({ text }) => text ?? "").join();
}

async function auditedActions(): Promise<string[]> {
  const { entries } = await expectSuccess(
    harness.as("ada").get("/realm/audit_log", { target_type: "user", target_id: rosaId }),
  );
  return entries.map(({ action }: { action: string }) => action).reverse();
}

const requireOf = (of: string) =>
  expectSuccess(harness.as("ada").patch("/realm", { require_second_step: of }));

test("with an app the password alone is not enough, and a code of it signs in once", async () => {
  const { secret, codes } = await setUp(await signIn(harness));
  expect(codes).toHaveLength(RECOVERY_CODES);
  const refused = await attempt();
  expect([refused.status, refused.body.code, refused.body.kinds]).toEqual([
    403,
    "SECOND_STEP_REQUIRED",
    ["totp", "recovery_code"],
  ]);
  expect(refused.headers["set-cookie"]).toBeUndefined();
  const code = codeAt(secret);
  const browser = await signIn(harness, { ...rosa, code });
  expect((await expectSuccess(browser.get("/users/me"))).user_id).toBe(rosaId);
  expect((await attempt({ code })).body.code).toBe("SECOND_STEP_WRONG");
});

test("a wrong password tells nothing of the second step", async () => {
  const { secret } = await setUp(await signIn(harness));
  for (const code of [undefined, "000000", codeAt(secret)]) {
    const answer = await attempt({ password: "no such password", ...(code && { code }) });
    expect(answer.body.code).toBe("AUTHENTICATION_FAILED");
  }
  await signIn(harness, { ...rosa, code: codeAt(secret) });
});

test("clocks may differ by one step, and not by two", async () => {
  const now = 1_800_000_010_000;
  const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
  const steps = [-2, -1, 0, 1, 2].map((away) =>
    stepOf(secret, codeAt(secret, now + away * TOTP_STEP_MS), now),
  );
  const present = Math.floor(now / TOTP_STEP_MS);
  expect(steps).toEqual([undefined, present - 1, present, present + 1, undefined]);
});

test("after the code of a later step, those of earlier ones do not count", async () => {
  const { secret } = await setUp(await signIn(harness));
  await signIn(harness, { ...rosa, code: codeAt(secret, Date.now() + TOTP_STEP_MS) });
  for (const away of [0, -TOTP_STEP_MS]) {
    expect((await attempt({ code: codeAt(secret, Date.now() + away) })).body.code).toBe("SECOND_STEP_WRONG");
  }
});

test("of several sign-ins with one code at once, one succeeds", async () => {
  const { secret, codes } = await setUp(await signIn(harness));
  for (const code of [codeAt(secret), codes[0] as string]) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => attempt({ code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  }
});

test("each recovery code works once, however it is typed, and of one person alone", async () => {
  const { codes, browser } = await setUp(await signIn(harness));
  const typed = ` ${(codes[0] as string).toUpperCase().replaceAll("-", " ")} `;
  await signIn(harness, { ...rosa, code: typed });
  expect((await attempt({ code: codes[0] as string })).body.code).toBe("SECOND_STEP_WRONG");
  const own = await expectSuccess(browser.get("/second_steps"));
  expect(own).toMatchObject({
    totp: true,
    passkeys: 0,
    recovery_codes: RECOVERY_CODES - 1,
    is_required: false,
  });
  const stored = await harness.services.database.query<{ hash: string }>(
    sql`select encode(code_hash, 'escape') as hash from recovery_codes`,
  );
  expect(JSON.stringify(stored)).not.toContain((codes[1] as string).slice(0, 4));
});

test("new recovery codes take the place of the old ones", async () => {
  const { codes, browser } = await setUp(await signIn(harness));
  const { recovery_codes: later } = await expectSuccess(browser.post("/second_steps/recovery_codes"));
  expect((await attempt({ code: codes[0] as string })).body.code).toBe("SECOND_STEP_WRONG");
  await signIn(harness, { ...rosa, code: later[0] });
  expect((await harness.as("dev", { byKeyAlone: true }).post("/second_steps/recovery_codes")).body.code).toBe(
    "RECENT_PROOF_REQUIRED",
  );
});

test("after five wrong codes from a network even the right one is refused there, and not elsewhere", async () => {
  const { secret } = await setUp(await signIn(harness));
  const wrong = await Promise.all(Array.from({ length: 8 }, () => attempt({ code: "000000" })));
  const codes = wrong.map(({ body }) => body.code).sort();
  expect(codes.filter((each) => each === "SECOND_STEP_WRONG").length).toBeLessThanOrEqual(5);
  expect((await attempt({ code: "000000" })).status).toBe(429);
  expect((await attempt({ code: codeAt(secret) })).status).toBe(429);
  const elsewhere = callerOf(
    harness.app,
    { host: HOST, "sec-fetch-site": "same-origin", "x-parley-client": "test" },
    "198.51.100.7",
  );
  expect((await elsewhere.post("/session", { ...rosa, code: codeAt(secret) })).status).toBe(200);
});

test("a program gets the API key with a code, and not by the password alone", async () => {
  const { secret } = await setUp(await signIn(harness));
  const refused = await harness.nobody().post("/fetch_api_key", rosa);
  expect([refused.status, refused.body.code]).toEqual([403, "SECOND_STEP_REQUIRED"]);
  const key = await expectSuccess(harness.nobody().post("/fetch_api_key", { ...rosa, code: codeAt(secret) }));
  const authorization = `Basic ${Buffer.from(`${rosa.username}:${key.api_key}`).toString("base64")}`;
  await expectSuccess(callerOf(harness.app, { host: HOST, authorization }).get("/users/me"));
});

test("a second step that is added or removed ends all other sessions, is mailed and leaves an entry", async () => {
  const other = await signIn(harness);
  const { secret, browser } = await setUp(await signIn(harness));
  expect((await other.get("/users/me")).status).toBe(401);
  await expectSuccess(browser.get("/users/me"));
  const later = await signIn(harness, { ...rosa, code: codeAt(secret) });
  const removal = await browser.delete("/second_steps/totp");
  expect(removal.body.msg).toBe("");
  expect((await later.get("/users/me")).status).toBe(401);
  await expectSuccess(browserAfter(harness, removal).get("/users/me"));
  await signIn(harness);
  expect(await auditedActions()).toEqual(
    expect.arrayContaining(["second_step_added", "second_step_removed"]),
  );
  const mails = await textsToRosa();
  expect(mails).toContain("An authenticator app was added.");
  expect(mails).toContain("The authenticator app was removed.");
});

test("without a second step there is nothing to remove or recover", async () => {
  const browser = await signIn(harness);
  expect(await refusal(browser.delete("/second_steps/totp"))).toBe("There is no such second step.");
  expect(await refusal(browser.post("/second_steps/recovery_codes"))).toBe("There is no such second step.");
  expect(await refusal(browser.post("/second_steps/totp/confirm", { code: "123456" }))).toBe(
    "Start to set up the authenticator app first.",
  );
});

test("an app is set up once, and only with its own code", async () => {
  const browser = await signIn(harness);
  const first = await expectSuccess(browser.post("/second_steps/totp"));
  const second = await expectSuccess(browser.post("/second_steps/totp"));
  expect(second.uri).toContain(`secret=${second.secret}`);
  const confirm = (secret: string) => browser.post("/second_steps/totp/confirm", { code: codeAt(secret) });
  expect((await confirm(first.secret)).body.code).toBe("SECOND_STEP_WRONG");
  const answer = await confirm(second.secret);
  expect(answer.status).toBe(200);
  expect(await refusal(browserAfter(harness, answer).post("/second_steps/totp"))).toBe(
    "An authenticator app is set up already. Remove it first.",
  );
  const rows = await harness.services.database.query<{ secret: Buffer }>(
    sql`select secret from totp_secrets`,
  );
  expect(rows.map(({ secret }) => secret.toString("latin1")).join()).not.toContain(second.secret);
});

test("with a second step a change needs its code of the last minutes, and no password will do", async () => {
  const { secret, browser } = await setUp(await signIn(harness));
  await makeProofsOld(harness);
  const renew = (parameters: Record<string, unknown> = {}) =>
    browser.post("/second_steps/recovery_codes", parameters);
  for (const call of [renew(), browser.delete("/second_steps/totp"), browser.post("/second_steps/totp")]) {
    const { body } = await call;
    expect([body.code, body.kinds]).toEqual(["RECENT_PROOF_REQUIRED", ["totp", "recovery_code"]]);
  }
  for (const password of ["no such password", PASSWORD])
    expect((await renew({ password })).body.code).toBe("RECENT_PROOF_REQUIRED");
  expect((await renew({ code: "000000" })).body.code).toBe("SECOND_STEP_WRONG");
  await expectSuccess(renew({ code: codeAt(secret) }));
  await expectSuccess(renew());
});

test("without a second step a change needs the password of the last minutes", async () => {
  const browser = await signIn(harness);
  await makeProofsOld(harness);
  const start = (proof = {}) => browser.post("/second_steps/totp", proof);
  const { body } = await start({ code: "123456" });
  expect([body.code, body.kinds]).toEqual(["RECENT_PROOF_REQUIRED", ["password"]]);
  expect(await refusal(start({ password: "no such password" }))).toBe("Wrong password!");
  await expectSuccess(start({ password: PASSWORD }));
  await expectSuccess(start());
});

test("a password that was shown before a second step was added is no proof any more", async () => {
  const { api_key } = await expectSuccess(harness.nobody().post("/fetch_api_key", rosa));
  const state = harness.state;
  const user = account();
  const program = authenticateKey(state, harness.services.keyring, api_key, "test");
  const proven = await checkFreshProof(harness.services.keyring, program, {
    password: PASSWORD,
    address: "127.0.0.1",
  });
  expect(currentViewer(proven).user.id).toBe(user.id);
  await setUp(await signIn(harness));
  await expect(changeState(proven, async () => {})).rejects.toThrow("Confirm that it is you");
});

test("guesses of a code by a change have the limits of a sign-in", async () => {
  const { browser } = await setUp(await signIn(harness));
  const guess = async () => (await browser.delete("/second_steps/totp", { code: "000000" })).status;
  const answers = [];
  for (let count = 0; count < 6; count++) answers.push(await guess());
  expect(answers).toEqual([403, 403, 403, 403, 403, 429]);
  expect((await attempt({ code: "000000" })).status).toBe(429);
});

test("an API key is no proof, and with the password it can set an app up", async () => {
  const { api_key } = await expectSuccess(harness.nobody().post("/fetch_api_key", rosa));
  const authorization = `Basic ${Buffer.from(`${rosa.username}:${api_key}`).toString("base64")}`;
  const program = callerOf(harness.app, { host: HOST, authorization });
  expect((await program.post("/second_steps/totp")).body.code).toBe("RECENT_PROOF_REQUIRED");
  const { secret } = await expectSuccess(program.post("/second_steps/totp", { password: PASSWORD }));
  await expectSuccess(
    program.post("/second_steps/totp/confirm", { code: codeAt(secret), password: PASSWORD }),
  );
  expect((await attempt()).body.code).toBe("SECOND_STEP_REQUIRED");
});

test("a sign-in that meets the set-up of an app starts no session", async () => {
  const user = account();
  const passwordHash = await presentPasswordHash(harness.state, user.id);
  await setUp(await signIn(harness));
  await expect(
    startSession(harness.services, harness.state, { user, passwordHash }, aBrowser()),
  ).rejects.toThrow("The account has a second step");
});

test("bots have no second steps, and an ended account signs in by none", async () => {
  const { secret } = await setUp(await signIn(harness));
  await expectSuccess(harness.as("ada").delete(`/users/${rosaId}`));
  expect((await attempt({ code: codeAt(secret) })).body.code).toBe("USER_DEACTIVATED");
  await expectSuccess(harness.as("ada").post(`/users/${rosaId}/reactivate`));
  expect((await attempt()).body.code).toBe("SECOND_STEP_REQUIRED");
  expect((await harness.as("echo").get("/second_steps")).status).toBe(400);
});

test("whom the organization requires a second step of can do nothing before they have one", async () => {
  await requireOf("everyone");
  const answer = await attempt();
  expect(answer.body.must_set_up_second_step).toBe(true);
  const browser = browserOf(harness, cookieIn(answer.headers["set-cookie"]));
  for (const call of [browser.get("/users/me"), browser.post("/register"), browser.get("/sessions")]) {
    const refused = await call;
    expect([refused.status, refused.body.code]).toEqual([403, "SECOND_STEP_SETUP_REQUIRED"]);
  }
  expect(await expectSuccess(browser.get("/second_steps"))).toMatchObject({ totp: false, is_required: true });
  const { browser: after, secret } = await setUp(browser);
  await expectSuccess(after.get("/users/me"));
  expect(await refusal(after.delete("/second_steps/totp"))).toMatch(/requires a second step of you/);
  const later = await attempt({ code: codeAt(secret) });
  expect(later.body.must_set_up_second_step).toBeUndefined();
});

test("sessions from before the requirement have it too; API keys, bots and providers' sign-ins go on", async () => {
  const browser = await signIn(harness);
  const user = account();
  const passwordHash = await presentPasswordHash(harness.state, user.id);
  const place = aBrowser();
  await startSession(harness.services, harness.state, { user, passwordHash, by: "provider" }, place);
  await requireOf("everyone");
  expect((await browser.get("/users/me")).body.code).toBe("SECOND_STEP_SETUP_REQUIRED");
  await expectSuccess(browserOf(harness, cookieIn(place.cookie.header)).get("/users/me"));
  await expectSuccess(harness.as("dev").get("/users/me"));
  await expectSuccess(harness.as("echo").get("/users/me"));
  await requireOf("nobody");
  await expectSuccess(browser.get("/users/me"));
});

test("a requirement of administrators concerns those who are one", async () => {
  await requireOf("administrators");
  await expectSuccess((await signIn(harness)).get("/users/me"));
  await expectSuccess(harness.as("ada").patch(`/users/${rosaId}`, { role: roles.administrator }));
  expect((await (await signIn(harness)).get("/users/me")).body.code).toBe("SECOND_STEP_SETUP_REQUIRED");
});

test("only owners change the requirement", async () => {
  expect((await harness.as("ben").patch("/realm", { require_second_step: "everyone" })).status).not.toBe(200);
  await requireOf("everyone");
});

test("who runs the server can take somebody's second steps away", async () => {
  const { browser } = await setUp(await signIn(harness));
  await expectSuccess(browser.post("/bots", { full_name: "Kettle", short_name: "kettle" }));
  const reset = () =>
    runStateChange(harness.state, (tx) => resetSecondSteps(tx, harness.services, account().id));
  expect(await reset()).toBe(true);
  expect((await browser.get("/users/me")).status).toBe(401);
  await signIn(harness);
  expect(await reset()).toBe(false);
  expect(await auditedActions()).toContain("second_steps_reset");
  const texts = await textsToRosa();
  expect(texts).toContain("The people who run the server removed your second steps");
  expect(texts).toContain("\n- Kettle (kettle-bot@");
});
