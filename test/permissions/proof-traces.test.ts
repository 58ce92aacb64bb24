/**
 * Every change that a call declares with a proof leaves its entry in the audit log, and a mail at the present
 * and the former address of the account that asked. The next such call fails here until it has a sample.
 */
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Endpoint } from "../../api/endpoint.ts";
import type { UserId } from "../../api/ids.ts";
import { endpoints } from "../../api/index.ts";
import { botTypes } from "../../api/integrations/bots.ts";
import type { ProofRule } from "../../api/proof.ts";
import { roles } from "../../api/roles.ts";
import { codeAt } from "../../server/accounts/second-steps/totp.ts";
import { permitEmailChanges } from "../../server/people/update/permit-email-changes.ts";
import { type User, users } from "../../server/people/user.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { addRosa, browserAfter, mailsOf, OTHER_PASSWORD, rosa, signIn } from "../harness/accounts.ts";
import { expectSuccess } from "../harness/answers.ts";
import { type Answer, type Caller, createHarness, type Harness } from "../harness/harness.ts";
import { addIdentity } from "../harness/identities.ts";
import { holdTotpStep, TOTP_STEP_MS } from "../harness/one-time-codes.ts";
import { addPasskey } from "../harness/passkeys.ts";

holdTotpStep();

const FORMER = "rosa.former@demo.test";

let harness: Harness;
let userId: UserId;
let browser: Caller;
beforeEach(async () => {
  await harness?.close();
  harness = await createHarness();
  userId = await addRosa(harness);
  const { database } = harness.services;
  await database.query(sql`
    insert into former_addresses (organization_id, user_id, address, until)
    values (${harness.state.organizationId}, ${userId}, ${FORMER}, now() + interval '7 days')`);
});
afterAll(() => harness.close());

const account = () => harness.state.get(users).byId.get(userId) as User;

async function beOwner(): Promise<void> {
  await expectSuccess(harness.as("ada").patch(`/users/${userId}`, { role: roles.owner }));
  await runStateChange(harness.state, (tx) => permitEmailChanges(tx, account(), true));
}

/** Goes on with the session that the set-up gives. */
async function addApp(): Promise<void> {
  const answer = await confirmApp();
  await expectSuccess(Promise.resolve(answer));
  browser = browserAfter(harness, answer);
}

async function confirmApp(): Promise<Answer> {
  const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
  return browser.post("/second_steps/totp/confirm", { code: codeAt(secret, Date.now() - TOTP_STEP_MS) });
}

const settings: Record<string, Record<string, unknown>> = {
  email: { email: "rosa.vale@demo.test" },
  new_password: { old_password: rosa.password, new_password: OTHER_PASSWORD },
  enable_login_emails: { enable_login_emails: false },
};

const ofAccount = (parameter: string) =>
  parameter === "role" ? { role: roles.administrator } : { new_email: "other@demo.test" };
const invitation = { invitee_emails: "fay@demo.test", stream_ids: [], invite_as: roles.administrator };
const passkeyOf = () => addPasskey(harness, { state: harness.state, user: account() });

const ofBot: Record<string, () => Record<string, unknown>> = {
  role: () => ({ role: roles.administrator }),
  bot_owner_id: () => ({ bot_owner_id: userId }),
  service_payload_url: () => ({ service_payload_url: "https://other.example.com/" }),
};

async function botToChange(): Promise<number> {
  const service = { bot_type: botTypes.outgoingWebhook, payload_url: "https://build.example.com/" };
  const bot = { full_name: "Caller", short_name: "caller", ...service };
  return (await expectSuccess(harness.as("dev").post("/bots", bot))).user_id;
}

