import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addPerson,
  addRosa,
  mailedPath,
  openPage,
  PASSWORD,
  rosa,
  sendForm,
  signIn,
  signInForCookie,
} from "../../../test/harness/accounts.ts";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { Authenticator } from "../../../test/harness/authenticator.ts";
import {
  type Caller,
  type CastName,
  callerOf,
  createHarness,
  fewConnections,
  type Harness,
  HOST,
} from "../../../test/harness/harness.ts";
import { TOTP_STEP_MS } from "../../../test/harness/one-time-codes.ts";
import { ownPageHeaders } from "../../../test/harness/own-page-headers.ts";
import { browserOf, cookieIn } from "../../../test/harness/sessions.ts";
import { createServer, openServices } from "../../app.ts";
import { readAddress } from "../../content/external-content/addresses.ts";
import { Keyring } from "../../platform/crypto/keyring.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import { findSecretCheck } from "../../platform/db/stored-secret-check.ts";
import { enqueueMails, openMail } from "../../platform/mail/enqueue.ts";
import { unsubscribeUrl } from "../mail-preferences/links.ts";
import { codeAt } from "../second-steps/totp.ts";
import { carriedTables } from "./carry.ts";
import { rotateSecret } from "./rotate.ts";

const OLD = "the secret of before the rotation";
const NEW = "the secret of after the rotation";
const PICTURE = "https://pictures.example.com/cat.png";
const place = { origin: `http://${HOST}`, rpId: HOST };
const ownPage = { origin: `http://${HOST}` };
/** More than one statement takes. */
const MAILS = 450;

let before: Harness;
/** A server with the new secret, on the database of `before`. */
let after: Harness;
let counts: Map<string, number>;

const html = { text: "<p>Hello</p>" } as Parameters<typeof enqueueMails>[2][number]["content"]["html"];

/** What was there before. */
const had = {
  device: new Authenticator(),
  ...{ cookie: "", totp: "", recoveryCode: "", link: "", queue: "", unsubscribe: "" },
  ...{ passwordPath: "", inviteePath: "", invitation: 0, outgoing: 0, message: 0 },
  ...{ token: "", damagedBot: 0 },
};

beforeAll(async () => {
  before = await createHarness({ PARLEY_SECRET: OLD });
  await fill();
  await before.services.queues.stop();
  const { database, keyring } = before.services;
  counts = await database.transaction((tx) => rotateSecret(tx, keyring, new Keyring(NEW)), {
    lane: "background",
  });
  after = await restart();
});
afterAll(async () => {
  await after?.services.queues.stop();
  await after?.app.close();
  await after?.services.database.close();
  await before.close();
});

async function fill(): Promise<void> {
  const { services, state } = before;
  await addRosa(before);
  await addPerson(before, "sven@demo.test", "Sven");
  await before.channel("kitchen", ["ada", "dev"]);

  // An event queue that has not read of a bot yet.
  const ada = before.as("ada");
  had.queue = (
    await expectSuccess(
      ada.post("/register", { event_types: ["realm_bot", "message"], apply_markdown: true }),
    )
  ).queue_id;
  const bot = { full_name: "Build", short_name: "build", bot_type: 3, payload_url: "https://example.com/" };
  had.outgoing = (await expectSuccess(ada.post("/bots", bot))).user_id;
  had.token = (await tokenOf(before, had.outgoing)) as string;
  const other = { ...bot, full_name: "Other", short_name: "other" };
  had.damagedBot = (await expectSuccess(ada.post("/bots", other))).user_id;
  await services.database.query(sql`
    update bots set token_encrypted = ${Buffer.alloc(60)} where user_id = ${had.damagedBot}`);

  had.message = await sayIn(() => before)("ada", "kitchen", { content: `Look: ${PICTURE}` });
  await expectSuccess(ada.patch(`/messages/${had.message}`, { content: `Look again: ${PICTURE}` }));

  const browser = await signIn(before);
  const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
  had.totp = secret;
  const code = codeAt(secret, Date.now() - TOTP_STEP_MS);
  const confirmed = await browser.post("/second_steps/totp/confirm", { code });
  had.recoveryCode = (confirmed.body.recovery_codes as string[])[0] as string;
  had.cookie = cookieIn(confirmed.headers["set-cookie"]) || (await signInForCookie(before));

  const ofSven = await signIn(before, { username: "sven@demo.test", password: PASSWORD });
  const { options } = await expectSuccess(ofSven.post("/passkeys/registration_options"));
  const credential = had.device.create({ ...place, challenge: options.challenge });
  await expectSuccess(ofSven.post("/passkeys", { credential, name: "Laptop" }));

  had.link = (await expectSuccess(ada.post("/invites/multiuse", {}))).invite_link as string;
  await expectSuccess(ada.post("/invites", { invitee_emails: "guest@demo.test", stream_ids: [] }));
  had.inviteePath = await mailedPath(before, "guest@demo.test");
  const { invites } = await expectSuccess(ada.get("/invites"));
  had.invitation = invites.find((each: { is_multiuse: boolean }) => !each.is_multiuse).id;
  await sendForm(before, "/reset", { email: "sven@demo.test" }, { headers: ownPage });
  had.passwordPath = await mailedPath(before, "sven@demo.test");
  had.unsubscribe = new URL(
    unsubscribeUrl(services.keyring, state, before.user("dev").user, "digest", place.origin),
  ).pathname;

  const mail = { to: "dev@demo.test", content: { subject: "Hello", text: "Hello", html } };
  await services.database.transaction((tx) =>
    enqueueMails(
      { query: (statement) => tx.query(statement), state },
      services,
      Array.from({ length: MAILS }, () => ({ ...mail, kind: "digest" as const })),
    ),
  );
  await services.database.query(sql`
    insert into erasures (organization_id, user_id, keeps_messages, encrypted, finished_at)
    values (${state.organizationId}, ${before.user("dev").id}, true, ${services.keyring.encrypt("{}")}, now())`);
}

