/** Calls with several parameters, of which more than one needs something, and what they name. */

import { afterAll, beforeEach, expect, test } from "vitest";
import { updateUser } from "../../../api/people/update-users.ts";
import { type Proof, type ProofRule, rulesFor } from "../../../api/proof.ts";
import { roles } from "../../../api/roles.ts";
import { mailsTo } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { addIdentity } from "../../../test/harness/identities.ts";
import { addSession } from "../../../test/harness/sessions.ts";
import { permitEmailChanges } from "../../people/update/permit-email-changes.ts";
import { type User, users } from "../../people/user.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { authenticateKey, authenticateSession } from "../sign-in/authenticate.ts";
import { checkProof } from "./check.ts";
import { listFormerAddresses } from "./store.ts";

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

test("a role that an account has already, and an account that is not there, need no proof", async () => {
  const byKey = harness.as("ada", { byKeyAlone: true });
  const bot = harness.user("echo").id;
  await expectSuccess(harness.as("ada").patch(`/bots/${bot}`, { role: roles.administrator }));
  for (const named of [harness.user("ben").id, harness.user("ben").email])
    await expectSuccess(byKey.patch(`/users/${named}`, { role: roles.administrator }));
  await expectSuccess(byKey.patch(`/bots/${bot}`, { role: roles.administrator }));
  for (const named of [999_999, "nobody@demo.test"])
    expect((await byKey.patch(`/users/${named}`, { role: roles.administrator })).body.msg).toBe(
      "No such user",
    );
  const { body } = await byKey.patch(`/users/${harness.user("dev").id}`, { role: roles.administrator });
  expect(body.code).toBe("RECENT_PROOF_REQUIRED");
});

test("a role that an account has lost meanwhile needs a proof after all", async () => {
  const { state, services } = harness;
  const ada = authenticateKey(state, services.keyring, harness.user("ada").apiKey, "test");
  const [rule] = rulesFor(updateUser.proof as Proof, { role: roles.administrator });
  const asked = [{ rule: rule as ProofRule, named: harness.user("ben").id, role: roles.administrator }];
  const proven = await checkProof(services, ada, asked, { address: "127.0.0.1" });
  expect(currentViewer(proven).user.id).toBe(ada.user.id);
  await expectSuccess(harness.as("ada").patch(`/users/${harness.user("ben").id}`, { role: roles.member }));
  expect(() => currentViewer(proven)).toThrow("Confirm that it is you");
});

test("what an account needs that gets its role meanwhile, no proof for another parameter gives", async () => {
  const { state, services } = harness;
  const { token } = await addSession(harness, "ada");
  const { id } = harness.user("ada");
  await services.database.query(sql`update users set password_mailed_at = now() where id = ${id}`);
  const ada = authenticateSession(state, services.keyring, token, "test");
  const named = harness.user("dev").id;
  const change = { role: roles.moderator, new_email: "mallory@attacker.example" };
  const asked = rulesFor(updateUser.proof as Proof, change).map((rule) => ({
    rule,
    named,
    role: change.role,
  }));
  const proven = await checkProof(services, ada, asked, { address: "127.0.0.1" });
  expect(currentViewer(proven).user.id).toBe(id);
  await services.database.query(sql`update users set password_mailed_at = null where id = ${id}`);
  await expectSuccess(harness.as("ada").patch(`/users/${named}`, { role: roles.administrator }));
  expect(() => currentViewer(proven)).toThrow("set by a link in a mail");
});

test("a role that was lost meanwhile asks people without a password to sign in at their provider", async () => {
  const { state, services } = harness;
  const { viewer, apiKey, id } = harness.user("ada");
  await services.database.query(sql`update users set password_hash = null where id = ${id}`);
  await addIdentity(harness, viewer);
  const ada = authenticateKey(state, services.keyring, apiKey, "test");
  const named = harness.user("ben").id;
  const [rule] = rulesFor(updateUser.proof as Proof, { role: roles.administrator });
  const asked = [{ rule: rule as ProofRule, named, role: roles.administrator }];
  const proven = await checkProof(services, ada, asked, { address: "127.0.0.1" });
  const ben = state.get(users).byId.get(named) as User;
  await runStateChange(state, async (tx) =>
    tx.appendPatch(patchOf(users, { put: [{ ...ben, role: roles.member }] })),
  );
  let refused: unknown;
  try {
    currentViewer(proven);
  } catch (error) {
    refused = error;
  }
  expect(refused).toMatchObject({ data: { kinds: ["provider"] } });
});

test("a bot gives an account no role that it has lost meanwhile", async () => {
  const { state, services } = harness;
  const { id } = harness.user("echo");
  await expectSuccess(harness.as("ada").patch(`/bots/${id}`, { role: roles.owner }));
  const bot = authenticateKey(state, services.keyring, harness.user("echo").apiKey, "test");
  const [rule] = rulesFor(updateUser.proof as Proof, { role: roles.administrator });
  const asked = [{ rule: rule as ProofRule, named: harness.user("ben").id, role: roles.administrator }];
  const passed = await checkProof(services, bot, asked, { address: "127.0.0.1" });
  expect(currentViewer(passed).user.id).toBe(id);
  await expectSuccess(harness.as("ada").patch(`/users/${harness.user("ben").id}`, { role: roles.member }));
  expect(() => currentViewer(passed)).toThrow("This endpoint does not accept bot requests.");
});

test("a program that changes roles has its person mailed five times in half an hour, and of other changes too", async () => {
  const { email } = harness.user("ada");
  const byKey = harness.as("ada", { byKeyAlone: true });
  const mails = async () =>
    (await mailsTo(harness, email)).filter(({ kind }) => kind === "change of the sign-in").length;
  const before = await mails();
  for (let change = 0; change < 7; change++) {
    const role = change % 2 === 0 ? roles.moderator : roles.member;
    await expectSuccess(byKey.patch(`/users/${harness.user("dev").id}`, { role }));
  }
  expect(await mails()).toBe(before + 5);
  await expectSuccess(byKey.post("/users/me/api_key/regenerate"));
  expect(await mails()).toBe(before + 6);
});

test("five former addresses of a person are kept, the first ones", async () => {
  const ada = harness.state.get(users).byId.get(harness.user("ada").id) as User;
  await runStateChange(harness.state, (tx) => permitEmailChanges(tx, ada, true));
  const path = `/users/${harness.user("dev").id}`;
  for (let count = 1; count <= 7; count++)
    await expectSuccess(harness.as("ada").patch(path, { new_email: `dev${count}@demo.test` }));
  const { database } = harness.services;
  const kept = await listFormerAddresses(database, harness.state.organizationId, harness.user("dev").user.id);
  expect(kept).toEqual(["dev@demo.test", ...[1, 2, 3, 4].map((count) => `dev${count}@demo.test`)]);
});
