/** What a client sees that is asked for a proof: over a socket, with the headers that clients send. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { UserId } from "../../api/ids.ts";
import { codeAt } from "../../server/accounts/second-steps/totp.ts";
import { addPerson, mailsTo, PASSWORD } from "../harness/accounts.ts";
import { expectSuccess } from "../harness/answers.ts";
import { createHarness, type Harness, HOST } from "../harness/harness.ts";
import { firstNode, type HttpNode } from "../harness/http-node.ts";
import { holdTotpStep, TOTP_STEP_MS } from "../harness/one-time-codes.ts";
import { ownPageHeaders } from "../harness/own-page-headers.ts";
import { makeProofsOld } from "../harness/proofs.ts";
import { cookieIn } from "../harness/sessions.ts";

holdTotpStep();

type Fields = Record<string, string>;

let harness: Harness;
let node: HttpNode;
beforeAll(async () => {
  harness = await createHarness();
  node = await firstNode(harness);
});
afterAll(async () => {
  await node.stop();
  await harness.close();
});

let email: string;
let id: UserId;
let count = 0;
/** A person of their own for each test. */
beforeEach(async () => {
  email = `pia${++count}@demo.test`;
  id = await addPerson(harness, email, `Pia Holm ${count}`);
});

interface Response {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

async function send(method: string, path: string, fields: Fields, headers: Fields): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${node.port}/api/v1${path}`, {
    method,
    headers: { ...headers, host: HOST },
    body: new URLSearchParams(fields),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, body, headers: response.headers };
}

const nobody: Fields = { "user-agent": "ParleyTest/1.0" };

/** The cookie of a session that has just shown the password, and the code if there is one. */
async function session(login: Fields = {}): Promise<Fields> {
  const fields = { username: email, password: PASSWORD, ...login };
  const { status, headers } = await send("POST", "/session", fields, { ...nobody, ...ownPageHeaders });
  expect(status).toBe(200);
  return { ...nobody, ...ownPageHeaders, cookie: cookieIn(headers.get("set-cookie")) };
}

async function key(login: Fields = {}): Promise<Fields> {
  const { body } = await send(
    "POST",
    "/fetch_api_key",
    { username: email, password: PASSWORD, ...login },
    nobody,
  );
  const authorization = `Basic ${Buffer.from(`${email}:${body.api_key}`).toString("base64")}`;
  return { ...nobody, authorization };
}

interface App {
  secret: string;
  cookie: Fields;
}

async function addApp(): Promise<App> {
  const first = await session();
  const { body } = await send("POST", "/second_steps/totp", {}, first);
  const secret = body.secret as string;
  const code = codeAt(secret, Date.now() - TOTP_STEP_MS);
  const { headers } = await send("POST", "/second_steps/totp/confirm", { code }, first);
  return { secret, cookie: { ...first, cookie: cookieIn(headers.get("set-cookie")) } };
}

/** Another address is what all of these ask for. It leaves a mail and an entry, or nothing. */
const ask = (headers: Fields, shown: Fields = {}) =>
  send("PATCH", "/settings", { email: `new-${email}`, ...shown }, headers);

async function traces(): Promise<{ mails: number; entries: number }> {
  const ada = harness.as("ada");
  const { entries } = await expectSuccess(ada.get("/realm/audit_log", { action: "email_change_requested" }));
  return {
    mails: (await mailsTo(harness, `new-${email}`)).length,
    entries: entries.filter(({ target_id }: { target_id: number }) => target_id === id).length,
  };
}

const nothing = { mails: 0, entries: 0 };
const done = { mails: 1, entries: 1 };

test("a refusal has one shape, and says what to show", async () => {
  const headers = await key();
  const { status, body } = await ask(headers);
  expect([status, body]).toEqual([
    403,
    {
      result: "error",
      code: "RECENT_PROOF_REQUIRED",
      msg: expect.stringContaining("Confirm that it is you"),
      kinds: ["password"],
    },
  ]);
  expect(await traces()).toEqual(nothing);
});

test("a key and the password are enough without a second step, and a wrong password is not", async () => {
  const headers = await key();
  const wrong = await ask(headers, { password: "no such password" });
  expect([wrong.status, wrong.body.msg]).toEqual([400, "Wrong password!"]);
  expect(await traces()).toEqual(nothing);
  expect((await ask(headers, { password: PASSWORD })).status).toBe(200);
  expect(await traces()).toEqual(done);
  // A key remembers no proof.
  expect((await send("DELETE", "/users/me", {}, headers)).body.code).toBe("RECENT_PROOF_REQUIRED");
});

test("with a second step a key needs the code, and the password counts for nothing", async () => {
  const headers = await key();
  const { secret } = await addApp();
  for (const shown of [{}, { password: PASSWORD }] as Fields[]) {
    const { status, body } = await ask(headers, shown);
    expect([status, body.code, body.kinds]).toEqual([
      403,
      "RECENT_PROOF_REQUIRED",
      ["totp", "recovery_code"],
    ]);
  }
  expect((await ask(headers, { code: "000000" })).body.code).toBe("SECOND_STEP_WRONG");
  expect(await traces()).toEqual(nothing);
  expect((await ask(headers, { code: codeAt(secret) })).status).toBe(200);
  expect(await traces()).toEqual(done);
});

test("a fresh session is asked for nothing, and an old one for the password, once", async () => {
  const headers = await session();
  await makeProofsOld(harness);
  expect((await ask(headers)).body.code).toBe("RECENT_PROOF_REQUIRED");
  expect(await traces()).toEqual(nothing);
  expect((await ask(headers, { password: PASSWORD })).status).toBe(200);
  expect(await traces()).toEqual(done);
  expect((await send("POST", "/second_steps/totp", {}, headers)).status).toBe(200);
  const fresh = await session();
  expect((await send("POST", "/second_steps/totp", {}, fresh)).status).toBe(200);
});

test("with a second step an old session is asked for the code, and the password counts for nothing", async () => {
  const { secret, cookie } = await addApp();
  await makeProofsOld(harness);
  expect((await ask(cookie, { password: PASSWORD })).body.kinds).toEqual(["totp", "recovery_code"]);
  expect(await traces()).toEqual(nothing);
  expect((await ask(cookie, { code: codeAt(secret) })).status).toBe(200);
  expect(await traces()).toEqual(done);
});
