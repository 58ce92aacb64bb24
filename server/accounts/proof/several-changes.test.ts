/** Calls with several parameters, of which more than one needs something, and what they name. */

import { afterAll, beforeEach, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { mailsTo } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { permitEmailChanges } from "../../people/update/permit-email-changes.ts";
import { type User, users } from "../../people/user.ts";
import { runStateChange } from "../../platform/log/change.ts";

let harness: Harness;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
});
afterAll(() => harness.close());

test("a parameter that changes nothing hides no mail about another of the same call", async () => {
  const { id, email } = harness.user("ada");
  const bot = harness.state.get(users).byId.get(harness.user("echo").id) as User;
  const change = { role: bot.role, bot_owner_id: id === bot.botOwnerId ? harness.user("dev").id : id };
  const ofChanges = async () =>
    (await mailsTo(harness, email)).filter(({ kind }) => kind === "change of the sign-in").length;
  const before = await ofChanges();
  await expectSuccess(harness.as("ada", { byKeyAlone: true }).patch(`/bots/${bot.id}`, change));
  expect(await ofChanges()).toBe(before + 1);
});

test("an API key alone changes the address of no administrator, its own among them", async () => {
  const ben = harness.user("ben");
  const cleo = harness.user("cleo");
  await expectSuccess(harness.as("ada").patch(`/users/${cleo.id}`, { role: roles.administrator }));
  const permitted = harness.state.get(users).byId.get(ben.id) as User;
  await runStateChange(harness.state, (tx) => permitEmailChanges(tx, permitted, true));
  const byKey = harness.as("ben", { byKeyAlone: true });
  const change = { new_email: "mallory@attacker.example" };
  for (const named of [ben.id, cleo.id, ben.email, `user${ben.id}@${HOST}`, ben.email.toUpperCase()]) {
    const { body } = await byKey.patch(`/users/${named}`, change);
    expect([named, body.code]).toEqual([named, "RECENT_PROOF_REQUIRED"]);
  }
  await expectSuccess(byKey.patch(`/users/${harness.user("dev").id}`, { new_email: "dev.rao@demo.test" }));
  await expectSuccess(harness.as("ben").patch(`/users/${cleo.id}`, { new_email: "cleo.two@demo.test" }));
});
