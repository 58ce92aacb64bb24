/** A second step that an organization requires holds wherever somebody gets a key or a session (F3). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../../api/index.ts";
import { addPerson, addRosa, PASSWORD, rosa, signIn } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type Caller, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { holdTotpStep, TOTP_STEP_MS } from "../../../test/harness/one-time-codes.ts";
import { codeAt } from "./totp.ts";

holdTotpStep();
let harness: Harness;
/** A browser of Rosa's, in which she can do nothing but set up a second step. */
let browser: Caller;
beforeAll(async () => {
  harness = await createHarness();
  await addRosa(harness);
  await addPerson(harness, "sven@demo.test", "Sven Vale");
  await expectSuccess(harness.as("ada").patch("/realm", { require_second_step: "everyone" }));
  browser = await signIn(harness);
});
afterAll(() => harness.close());

const rest = "The caller shows a key or a session, which is refused before.";

/** What each call that gives out a key or a session does for somebody who has not set one up. */
const expected: Readonly<Record<string, string>> = {
  fetchApiKey: "refused",
  startSession: "a session for the set-up alone",
  startPasskeySignIn: "It gives no session yet.",
  startPasskeySession: "A passkey is a second step.",
  fetchApiKeyByToken: "The provider of the tokens asks for a second step itself.",
  devFetchApiKey: "It is there on development servers alone.",
  regenerateApiKey: rest,
  createBot: rest,
  getBots: rest,
  getBotApiKey: rest,
  regenerateBotApiKey: rest,
};

test("each call that gives out a key or a session has a rule", () => {
  const isGiving = ({ reply, startsSession }: (typeof endpoints)[number]) =>
    startsSession === true || JSON.stringify(reply).includes('"api_key"');
  expect(
    endpoints
      .filter(isGiving)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(expected).sort());
});

test("the password alone gives no API key, and says what to do", async () => {
  const { status, body } = await harness.nobody().post("/fetch_api_key", rosa);
  expect([status, body.code, body.api_key]).toEqual([403, "SECOND_STEP_SETUP_REQUIRED", undefined]);
  const wrong = await harness.nobody().post("/fetch_api_key", { ...rosa, password: "not hers at all" });
  expect(wrong.body.code).toBe("AUTHENTICATION_FAILED");
});

test("a session sets a second step up, and does nothing else", async () => {
  for (const name of Object.keys(expected).filter((each) => expected[each] === rest)) {
    const endpoint = endpoints.find((each) => each.name === name);
    if (!endpoint) throw new Error(`no endpoint ${name}`);
    const path = endpoint.path.replace(/\{\w+\}/g, "1");
    const call = endpoint.method === "GET" ? browser.get(path) : browser.post(path);
    expect((await call).body.code).toBe("SECOND_STEP_SETUP_REQUIRED");
  }
});

test("who has set one up gets the key by the password and a code", async () => {
  const sven = { username: "sven@demo.test", password: PASSWORD };
  const person = await signIn(harness, sven);
  const { secret } = await expectSuccess(person.post("/second_steps/totp"));
  const code = codeAt(secret, Date.now() - TOTP_STEP_MS);
  await expectSuccess(person.post("/second_steps/totp/confirm", { code }));
  const { body } = await harness.nobody().post("/fetch_api_key", { ...sven, code: codeAt(secret) });
  expect(body.api_key).toEqual(expect.any(String));
});

test("keys that were given before go on, and people of whom it is not required get theirs", async () => {
  expect((await harness.as("cleo").get("/users/me")).status).toBe(200);
  await expectSuccess(harness.as("ada").patch("/realm", { require_second_step: "administrators" }));
  expect((await harness.nobody().post("/fetch_api_key", rosa)).body.api_key).toEqual(expect.any(String));
});