async function restart(): Promise<Harness> {
  const config = { ...before.services.config, secret: NEW };
  const log = pino({ level: "silent" });
  const services = await openServices(config, log, before.connection, undefined, fewConnections);
  const app = await createServer(services);
  const state = await services.organizations.byHost(HOST);
  return { ...before, services, app, state: state as Harness["state"] };
}

/** By the key of before. */
function as(name: CastName): Caller {
  const { email, apiKey } = before.user(name);
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  return callerOf(after.app, { host: HOST, authorization, "user-agent": "ParleyTest/1.0" });
}

const nobody = () => callerOf(after.app, { host: HOST, "user-agent": "ParleyTest/1.0" });

async function tokenOf({ services }: Harness, botId: number): Promise<string> {
  const [row] = await services.database.query<{ token: Buffer }>(
    sql`select token_encrypted as token from bots where user_id = ${botId}`,
  );
  return services.keyring.decrypt((row as { token: Buffer }).token);
}

test("says how much went on and how much ended", () => {
  expect(Object.fromEntries(counts)).toEqual({
    "API keys kept": expect.any(Number),
    "tokens of outgoing webhooks kept": 1,
    "authenticator apps kept": 1,
    "invitation links kept": 1,
    "mails that wait kept": expect.any(Number),
    "texts with pictures of other hosts signed again": 2,
    "sessions ended": expect.any(Number),
    "recovery codes removed": 20,
    "mailed links ended": 1,
    "mails with such links deleted": 2,
    "invitations to make an organization ended": 0,
    "mailed invitations to send again": 1,
    "values left that could not be read before": expect.any(Number),
  });
  expect(counts.get("API keys kept")).toBeGreaterThan(5);
  expect(counts.get("mails that wait kept")).toBeGreaterThanOrEqual(MAILS);
  expect(counts.get("sessions ended")).toBeGreaterThan(0);
});

test("API keys, tokens and one's own bots stay as they are", async () => {
  expect((await as("ada").get("/users/me")).status).toBe(200);
  expect((await as("dev").get("/users/me")).status).toBe(200);
  expect(await tokenOf(after, had.outgoing)).toBe(had.token);
});

test("an event queue goes on, with what the log had of a bot", async () => {
  const { events } = await expectSuccess(
    as("ada").get("/events", { queue_id: had.queue, last_event_id: -1, dont_block: true }),
  );
  const added = events.find((event: { op?: string; bot?: { user_id: number } }) => {
    return event.op === "add" && event.bot?.user_id === had.outgoing;
  });
  expect(added.bot.services[0].token).toBe(had.token);
  const message = events.find((event: { type: string }) => event.type === "message");
  expect(addressIn(message.message.content)).toMatchObject({ url: PICTURE });
});

test("pictures of other hosts are shown, in old versions of messages too", async () => {
  const { message } = await expectSuccess(as("ada").get(`/messages/${had.message}`));
  expect(addressIn(message.content)).toMatchObject({ url: PICTURE });
  const [edit] = await after.services.database.query<{ html: string }>(
    sql`select previous_rendered_content as html from message_edits where message_id = ${had.message}`,
  );
  expect(addressIn((edit as { html: string }).html)).toMatchObject({ url: PICTURE });
});

