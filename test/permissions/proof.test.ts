/**
 * Every call that declares a proof, by every kind of proof: who passes is what the declaration says. The next
 * such call is walked as soon as it is declared.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditActions } from "../../api/administration/audit-log.ts";
import { camelCase } from "../../api/camel-case.ts";
import type { Endpoint } from "../../api/endpoint.ts";
import { endpoints } from "../../api/index.ts";
import type { Condition, ProofLevel, ProofRule } from "../../api/proof.ts";
import { roles } from "../../api/roles.ts";
import { checkProof } from "../../server/accounts/proof/check.ts";
import { giveRecoveryCodes } from "../../server/accounts/second-steps/recovery-codes.ts";
import { secondSteps } from "../../server/accounts/second-steps/second-steps.ts";
import { newSessions, type SignedInBy } from "../../server/accounts/sessions/live-sessions.ts";
import { insertSession } from "../../server/accounts/sessions/store.ts";
import { authenticateKey, authenticateSession } from "../../server/accounts/sign-in/authenticate.ts";
import type { Viewer } from "../../server/people/viewer/viewer.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { isApiError } from "../../server/platform/http/answer.ts";
import type { Call } from "../../server/platform/http/handler.ts";
import { neverHeld } from "../../server/platform/http/handler.ts";
import { withProof } from "../../server/platform/http/proof.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { patchOf } from "../../server/platform/log/projection.ts";
import { mailsTo } from "../harness/accounts.ts";
import { expectSuccess } from "../harness/answers.ts";
import { CAST_PASSWORD } from "../harness/cast.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";
import { makeProofsOld } from "../harness/proofs.ts";
import { auditedCalls } from "./audited.ts";

const actors = { owner: "ada", administrator: "ben", member: "dev" } as const;
const proven = endpoints.filter(({ proof }) => proof) as Endpoint[];
const rules = proven.flatMap((endpoint) =>
  (endpoint.proof?.rules ?? []).map((rule) => ({ endpoint, rule, title: titleOf(endpoint, rule) })),
);

function titleOf({ name }: Endpoint, { when = {}, administrator }: ProofRule): string {
  return [name, ...Object.keys(when), ...(administrator === undefined ? [] : ["of an administrator"])].join(
    " ",
  );
}

/** The parameters of a call that the rule is for, as a handler would get them. */
function paramsFor(
  { user }: Harness,
  { when = {}, administrator, roleOf }: ProofRule,
): Record<string, unknown> {
  const [first] = Object.entries(when);
  const account = administrator ?? roleOf;
  const { id, email } = user(administrator === undefined ? "dev" : "ben");
  return {
    ...(first && { [camelCase(first[0])]: valueFor(first[1]) }),
    ...(account !== undefined && { [camelCase(account)]: account === "email" ? email : id }),
  };
}

function valueFor(condition: Condition): unknown {
  return condition.is === "given" ? "anything" : condition.value;
}

/** What somebody comes with, and what they show beside it. */
const proofs = {
  "API key": { session: undefined },
  "API key and password": { session: undefined, shown: "password" },
  "API key and code": { session: undefined, shown: "code" },
  "old session": { session: "old" },
  "old session and password": { session: "old", shown: "password" },
  "old session and code": { session: "old", shown: "code" },
  "session by password": { session: "password" },
  "session by provider": { session: "provider" },
  "session by second step": { session: "second step" },
  "session by passkey": { session: "passkey" },
} as const satisfies Record<string, { session: SignedInBy | "old" | undefined; shown?: "password" | "code" }>;
type Proof = keyof typeof proofs;

function mayPass(level: ProofLevel, proof: Proof, hasStep: boolean): boolean {
  const { session, shown } = { shown: undefined, ...proofs[proof] };
  if (session === undefined && level !== "strongest") return true;
  if (level === "API key") return false;
  if (shown !== undefined) return shown === (hasStep ? "code" : "password");
  if (session === undefined || session === "old") return false;
  return !hasStep || session === "second step" || session === "passkey";
}

