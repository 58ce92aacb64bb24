/**
 * Whole sequences of a review, each as an attacker tries it from the first call to the last. The table in
 * docs/security-model.md says which test is for which finding.
 */
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
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
import {
  type Answer,
  type Caller,
  callerOf,
  createHarness,
  type Harness,
  HOST,
} from "../../../test/harness/harness.ts";
import { holdTotpStep, TOTP_STEP_MS } from "../../../test/harness/one-time-codes.ts";
import { ownPageHeaders } from "../../../test/harness/own-page-headers.ts";
import { makeProofsOld } from "../../../test/harness/proofs.ts";
import { browserAs } from "../../../test/harness/sessions.ts";
import { readApiKey } from "../../people/credentials.ts";
import { users } from "../../people/user.ts";
import { sql } from "../../platform/db/sql.ts";
import { codeAt } from "../second-steps/totp.ts";

holdTotpStep();

const ATTACKER = "mallory@attacker.example";

let harness: Harness;
let userId: UserId;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  userId = await addRosa(harness);
});
afterAll(() => harness.close());

const account = () => harness.state.get(users).byId.get(userId);

async function byKey(): Promise<Caller> {
  const key = await readApiKey(harness.state, harness.services.keyring, userId);
  return callerWith(key);
}

function callerWith(key: string, email: string = rosa.username): Caller {
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  return callerOf(harness.app, { host: HOST, authorization });
}

async function addApp(): Promise<void> {
  const browser = await signIn(harness);
  const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
  const code = codeAt(secret, Date.now() - TOTP_STEP_MS);
  await expectSuccess(browser.post("/second_steps/totp/confirm", { code }));
}

const askForReset = (email: string) => sendForm(harness, "/reset", { email }, { headers: ownPageHeaders });

async function setPasswordByMail(): Promise<void> {
  await askForReset(rosa.username);
  const path = await mailedPath(harness, rosa.username);
  const { body } = await sendForm(harness, path, { password: OTHER_PASSWORD }, { headers: ownPageHeaders });
  expect(body).toContain("Your password is set");
}

async function codesOf(answers: readonly Promise<Answer>[]): Promise<string[]> {
  const codes = [];
  for (const answer of answers) codes.push((await answer).body.code);
  return codes;
}

const logIn = (password: string) => harness.nobody().post("/session", { ...rosa, password });

describe("F1: with another's API key alone", () => {
  test("no way leads by another address and a reset to the removed second step", async () => {
    await addApp();
    const attacker = await byKey();
    const removal = await attacker.delete("/second_steps/totp");
    expect([removal.body.code, removal.body.kinds]).toEqual([
      "RECENT_PROOF_REQUIRED",
      ["totp", "recovery_code"],
    ]);
    const { body } = await attacker.patch("/settings", { email: ATTACKER });
    expect(body.code).toBe("RECENT_PROOF_REQUIRED");
    await askForReset(ATTACKER);
    expect(await mailsTo(harness, ATTACKER)).toEqual([]);
    const again = [
      attacker.delete("/second_steps/totp", { password: OTHER_PASSWORD }),
      attacker.post("/second_steps/recovery_codes", { password: OTHER_PASSWORD }),
    ];
    expect(await codesOf(again)).toEqual(["RECENT_PROOF_REQUIRED", "RECENT_PROOF_REQUIRED"]);
    expect(account()?.email).toBe(rosa.username);
    expect((await logIn(rosa.password)).body.code).toBe("SECOND_STEP_REQUIRED");
  });

  test("nothing that lasts longer than the key is added to the account", async () => {
    const attacker = await byKey();
    const tried = [
      attacker.post("/second_steps/totp"),
      attacker.post("/passkeys/registration_options"),
      attacker.patch("/settings", { enable_login_emails: false }),
      attacker.delete("/users/me"),
    ];
    expect(new Set(await codesOf(tried))).toEqual(new Set(["RECENT_PROOF_REQUIRED"]));
    await expectSuccess(attacker.post("/users/me/api_key/regenerate"));
    const kinds = (await mailsTo(harness, rosa.username)).map(({ kind }) => kind);
    expect(kinds).toContain("change of the sign-in");
  });
});