/** A call for each, by what the declaration names: the method, the path, and the parameter. */
const calls: Record<string, (parameter: string) => Promise<Answer>> = {
  "PATCH /users/{user_id}": (parameter) =>
    browser.patch(`/users/${harness.user("dev").id}`, ofAccount(parameter)),
  "PATCH /users/{email}": (parameter) =>
    browser.patch(`/users/${harness.user("dev").email}`, ofAccount(parameter)),
  "DELETE /users/me": () => browser.delete("/users/me"),
  "POST /users/{user_id}/reactivate": async () => {
    const path = `/users/${harness.user("dev").id}`;
    await expectSuccess(harness.as("ada").patch(path, { role: roles.administrator }));
    await expectSuccess(harness.as("ada").delete(path));
    return browser.post(`${path}/reactivate`);
  },
  "POST /users/{user_id}/erase": () => browser.post(`/users/${harness.user("elin").id}/erase`),
  "PATCH /settings": (parameter) => browser.patch("/settings", settings[parameter]),
  "PATCH /settings/display": (parameter) => browser.patch("/settings/display", settings[parameter]),
  "PATCH /settings/notifications": (parameter) =>
    browser.patch("/settings/notifications", settings[parameter]),
  "PATCH /realm": () => browser.patch("/realm", { require_second_step: "administrators" }),
  "POST /export/realm": () => browser.post("/export/realm"),
  "POST /users/me/data_copy": () => browser.post("/users/me/data_copy"),
  "POST /invites": () => browser.post("/invites", invitation),
  "POST /invites/multiuse": () => browser.post("/invites/multiuse", { invite_as: roles.owner }),
  "POST /bots": () => browser.post("/bots", { full_name: "Spare", short_name: "spare" }),
  "PATCH /bots/{bot_id}": async (parameter) =>
    browser.patch(`/bots/${await botToChange()}`, ofBot[parameter]?.()),
  "POST /bots/{bot_id}/api_key": () => browser.post(`/bots/${harness.user("echo").id}/api_key`),
  "POST /bots/{bot_id}/api_key/regenerate": () =>
    browser.post(`/bots/${harness.user("echo").id}/api_key/regenerate`),
  "POST /second_steps/totp/confirm": confirmApp,
  "DELETE /second_steps/totp": () => browser.delete("/second_steps/totp"),
  "POST /second_steps/recovery_codes": () => browser.post("/second_steps/recovery_codes"),
  "DELETE /passkeys/{passkey_id}": async () => browser.delete(`/passkeys/${await passkeyOf()}`),
  "DELETE /identities/{identity_id}": async () => {
    const id = await addIdentity(harness, { state: harness.state, user: account() });
    return browser.delete(`/identities/${id}`);
  },
};

const needApp = [
  "DELETE /second_steps/totp",
  "POST /second_steps/recovery_codes",
  "DELETE /passkeys/{passkey_id}",
  // An owner who requires one has one.
  "PATCH /realm",
];

const rules = (endpoints as readonly Endpoint[]).flatMap(({ method, path, proof }) =>
  (proof?.rules ?? [])
    .filter((rule): rule is ProofRule & { entry: string } => rule.entry !== undefined)
    .filter(({ level }) => level !== "API key")
    .flatMap((rule) =>
      Object.keys(rule.when ?? { "": undefined }).map((parameter) => ({
        call: `${method} ${path}`,
        parameter,
        entry: rule.entry,
      })),
    ),
);
const distinct = [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];

test.each(distinct)(
  "$call with $parameter leaves $entry and two mails",
  async ({ call, parameter, entry }) => {
    if (!call.startsWith("PATCH /settings")) await beOwner();
    browser = await signIn(harness);
    if (needApp.includes(call)) await addApp();
    const traces = async () => {
      const mails = (await mailsOf(harness)).filter(({ kind }) => kind === "change of the sign-in");
      const { entries } = await expectSuccess(harness.as("ada").get("/realm/audit_log", { action: entry }));
      const mailedTo = (address: string) => mails.filter(({ to }) => to === address);
      return [mailedTo(rosa.username), mailedTo(FORMER), entries].map(({ length }) => length);
    };
    const before = await traces();
    const make = calls[call];
    if (!make) throw new Error(`there is no sample of ${call}`);
    await expectSuccess(make(parameter));
    expect(await traces()).toEqual(before.map((count) => count + 1));
  },
);