describe.each([false, true])("with a second step: %s", (hasStep) => {
  let harness: Harness;
  const viewers = new Map<string, Viewer>();
  beforeAll(async () => {
    harness = await createHarness();
    for (const name of Object.values(actors)) {
      if (hasStep) await addStep(harness, name);
      viewers.set(`${name} old`, await sessionOf(harness, name, hasStep ? "second step" : "password"));
    }
    await makeProofsOld(harness);
    for (const name of Object.values(actors)) {
      const { state, services } = harness;
      const key = harness.user(name).apiKey;
      viewers.set(`${name} undefined`, authenticateKey(state, services.keyring, key, "test"));
      for (const by of ["password", "provider", "second step", "passkey"] as const)
        viewers.set(`${name} ${by}`, await sessionOf(harness, name, by));
    }
  });
  afterAll(() => harness?.close());

  test.each(rules)("$title asks each role for what it declares", async ({ endpoint, rule }) => {
    const { services } = harness;
    const handle = withProof({ endpoint, handle: () => "passed" }, (caller, asked, shown) =>
      checkProof(services, caller as Viewer, asked, shown),
    );
    for (const [role, name] of Object.entries(actors)) {
      for (const proof of Object.keys(proofs) as Proof[]) {
        const { session, shown } = { shown: undefined, ...proofs[proof] };
        // What was shown with a call counts for the session, so the old one is made old again.
        if (session === "old" && shown) await makeOld(harness, viewers.get(`${name} old`) as Viewer);
        const given = shown && {
          [shown]: shown === "password" ? CAST_PASSWORD : await codeOf(harness, name),
        };
        const call = {
          viewer: viewers.get(`${name} ${session}`),
          params: { ...paramsFor(harness, rule), ...given },
          address: "127.0.0.1",
        } as unknown as Call<unknown>;
        const outcome = await Promise.resolve(handle(call, neverHeld)).catch((error: unknown) => {
          if (!isApiError(error)) throw error;
          return error.declaration.name;
        });
        // This call has a code of its own: that of the app that is set up.
        const isAsked = given === undefined || shown === "password" || endpoint.name !== "confirmTotp";
        if (!isAsked) continue;
        const expected = mayPass(rule.level, proof, hasStep);
        expect([role, proof, outcome === "passed"], String(outcome)).toEqual([role, proof, expected]);
        if (session === "old" && shown) await makeOld(harness, viewers.get(`${name} old`) as Viewer);
      }
    }
  });
});

async function addStep(harness: Harness, name: CastName): Promise<void> {
  const { state, services } = harness;
  const { id } = harness.user(name);
  await services.database.query(sql`
    insert into totp_secrets (organization_id, user_id, secret, confirmed_at)
    values (${state.organizationId}, ${id}, ${services.keyring.encrypt("secret")}, now())`);
  await runStateChange(state, async (tx) =>
    tx.appendPatch(patchOf(secondSteps, { userId: id, hasTotp: true, passkeys: 0 })),
  );
}

async function sessionOf(harness: Harness, name: CastName, signedInBy: SignedInBy): Promise<Viewer> {
  const { state, services } = harness;
  const { keyring } = services;
  const token = keyring.newToken();
  const hasShownStep = signedInBy === "second step" || signedInBy === "passkey";
  const row = { userId: harness.user(name).id, tokenHash: keyring.hash(token), device: "", network: "" };
  await runStateChange(state, async (tx) => {
    const session = await insertSession(
      tx,
      state.organizationId,
      { ...row, signedInBy, hasShownStep },
      undefined,
    );
    tx.appendPatch(patchOf(newSessions, { put: session ? [session] : [] }));
  });
  return authenticateSession(state, keyring, token, "test");
}

async function makeOld({ services }: Harness, { credential }: Viewer): Promise<void> {
  if (credential?.kind !== "session") return;
  await services.database.query(sql`
    update sessions set proved_at = now() - interval '1 hour', step_proved_at = null
    where id = ${credential.id}`);
}