test("F1: a stolen session becomes neither another address nor an API key", async () => {
  const attacker = await signIn(harness);
  await makeProofsOld(harness);
  const { body } = await attacker.patch("/settings", { email: ATTACKER });
  expect(body.code).toBe("RECENT_PROOF_REQUIRED");
  await askForReset(ATTACKER);
  expect(await mailsTo(harness, ATTACKER)).toEqual([]);
  const ownKey = await attacker.post("/users/me/api_key/regenerate");
  expect(ownKey.body.msg).toBe("This needs the API key. A session is not enough.");
  const bot = await attacker.post("/bots", { full_name: "Spare", short_name: "spare" });
  expect(bot.body.code).toBe("RECENT_PROOF_REQUIRED");
  expect(account()?.email).toBe(rosa.username);
});

test("F1: the mailbox alone removes no second step, and does not sign in", async () => {
  await addApp();
  await setPasswordByMail();
  expect((await logIn(OTHER_PASSWORD)).body.code).toBe("SECOND_STEP_REQUIRED");
  const login = { ...rosa, password: OTHER_PASSWORD };
  expect((await harness.nobody().post("/fetch_api_key", login)).body.code).toBe("SECOND_STEP_REQUIRED");
  const program = await byKey();
  const tried = [
    program.delete("/second_steps/totp", { password: OTHER_PASSWORD }),
    program.post("/second_steps/recovery_codes", { password: OTHER_PASSWORD }),
    program.patch("/settings", { email: ATTACKER, password: OTHER_PASSWORD }),
  ];
  expect(new Set(await codesOf(tried))).toEqual(new Set(["RECENT_PROOF_REQUIRED"]));
});

test("F4: what somebody had who was in ends with a password that is set by mail", async () => {
  const browser = await signIn(harness);
  const attacker = await byKey();
  const { queue_id, last_event_id } = await expectSuccess(
    attacker.post("/register", { event_types: ["message"], fetch_event_types: [] }),
  );
  await setPasswordByMail();
  const queue = { queue_id, last_event_id, dont_block: true };
  const statuses = [
    (await browser.get("/users/me")).status,
    (await attacker.get("/users/me")).status,
    (await attacker.get("/events", queue)).status,
    (await logIn(rosa.password)).status,
  ];
  expect(statuses).toEqual([401, 401, 401, 401]);
  expect((await logIn(OTHER_PASSWORD)).status).toBe(200);
});

test("F4: a bot's key from before a deactivation does not come back with the bot", async () => {
  const { id, email } = harness.user("echo");
  const keyOf = async () => (await expectSuccess(harness.as("ada").post(`/bots/${id}/api_key`))).api_key;
  const before = await keyOf();
  await expectSuccess(harness.as("ada").delete(`/bots/${id}`));
  await expectSuccess(harness.as("ada").post(`/users/${id}/reactivate`));
  expect((await callerWith(before, email).get("/users/me")).status).toBe(401);
  await expectSuccess(callerWith(await keyOf(), email).get("/users/me"));
});

test("F4: a key from before a deactivation does not come back with the account", async () => {
  const attacker = await byKey();
  await expectSuccess(harness.as("ada").delete(`/users/${userId}`));
  await expectSuccess(harness.as("ada").post(`/users/${userId}/reactivate`));
  expect((await attacker.get("/users/me")).status).toBe(401);
  await expectSuccess((await byKey()).get("/users/me"));
});

