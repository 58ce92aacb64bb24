/** Wrong proofs with a stolen API key shut nobody out, and are limited like those of a sign-in. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { addRosa, OTHER_PASSWORD, rosa, signIn } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type Caller, callerOf, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { holdTotpStep, TOTP_STEP_MS } from "../../../test/harness/one-time-codes.ts";
import { codeAt } from "../second-steps/totp.ts";

holdTotpStep();
let harness: Harness;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  await addRosa(harness);
});
afterAll(() => harness.close());

async function byKey(): Promise<Caller> {
  const { api_key } = await expectSuccess(harness.nobody().post("/fetch_api_key", rosa));
  const authorization = `Basic ${Buffer.from(`${rosa.username}:${api_key}`).toString("base64")}`;
  return callerOf(harness.app, { host: HOST, authorization });
}

async function guess(thief: Caller, shown: Record<string, string>): Promise<number[]> {
  const statuses = [];
  for (let count = 0; count < 6; count++)
    statuses.push((await thief.post("/second_steps/recovery_codes", shown)).status);
  return statuses;
}

test("wrong passwords with an API key leave the sign-in in that network, and the other way round", async () => {
  const thief = await byKey();
  expect(await guess(thief, { password: OTHER_PASSWORD })).toEqual([400, 400, 400, 400, 400, 429]);
  // Another key gives no further guesses.
  const { api_key } = await expectSuccess(thief.post("/users/me/api_key/regenerate"));
  const authorization = `Basic ${Buffer.from(`${rosa.username}:${api_key}`).toString("base64")}`;
  const again = callerOf(harness.app, { host: HOST, authorization });
  expect((await again.post("/second_steps/totp", { password: OTHER_PASSWORD })).status).toBe(429);
  const owner = await signIn(harness);
  await expectSuccess(owner.post("/second_steps/totp", { password: rosa.password }));
});

test("wrong codes with an API key leave the codes of the sign-in", async () => {
  const owner = await signIn(harness);
  const thief = await byKey();
  const { secret } = await expectSuccess(owner.post("/second_steps/totp"));
  const code = codeAt(secret, Date.now() - TOTP_STEP_MS);
  await expectSuccess(owner.post("/second_steps/totp/confirm", { code }));
  expect(await guess(thief, { code: "000000" })).toEqual([403, 403, 403, 403, 403, 429]);
  await expectSuccess(harness.nobody().post("/session", { ...rosa, code: codeAt(secret) }));
});
