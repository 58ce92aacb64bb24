/** Wrong proofs with a stolen API key shut nobody out, and are limited like those of a sign-in. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { addRosa, OTHER_PASSWORD, rosa, signIn } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type Caller, callerOf, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { holdTotpStep, TOTP_STEP_MS } from "../../../test/harness/one-time-codes.ts";
import { users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { codeAt } from "../second-steps/totp.ts";

holdTotpStep();
let harness: Harness;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  await addRosa(harness);
});
afterAll(() => harness.close());

/** The same key in several networks. */
async function byKeyFrom(...addresses: (string | undefined)[]): Promise<Caller[]> {
  const { api_key } = await expectSuccess(harness.nobody().post("/fetch_api_key", rosa));
  const authorization = `Basic ${Buffer.from(`${rosa.username}:${api_key}`).toString("base64")}`;
  return addresses.map((address) => callerOf(harness.app, { host: HOST, authorization }, address));
}

const byKey = async () => (await byKeyFrom(undefined))[0] as Caller;

/** Returns a code of the app that was not used. */
async function addApp(owner: Caller): Promise<string> {
  const { secret } = await expectSuccess(owner.post("/second_steps/totp"));
  const code = codeAt(secret, Date.now() - TOTP_STEP_MS);
  await expectSuccess(owner.post("/second_steps/totp/confirm", { code }));
  return codeAt(secret);
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

test("wrong passwords from all networks count together, whatever they come with", async () => {
  const thief = await byKey();
  const id = harness.state.get(users).findManaged(rosa.username)?.id;
  await guess(thief, { password: OTHER_PASSWORD });
  const wrong = { ...rosa, password: OTHER_PASSWORD };
  expect((await harness.nobody().post("/session", wrong)).status).toBe(401);
  const [row] = await harness.services.database.query<{ attempts: number }>(sql`
    select attempts from sign_in_attempts
    where organization_id = ${harness.state.organizationId} and subject = ${`user ${id}`}`);
  expect(row?.attempts).toBe(6);
});

test("ten codes with an API key are tried from all networks, and no more", async () => {
  const thieves = await byKeyFrom("192.0.2.1", "198.51.100.1", "203.0.113.1");
  await addApp(await signIn(harness));
  const refusals = [];
  for (const thief of thieves) refusals.push(await guess(thief, { code: "000000" }));
  const five = [403, 403, 403, 403, 403, 429];
  expect(refusals).toEqual([five, five, [429, 429, 429, 429, 429, 429]]);
});

test("wrong codes with an API key leave the codes of the sign-in", async () => {
  const owner = await signIn(harness);
  const thief = await byKey();
  const code = await addApp(owner);
  expect(await guess(thief, { code: "000000" })).toEqual([403, 403, 403, 403, 403, 429]);
  await expectSuccess(harness.nobody().post("/session", { ...rosa, code }));
});