describe("F12: with an owner's API key alone", () => {
  test("somebody who was an administrator does not come back", async () => {
    const { id } = harness.user("dev");
    const ada = harness.as("ada");
    await expectSuccess(ada.patch(`/users/${id}`, { role: roles.administrator }));
    await expectSuccess(ada.delete(`/users/${id}`));
    const echo = harness.user("echo");
    await expectSuccess(ada.patch(`/bots/${echo.id}`, { bot_owner_id: harness.user("ada").id }));
    await expectSuccess(ada.post(`/users/${echo.id}/reactivate`));
    await expectSuccess(ada.patch(`/bots/${echo.id}`, { role: roles.owner }));
    const byKeyAlone = harness.as("ada", { byKeyAlone: true });
    expect((await byKeyAlone.post(`/users/${id}/reactivate`)).body.code).toBe("RECENT_PROOF_REQUIRED");
    const { api_key } = await expectSuccess(ada.post(`/bots/${echo.id}/api_key`));
    const bot = callerWith(api_key, echo.email);
    expect((await bot.post(`/users/${id}/reactivate`)).body.msg).toContain("does not accept bot requests");
    expect(harness.state.get(users).byId.get(id)?.isActive).toBe(false);
    // Somebody without a high role does.
    const { id: elinId } = harness.user("elin");
    await expectSuccess(byKeyAlone.delete(`/users/${elinId}`));
    await expectSuccess(byKeyAlone.post(`/users/${elinId}/reactivate`));
    await expectSuccess(ada.post(`/users/${id}/reactivate`));
  });

  test("nobody reads a link that makes administrators or owners", async () => {
    const made = harness.as("ada");
    for (const invite_as of [roles.owner, roles.administrator, roles.moderator, roles.member])
      await expectSuccess(made.post("/invites/multiuse", { invite_as }));
    const shown = async (reader: Caller) => {
      const { invites } = await expectSuccess(reader.get("/invites"));
      return invites.flatMap(({ invited_as, link_url }: Record<string, unknown>) =>
        link_url === undefined ? [] : [invited_as],
      );
    };
    expect(await shown(harness.as("ada", { byKeyAlone: true }))).toEqual([roles.moderator, roles.member]);
    expect(await shown(await browserAs(harness, "ada"))).toEqual([roles.member]);
  });
});

describe("F12: with an owner's session alone", () => {
  test("nothing is done that outlives it, and nothing has changed", async () => {
    await expectSuccess(harness.as("ada").patch(`/users/${userId}`, { role: roles.owner }));
    const attacker = await signIn(harness);
    await makeProofsOld(harness);
    const { id: devId, email } = harness.user("dev");
    const before = await stored();
    const tried = {
      "an invitation link of an owner": attacker.post("/invites/multiuse", { invite_as: roles.owner }),
      "an invitation of an administrator": attacker.post("/invites", {
        invitee_emails: ATTACKER,
        stream_ids: [],
        invite_as: roles.administrator,
      }),
      "the role of an owner": attacker.patch(`/users/${devId}`, { role: roles.owner }),
      "the role, by the address": attacker.patch(`/users/${email}`, { role: roles.administrator }),
      "the role of a bot": attacker.patch(`/bots/${harness.user("echo").id}`, { role: roles.administrator }),
      "a bot": attacker.post("/bots", { full_name: "Spare", short_name: "spare" }),
      "a bot's key": attacker.post(`/bots/${harness.user("echo").id}/api_key/regenerate`),
      "an export": attacker.post("/export/realm"),
      "no second step for anybody": attacker.patch("/realm", { require_second_step: "nobody" }),
      "no mails about sign-ins": attacker.patch("/settings", { enable_login_emails: false }),
      "the end of the account": attacker.delete("/users/me"),
    };
    const codes: Record<string, string> = {};
    for (const [what, answer] of Object.entries(tried)) codes[what] = (await answer).body.code;
    expect(codes).toEqual(
      Object.fromEntries(Object.keys(tried).map((what) => [what, "RECENT_PROOF_REQUIRED"])),
    );
    expect(await stored()).toEqual(before);
  });

  test("mails about sign-ins go on even with a proof", async () => {
    await expectSuccess(harness.as("ada").patch(`/users/${userId}`, { role: roles.owner }));
    const attacker = await signIn(harness);
    const { status, body } = await attacker.patch("/settings", { enable_login_emails: false });
    expect([status, body.msg]).toEqual([400, expect.stringContaining("can't switch it off")]);
  });
});

/** What a call would have changed, as it is stored. */
async function stored(): Promise<unknown> {
  return harness.services.database.query(sql`
    select
      (select json_agg((id, email, role, settings, deactivated_at) order by id) from users) as users,
      (select count(*)::int from invitations) as invitations,
      (select count(*)::int from exports) as exports,
      (select json_agg(settings order by id) from organizations) as settings,
      (select count(*)::int from audit_log) as entries`);
}