/** A recovery code that was not used yet. */
async function codeOf({ state, services, user }: Harness, name: CastName): Promise<string> {
  const codes = await runStateChange(state, (tx) => giveRecoveryCodes(tx, services.keyring, user(name).id));
  return codes[0] as string;
}

/** Changes of accounts, exports and invitations that ask for nothing, with the reason. */
const withoutProof: Readonly<Record<string, string>> = {
  addPasskey: "it ends what was begun with a proof, by the same credentials and with the same second steps",
  createUser: "it gives a member's role, and the account is somebody else's",
  deactivateUser: "it takes away, and an administrator can give it back",
  updateUserStatus: "it changes no way in",
  deactivateBot: "it takes away",
  deleteExport: "it takes away",
  resendInvitation: "the mail goes to the same address, with the same role",
  revokeInvitation: "it takes away",
  revokeInvitationLink: "it takes away",
};

test("each audited change of accounts, exports and invitations asks for a proof, or has a reason not to", () => {
  const targets = ["user", "export", "invitation"];
  const named = Object.entries(auditedCalls).flatMap(([title, action]) =>
    targets.includes(auditActions[action].target) ? [title.replace(/ \(.*/, "")] : [],
  );
  const missing = [...new Set([...named, "addPasskey"])].filter(
    (name) => !proven.some((endpoint) => endpoint.name === name),
  );
  expect(missing.sort()).toEqual(Object.keys(withoutProof).sort());
});

/** Fields of answers by which something works that the caller of a session must not take along. */
const secretFields = [
  "api_key",
  "token",
  "secret",
  "recovery_codes",
  "config_data",
  "invite_link",
  "link_url",
  "export_url",
];

/** Calls that answer with such a field and ask for no proof, with the reason. */
const shownWithoutProof: Readonly<Record<string, string>> = {
  fetchApiKey: "it takes the password, and a code where there is a second step",
  fetchApiKeyByToken: "it takes a token of the provider",
  devFetchApiKey: "development servers alone have it",
  addPasskey: "it ends what was begun with a proof",
  getSecondSteps: "it has the number of codes",
  getBots: "it has no keys in a session",
  getExports: "it has no links in a session",
  getInvitations: "it has no link whose making needs a proof",
  getOutgoingWebhookExample: "it is an example",
  getZulipOutgoingWebhookExample: "it is an example",
};

test("each call that answers with a secret asks for a proof, or has a reason not to", () => {
  const showing = endpoints.filter(({ reply }) => {
    const text = JSON.stringify(reply);
    return secretFields.some((field) => text.includes(`"${field}"`));
  });
  const missing = showing.filter(({ proof }) => !proof).map(({ name }) => name);
  expect(missing.sort()).toEqual(Object.keys(shownWithoutProof).sort());
});

test("the entries that calls declare are actions of the audit log", () => {
  for (const { rule } of rules)
    if (rule.entry !== undefined) expect(Object.keys(auditActions)).toContain(rule.entry);
});

/** A call for each rule that an API key alone passes. The first has the right role. */
function callsByKey(harness: Harness) {
  const { id: devId, email: devEmail } = harness.user("dev");
  const { id: botId } = harness.user("echo");
  const as = (name: CastName) => harness.as(name, { byKeyAlone: true });
  return {
    "updateUser role": () => as("ada").patch(`/users/${devId}`, { role: roles.moderator }),
    "updateUserByEmail role": () => as("ada").patch(`/users/${devEmail}`, { role: roles.moderator }),
    createBot: () => as("ada").post("/bots", { full_name: "Proof Bot", short_name: "proof", bot_type: 1 }),
    "updateBot bot_owner_id of an administrator": async () => {
      await expectSuccess(harness.as("ada").patch(`/bots/${botId}`, { role: roles.administrator }));
      return as("ada").patch(`/bots/${botId}`, { bot_owner_id: devId });
    },
    "getBotApiKey of an administrator": async () => {
      await expectSuccess(harness.as("ada").patch(`/bots/${botId}`, { role: roles.administrator }));
      return as("ada").post(`/bots/${botId}/api_key`);
    },
    "regenerateBotApiKey of an administrator": async () => {
      await expectSuccess(harness.as("ada").patch(`/bots/${botId}`, { role: roles.administrator }));
      return as("ada").post(`/bots/${botId}/api_key/regenerate`);
    },
    "updateBot role": () => as("ada").patch(`/bots/${botId}`, { role: roles.moderator }),
    "updateBot bot_owner_id": () => as("ada").patch(`/bots/${botId}`, { bot_owner_id: devId }),
    "updateBot service_payload_url": async () => {
      const service = { bot_type: 3, payload_url: "https://build.example.com/" };
      const bot = { full_name: "Caller", short_name: "caller", ...service };
      const { user_id } = await expectSuccess(as("ada").post("/bots", bot));
      return as("ada").patch(`/bots/${user_id}`, { service_payload_url: "https://other.example.com/" });
    },
    getBotApiKey: () => as("ada").post(`/bots/${botId}/api_key`),
    regenerateBotApiKey: () => as("ada").post(`/bots/${botId}/api_key/regenerate`),
    createExport: () => as("ada").post("/export/realm"),
    createOwnDataCopy: () => as("ada").post("/users/me/data_copy"),
    "sendInvitations invite_as": () =>
      as("ada").post("/invites", {
        invitee_emails: "fay@demo.test",
        stream_ids: [],
        invite_as: roles.moderator,
      }),
    "createInvitationLink invite_as": () =>
      as("ada").post("/invites/multiuse", { invite_as: roles.moderator }),
    regenerateApiKey: () => as("ada").post("/users/me/api_key/regenerate"),
  };
}

/** Rules for which the cast lacks a permission that the operator alone gives. */
const elsewhere = ["updateUser new_email", "updateUserByEmail new_email"];
const byKey = rules.filter(
  ({ rule: { level, entry }, title }) =>
    level !== "strongest" && entry !== undefined && !elsewhere.includes(title),
);

test.each(byKey)("$title by an API key alone is mailed to the account, and in the audit log", async (one) => {
  const harness = await createHarness();
  try {
    const call = callsByKey(harness)[one.title as keyof ReturnType<typeof callsByKey>];
    const before = (await mailsTo(harness, harness.user("ada").email)).length;
    const entriesNow = async () =>
      (await expectSuccess(harness.as("ada").get("/realm/audit_log", { action: one.rule.entry }))).entries;
    const earlier = await entriesNow();
    await expectSuccess(call());
    const mails = await mailsTo(harness, harness.user("ada").email);
    expect(mails.slice(before).map(({ kind }) => kind)).toContain("change of the sign-in");
    expect(await entriesNow()).toHaveLength(earlier.length + 1);
  } finally {
    await harness.close();
  }
});

test("no API key and no bot gives the role of an administrator or owner", async () => {
  const harness = await createHarness();
  try {
    const { id } = harness.user("dev");
    const bot = harness.user("echo").id;
    await expectSuccess(harness.as("ada").patch(`/bots/${bot}`, { role: roles.owner }));
    for (const role of [roles.administrator, roles.owner]) {
      for (const [name, code] of [
        ["ada", "RECENT_PROOF_REQUIRED"],
        ["echo", "BAD_REQUEST"],
      ] as const) {
        const caller = harness.as(name, { byKeyAlone: true });
        for (const { body } of [
          await caller.patch(`/users/${id}`, { role }),
          // The bot has the role of an owner already.
          await caller.patch(`/bots/${bot}`, { role: roles.administrator }),
          await caller.post("/invites/multiuse", { invite_as: role }),
        ])
          expect([name, role, body.code]).toEqual([name, role, code]);
      }
    }
  } finally {
    await harness.close();
  }
});
