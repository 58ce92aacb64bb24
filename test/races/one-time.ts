/** Everything that works once. A kind makes one, and gives what each of several who use it would send. */
import { type Flow, FlowCookie } from "../../server/accounts/providers/flow-cookie.ts";
import { type DesktopStep, keepStep } from "../../server/accounts/providers/steps.ts";
import { codeAt } from "../../server/accounts/second-steps/totp.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { mailedPath, PASSWORD } from "../harness/accounts.ts";
import { expectSuccess } from "../harness/answers.ts";
import { Authenticator } from "../harness/authenticator.ts";
import { callerOf, HOST } from "../harness/harness.ts";
import type { HttpNode } from "../harness/http-node.ts";
import { TOTP_STEP_MS } from "../harness/one-time-codes.ts";
import { ownPageHeaders } from "../harness/own-page-headers.ts";
import { browserOf, cookieIn } from "../harness/sessions.ts";
import { forms, type PageWorld } from "../permissions/page-world.ts";

/** Uses it on a node. Returns whether that did what it is for. */
export type Use = (node: HttpNode) => Promise<boolean>;
export type Kind = (world: PageWorld) => Promise<Use>;

let senders = 0;

/** Each request comes from another address, since a network has limits of its own. */
async function send(
  { app }: HttpNode,
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  return app.inject({
    method: "POST",
    url,
    headers: {
      host: HOST,
      ...ownPageHeaders,
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    payload: new URLSearchParams(fields).toString(),
    remoteAddress: `10.9.${++senders >> 8}.${senders & 255}`,
  });
}

type Sent = Awaited<ReturnType<typeof send>>;

const isDone = ({ statusCode, headers }: Sent) =>
  statusCode === 200 || (statusCode === 303 && headers.location !== "/login");
const signsIn = ({ headers }: Sent) => /parley-session=[^;]/.test(String(headers["set-cookie"]));

/** The form of a page, with what `page-world.ts` has for it. */
function formAt(path: string, hasWorked: (sent: Sent) => boolean = isDone): Kind {
  return async (world) => {
    const form = await forms[path]?.(world);
    if (!form) throw new Error(`page-world.ts has no form for ${path}`);
    const url = path.replace(/:(\w+)/g, (_, name: string) => form.params?.[name] ?? "x");
    const cookie: Record<string, string> = form.cookie === undefined ? {} : { cookie: form.cookie };
    return async (node) => hasWorked(await send(node, url, form.fields, cookie));
  };
}

const joining = { full_name: "Nora Quist", password: PASSWORD };

const invitationOfAddress: Kind = async (world) => {
  const email = world.fresh();
  const invitation = { invitee_emails: email, stream_ids: [] };
  await expectSuccess(world.harness.as("ada").post("/invites", invitation));
  const path = await mailedPath(world.harness, email);
  return async (node) => isDone(await send(node, path, joining));
};

const linkOfInvitationLink: Kind = async (world) => {
  const email = world.fresh();
  const { invite_link } = await expectSuccess(world.harness.as("ada").post("/invites/multiuse"));
  await world.send(new URL(invite_link).pathname, { email });
  const path = await mailedPath(world.harness, email);
  return async (node) => isDone(await send(node, path, joining));
};

const confirmationOfAddress: Kind = async (world) => {
  const email = world.fresh();
  const browser = browserOf(world.harness, await world.sessionOf(await world.person()));
  await expectSuccess(browser.patch("/settings", { email }));
  const path = await mailedPath(world.harness, email);
  return async (node) => isDone(await send(node, path, {}));
};

/** Somebody with an authenticator app, of which the present code was not used. */
async function withApp(world: PageWorld) {
  const person = await world.person();
  const browser = browserOf(world.harness, await world.sessionOf(person));
  const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
  const code = codeAt(secret, Date.now() - TOTP_STEP_MS);
  const answer = await browser.post("/second_steps/totp/confirm", { code });
  const { recovery_codes: codes } = await expectSuccess(Promise.resolve(answer));
  const cookie = cookieIn(answer.headers["set-cookie"]);
  return { person, secret, codes: codes as string[], cookie };
}

/** One code, given to all calls that take one, at the same time. */
function codeFor(codeOf: (app: Awaited<ReturnType<typeof withApp>>) => string): Kind {
  return async (world) => {
    const app = await withApp(world);
    const { person, cookie } = app;
    const code = codeOf(app);
    const login = { username: person.username, password: person.password, code };
    const calls = [
      (node: HttpNode) => send(node, "/api/v1/session", login),
      (node: HttpNode) => send(node, "/api/v1/fetch_api_key", login),
      (node: HttpNode) => send(node, "/api/v1/second_steps/recovery_codes", { code }, { cookie }),
    ];
    let count = 0;
    return async (node) => (await calls[count++ % calls.length]?.(node))?.statusCode === 200;
  };
}

const passkeySignIn: Kind = async (world) => {
  const device = new Authenticator();
  const place = { origin: `http://${HOST}`, rpId: HOST };
  const browser = browserOf(world.harness, await world.sessionOf(await world.person()));
  const { options } = await expectSuccess(browser.post("/passkeys/registration_options"));
  const created = device.create({ ...place, challenge: options.challenge });
  await expectSuccess(browser.post("/passkeys", { credential: created, name: "Laptop" }));
  const caller = callerOf(world.harness.app, { host: HOST, ...ownPageHeaders });
  const asked = await caller.post("/session/passkey_options");
  const cookie = cookieIn(asked.headers["set-cookie"]);
  const credential = device.get({ ...place, challenge: asked.body.options.challenge });
  const fields = { credential: JSON.stringify(credential) };
  return async (node) => (await send(node, "/api/v1/session/passkey", fields, { cookie })).statusCode === 200;
};

const newPasskey: Kind = async (world) => {
  const place = { origin: `http://${HOST}`, rpId: HOST };
  const cookie = await world.sessionOf(await world.person());
  const { options } = await expectSuccess(
    browserOf(world.harness, cookie).post("/passkeys/registration_options"),
  );
  const credential = new Authenticator().create({ ...place, challenge: options.challenge });
  const fields = { credential: JSON.stringify(credential), name: "Laptop" };
  return async (node) => (await send(node, "/api/v1/passkeys", fields, { cookie })).statusCode === 200;
};

const appThatIsSetUp: Kind = async (world) => {
  const cookie = await world.sessionOf(await world.person());
  const { secret } = await expectSuccess(browserOf(world.harness, cookie).post("/second_steps/totp"));
  const fields = { code: codeAt(secret) };
  return async (node) =>
    (await send(node, "/api/v1/second_steps/totp/confirm", fields, { cookie })).statusCode === 200;
};

const flow = { state: "a", nonce: "b", verifier: "c", next: "/inbox", join: undefined, nativeApp: undefined };

/** An identity of somebody at the provider of these tests. */
async function identityOf(world: PageWorld, userId: number) {
  const { organizationId, database } = world.harness.state;
  const identity = { issuer: "http://127.0.0.1:9", subject: world.fresh(), providerId: "sso" };
  await database.query(sql`
    insert into external_identities (organization_id, issuer, subject, user_id, provider_id)
    values (${organizationId}, ${identity.issuer}, ${identity.subject}, ${userId}, 'sso')`);
  return identity;
}

const desktopCode: Kind = async (world) => {
  const { state, services } = world.harness;
  const { id } = await world.person();
  const userId = id as DesktopStep["userId"];
  const identity = await identityOf(world, id);
  const token = await keepStep(state, services.keyring, { kind: "desktop", userId, identity, next: "/" });
  return async (node) => signsIn(await send(node, `/accounts/login/subdomain/${token}`, {}));
};

function cookieOfStep(world: PageWorld, step: string): string {
  const { services, state } = world.harness;
  const bound = { organizationId: state.organizationId, providerId: "sso" };
  return cookieIn(new FlowCookie(services.keyring, `http://${HOST}`, bound).header({ step }));
}

const connecting: Kind = async (world) => {
  const { state, services } = world.harness;
  const { username, password } = await world.person();
  const identity = { issuer: "http://127.0.0.1:9", subject: world.fresh(), providerId: "sso" };
  const about = { identity, attributes: {}, flow: flow as Flow, email: username, reason: "" };
  const step = await keepStep(state, services.keyring, { kind: "connect", ...about });
  const cookie = cookieOfStep(world, step);
  return async (node) => signsIn(await send(node, "/auth/sso/connect", { username, password }, { cookie }));
};

const secondStepOfIdentity: Kind = async (world) => {
  const { state, services } = world.harness;
  const { person, codes } = await withApp(world);
  const userId = person.id as DesktopStep["userId"];
  const identity = await identityOf(world, person.id);
  const about = { userId, identity, isConnected: true, attributes: {}, flow: flow as Flow };
  const cookie = cookieOfStep(
    world,
    await keepStep(state, services.keyring, { kind: "second step", ...about }),
  );
  // Each with a code of its own, so that the step alone decides.
  return async (node) =>
    signsIn(await send(node, "/auth/sso/second-step", { code: codes.pop() as string }, { cookie }));
};

/** By the page or call that takes it. */
export const oneTime: Readonly<Record<string, readonly Kind[]>> = {
  "POST /reset/:code": [formAt("/reset/:code")],
  "POST /verify/:code": [formAt("/verify/:code"), confirmationOfAddress],
  "POST /join/:code": [invitationOfAddress, linkOfInvitationLink],
  "POST /new/:token": [formAt("/new/:token", ({ statusCode }) => statusCode === 303)],
  "POST /login/second-step": [formAt("/login/second-step", signsIn)],
  "POST /accounts/login/subdomain/:token": [desktopCode],
  "POST /auth/:id/connect": [connecting],
  "POST /auth/:id/second-step": [secondStepOfIdentity],
  startSession: [codeFor(({ codes }) => codes[0] as string), codeFor(({ secret }) => codeAt(secret))],
  startPasskeySession: [passkeySignIn],
  addPasskey: [newPasskey],
  confirmTotp: [appThatIsSetUp],
};