function addressIn(text: string) {
  const [, digest = "", hex = ""] = /external_content\/([0-9a-f]+)\/([0-9a-f]+)/.exec(text) ?? [];
  return readAddress(after.services.keyring, after.state.organizationId, { digest, hex });
}

test("nothing in the database opens with the old secret, or has one of its addresses", async () => {
  const { database } = after.services;
  const old = new Keyring(OLD);
  for (const { table, columns } of carriedTables) {
    for (const [column] of Object.entries(columns).filter(([, type]) => type === "bytea")) {
      const rows = await database.query<{ value: Buffer }>(
        new Sql(`select ${column} as value from ${table} where ${column} is not null`, [], undefined),
      );
      expect([table, rows.some(({ value }) => old.canDecrypt(value))]).toEqual([table, false]);
    }
  }
  const digest = old.signAddress(`${after.state.organizationId} ${PICTURE}`).toString("hex");
  const tables = await database.query<{ name: string }>(sql`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
  expect(tables.length).toBeGreaterThan(90);
  for (const { name } of tables) {
    const found = await database.query(
      new Sql(`select 1 from ${name} t where t::text like $1`, [`%${digest}%`], undefined),
    );
    expect([name, found.length]).toEqual([name, 0]);
  }
  expect((await findSecretCheck(database))?.equals(new Keyring(NEW).check)).toBe(true);
});

test("a session ends, and a password with a code of the authenticator app makes another", async () => {
  const ended = await browserOf(after, had.cookie).get("/users/me");
  expect([ended.status, ended.body.code]).toEqual([401, "UNAUTHORIZED"]);
  const wanted = await nobody().post("/session", rosa);
  expect(wanted.body.code).toBe("SECOND_STEP_REQUIRED");
  const used = await nobody().post("/session", { ...rosa, code: had.recoveryCode });
  expect(used.body.code).toBe("SECOND_STEP_WRONG");
  const answer = await nobody().post("/session", { ...rosa, code: codeAt(had.totp) });
  expect(answer.status).toBe(200);
  const browser = browserOf(after, cookieIn(answer.headers["set-cookie"]));
  expect((await browser.get("/users/me")).body.email).toBe(rosa.username);
});

test("a passkey signs in", async () => {
  const first = await callerOf(after.app, { host: HOST, ...ownPageHeaders }).post("/session/passkey_options");
  const { challenge } = first.body.options;
  const browser = browserOf(after, cookieIn(first.headers["set-cookie"]));
  const answer = await browser.post("/session/passkey", {
    credential: had.device.get({ ...place, challenge }),
  });
  expect(answer.body).toMatchObject({ result: "success", email: "sven@demo.test" });
});

test("the link for many people works, and is shown as before", async () => {
  expect((await openPage(after, new URL(had.link).pathname)).statusCode).toBe(200);
  const { invites } = await expectSuccess(as("ada").get("/invites"));
  const links = invites.flatMap((each: { link_url?: string }) => each.link_url ?? []);
  expect(links).toEqual([had.link]);
});

test("mailed links end, and a mailed invitation can be sent again", async () => {
  for (const path of [had.inviteePath, had.passwordPath]) {
    expect([path, (await openPage(after, path)).statusCode]).toEqual([path, 404]);
  }
  expect((await openPage(after, had.unsubscribe)).statusCode).toBe(404);
  await expectSuccess(as("ada").post(`/invites/${had.invitation}/resend`));
  const again = await mailedPath(after, "guest@demo.test");
  expect(again).not.toBe(had.inviteePath);
  expect((await openPage(after, again)).statusCode).toBe(200);
});

test("waiting mails can be read, and those with links that ended are gone", async () => {
  const rows = await after.services.database.query<{ kind: string; encrypted: Buffer }>(
    sql`select kind, encrypted from mails where kind in ('digest', 'password reset')`,
  );
  expect(rows).toHaveLength(MAILS);
  for (const { encrypted } of rows)
    expect(openMail(after.services.keyring, encrypted).to).toBe("dev@demo.test");
});

test("each organization's audit log says it", async () => {
  const rows = await after.services.database.query<{ id: number }>(
    sql`select organization_id as id from audit_log where action = 'secret_rotated' order by 1`,
  );
  expect(rows.map(({ id }) => Number(id))).toEqual(
    [after.state.organizationId, after.otherState.organizationId].sort((one, other) => one - other),
  );
});
