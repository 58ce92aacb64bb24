/** Somebody who has an owner's mailbox does not make themselves an owner with it on the same day (F4). */
import { afterAll, beforeEach, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import {
  addRosa,
  mailedPath,
  OTHER_PASSWORD,
  PASSWORD,
  rosa,
  sendForm,
  signIn,
} from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { type Caller, callerOf, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { holdTotpStep, TOTP_STEP_MS } from "../../../test/harness/one-time-codes.ts";
import { ownPageHeaders } from "../../../test/harness/own-page-headers.ts";
import { permitEmailChanges } from "../../people/update/permit-email-changes.ts";
import { type User, users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { codeAt } from "../second-steps/totp.ts";

holdTotpStep();
let harness: Harness;
let userId: UserId;
/** A bot with the role of an owner. */
let botId: number;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  userId = await addRosa(harness);
  await expectSuccess(harness.as("ada").patch(`/users/${userId}`, { role: roles.owner }));
  const owner = harness.state.get(users).byId.get(userId) as User;
  await runStateChange(harness.state, (tx) => permitEmailChanges(tx, owner, true));
  const ada = harness.as("ada");
  botId = (await expectSuccess(ada.post("/bots", { full_name: "Keeper", short_name: "keeper" }))).user_id;
  await expectSuccess(ada.patch(`/bots/${botId}`, { role: roles.owner }));
  const { id: cleoId } = harness.user("cleo");
  await expectSuccess(ada.patch(`/users/${cleoId}`, { role: roles.administrator }));
  await expectSuccess(ada.delete(`/users/${cleoId}`));
});
afterAll(() => harness.close());

async function setPasswordByMail(): Promise<void> {
  await sendForm(harness, "/reset", { email: rosa.username }, { headers: ownPageHeaders });
  const path = await mailedPath(harness, rosa.username);
  const done = await sendForm(harness, path, { password: OTHER_PASSWORD }, { headers: ownPageHeaders });
  expect(done.body).toContain("Your password is set");
}

function byKey(apiKey: string): Caller {
  const authorization = `Basic ${Buffer.from(`${rosa.username}:${apiKey}`).toString("base64")}`;
  return callerOf(harness.app, { host: HOST, authorization });
}

async function addApp(browser: Caller): Promise<string> {
  const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
  const code = codeAt(secret, Date.now() - TOTP_STEP_MS);
  await expectSuccess(browser.post("/second_steps/totp/confirm", { code }));
  return secret;
}

/** What gives somebody the role of an administrator or owner. */
const gifts = (caller: Caller) => [
  () => caller.patch(`/users/${harness.user("dev").id}`, { role: roles.owner }),
  () => caller.patch(`/users/${harness.user("elin").email}`, { role: roles.administrator }),
  () => caller.patch(`/bots/${harness.user("echo").id}`, { role: roles.administrator }),
  () =>
    caller.post("/invites", {
      invitee_emails: "fay@demo.test",
      stream_ids: [],
      invite_as: roles.administrator,
    }),
  () => caller.post("/invites/multiuse", { invite_as: roles.owner }),
  // Another password can be mailed to the new address, and comes with the role.
  () => caller.patch(`/users/${harness.user("ben").id}`, { new_email: "mallory@attacker.example" }),
  // Somebody who was an administrator is one again.
  () => caller.post(`/users/${harness.user("cleo").id}/reactivate`),
  ...keys(caller),
];

/** What gives somebody a key with a high role. */
const keys = (caller: Caller) => [
  () => caller.post(`/bots/${botId}/api_key`),
  () => caller.post(`/bots/${botId}/api_key/regenerate`),
  () => caller.patch(`/bots/${botId}`, { bot_owner_id: harness.user("dev").id }),
];

async function expectRefused(caller: Caller, all = gifts): Promise<void> {
  for (const give of all(caller)) {
    const { status, body } = await give();
    expect([status, body.code]).toEqual([403, "PASSWORD_SET_BY_MAIL"]);
  }
}

const present = { ...rosa, password: OTHER_PASSWORD };

test("a password that was set by mail gives nobody a high role for a day, and says until when", async () => {
  await setPasswordByMail();
  const browser = await signIn(harness, present);
  await expectRefused(browser);
  const { body } = await browser.patch(`/users/${harness.user("dev").id}`, { role: roles.owner });
  const [set] = await harness.services.database.query<{ at: Date }>(sql`
    select password_mailed_at as at from users where id = ${userId}`);
  const day = new Date((set?.at.getTime() ?? 0) + 86_400_000).toISOString().slice(0, 10);
  expect(body.msg).toContain(day);
  expect(body.msg).toContain("another owner");
  await harness.services.database.query(sql`
    update users set password_mailed_at = now() - interval '25 hours' where id = ${userId}`);
  for (const give of gifts(browser)) await expectSuccess(give());
});

test("a password that was set by mail does the rest of an owner's work", async () => {
  await setPasswordByMail();
  const browser = await signIn(harness, present);
  const { id } = harness.user("dev");
  await expectSuccess(browser.patch(`/users/${id}`, { role: roles.moderator }));
  await expectSuccess(browser.patch("/realm", { require_second_step: "nobody" }));
  await expectSuccess(browser.post("/export/realm"));
  await expectSuccess(browser.post("/invites/multiuse", { invite_as: roles.member }));
  await expectSuccess(harness.as("ada").patch(`/users/${id}`, { role: roles.owner }));
});

test("the API key that comes with such a password gives no key with a high role either", async () => {
  const before = { ...rosa, password: rosa.password };
  const { api_key: earlier } = await expectSuccess(harness.nobody().post("/fetch_api_key", before));
  for (const give of keys(byKey(earlier))) await expectSuccess(give());
  await expectSuccess(harness.as("ada").patch(`/bots/${botId}`, { bot_owner_id: harness.user("ada").id }));
  await setPasswordByMail();
  const { api_key } = await expectSuccess(harness.nobody().post("/fetch_api_key", present));
  await expectRefused(byKey(api_key), keys);
  await expectSuccess(byKey(api_key).post(`/bots/${harness.user("echo").id}/api_key`));
});

test("neither another password nor a new second step takes the place of a day", async () => {
  await setPasswordByMail();
  const browser = await signIn(harness, present);
  const passwords = { old_password: OTHER_PASSWORD, new_password: PASSWORD };
  await expectSuccess(browser.patch("/settings", passwords));
  const again = await signIn(harness);
  await expectRefused(again);
  const secret = await addApp(again);
  await expectRefused(await signIn(harness, { ...rosa, code: codeAt(secret) }));
});

test("a second step from before is a proof as ever", async () => {
  const secret = await addApp(await signIn(harness));
  await setPasswordByMail();
  const browser = await signIn(harness, { ...present, code: codeAt(secret) });
  for (const give of gifts(browser)) await expectSuccess(give());
});
