/** Somebody with another's API key, or browser, does not become the whole account (F1). */

import { afterAll, beforeEach, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import {
  addRosa,
  mailedPath,
  mailsTo,
  OTHER_PASSWORD,
  rosa,
  sendForm,
  signIn,
} from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type Caller, callerOf, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { holdTotpStep, TOTP_STEP_MS } from "../../../test/harness/one-time-codes.ts";
import { ownPageHeaders } from "../../../test/harness/own-page-headers.ts";
import { makeProofsOld } from "../../../test/harness/proofs.ts";
import { readApiKey } from "../../people/credentials.ts";
import { users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { codeAt } from "../second-steps/totp.ts";
import { deleteFormerAddresses } from "./store.ts";

let harness: Harness;
let userId: UserId;
let key: string;
holdTotpStep();
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  userId = await addRosa(harness);
  key = await readApiKey(harness.state, harness.services.keyring, userId);
});
afterAll(() => harness.close());

const authorization = () => `Basic ${Buffer.from(`${rosa.username}:${key}`).toString("base64")}`;
const byKey = (): Caller => callerOf(harness.app, { host: HOST, authorization: authorization() });

async function setPasswordByMail(email: string): Promise<void> {
  await sendForm(harness, "/reset", { email }, { headers: ownPageHeaders });
  const path = await mailedPath(harness, email);
  const done = await sendForm(harness, path, { password: OTHER_PASSWORD }, { headers: ownPageHeaders });
  expect(done.body).toContain("Your password is set");
}

test("an API key alone does not change the address", async () => {
  const { body } = await byKey().patch("/settings", { email: "mallory@attacker.example" });
  expect(body.code).toBe("RECENT_PROOF_REQUIRED");
});

test("an old session alone does not change the address", async () => {
  const browser = await signIn(harness);
  await makeProofsOld(harness);
  const { body } = await browser.patch("/settings", { email: "mallory@attacker.example" });
  expect(body.code).toBe("RECENT_PROOF_REQUIRED");
});

test("a password that is set by mail ends the API key", async () => {
  await setPasswordByMail(rosa.username);
  expect((await byKey().get("/users/me")).status).toBe(401);
});

test("a password removes no second step", async () => {
  const browser = await signIn(harness);
  const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
  const code = codeAt(secret, Date.now() - TOTP_STEP_MS);
  await expectSuccess(browser.post("/second_steps/totp/confirm", { code }));
  for (const password of [rosa.password, OTHER_PASSWORD]) {
    const { body } = await byKey().delete("/second_steps/totp", { password });
    expect(body.code).toBe("RECENT_PROOF_REQUIRED");
    if (password === rosa.password) await setPasswordByMail(rosa.username);
    key = await readApiKey(harness.state, harness.services.keyring, userId);
  }
});

test("a former address is told about changes for a week", async () => {
  const former = rosa.username;
  const browser = await signIn(harness);
  await expectSuccess(browser.patch("/settings", { email: "rosa.vale@demo.test" }));
  await sendForm(harness, await mailedPath(harness, "rosa.vale@demo.test"), {}, { headers: ownPageHeaders });
  expect(harness.state.get(users).byId.get(userId)?.email).toBe("rosa.vale@demo.test");
  const heard = async (email: string) =>
    (await mailsTo(harness, email)).filter(({ text }) => text.includes("Another password was set")).length;
  await setPasswordByMail("rosa.vale@demo.test");
  expect([await heard(former), await heard("rosa.vale@demo.test")]).toEqual([1, 1]);
  await harness.services.database.query(sql`update former_addresses set until = now()`);
  await deleteFormerAddresses(harness.services.database);
  expect(await harness.services.database.query(sql`select 1 from former_addresses`)).toEqual([]);
});
