import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { organization } from "../../organization/organization.ts";
import { users } from "../../people/user.ts";
import { page, type Visit } from "../../people/viewer/page.ts";
import { clientName } from "../../platform/http/client-name.ts";
import { problemText } from "../../platform/http/error-texts.ts";
import { emptyForm, readForm } from "../../platform/http/form-fields.ts";
import { nextPage } from "../../platform/http/next-page.ts";
import { sendPage } from "../../platform/http/page.ts";
import { type PageRoute, publicFile } from "../../platform/http/page-routes.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { OpenId } from "../../platform/oidc/open-id.ts";
import type { ExternalProfile } from "../../platform/oidc/profile.ts";
import { providersOf, type SignInProvider } from "../../platform/oidc/providers.ts";
import type { Services } from "../../services.ts";
import { mustSetUp } from "../second-steps/required.ts";
import { countWrongCode } from "../sign-in/code-limits.ts";
import { signInWithSteps } from "../sign-in/with-steps.ts";
import { mapAttributes } from "./attribute-mapping.ts";
import { desktopScript } from "./desktop-script.ts";
import { activeUser, findAccount, identityOf } from "./find-account.ts";
import { finish, type ProviderVisit, startBrowserSession } from "./finish.ts";
import { type Flow, FlowCookie } from "./flow-cookie.ts";
import { connect, SignInOver } from "./identities.ts";
import { BadOtp, parseNativeApp } from "./native-app.ts";
import { askForSecondStep, showSecondStep, takeSecondStep } from "./second-step.ts";
import { confirmPage, connectPage, desktopWaitingPage, problemPage } from "./sign-in-pages.ts";
import { type ConnectStep, keepStep, markDone, readStep, takeStep } from "./steps.ts";
import { text } from "./texts.ts";

const MAX_CODE = 100;

const ofProvider = { organization: "active", session: "none" } as const;

/** The pages by which people sign in with a provider: the way there, the way back, and what follows. */
export function providerPages(services: Services): PageRoute[] {
  const openId = loadedOnce(services);
  const atProvider = (work: (visit: ProviderVisit) => Promise<FastifyReply>) => {
    return async (visit: Visit<"active", "none", "/:id">) => {
      const { state, host, params, reply } = visit;
      const all = providersOf(services.config.providers, state.get(organization).host);
      const provider = all.find(({ id }) => id === params.id);
      if (!provider) return sendPage(reply, 404, unknownPage);
      const bound = { organizationId: state.organizationId, providerId: provider.id };
      const flowCookie = new FlowCookie(services.keyring, host.origin, bound);
      return answer(reply, () => work({ ...visit, provider, flowCookie }));
    };
  };
  return [
    publicFile("/auth/desktop.js", ({ reply }) =>
      reply.type("text/javascript; charset=utf-8").send(desktopScript),
    ),
    page(
      { method: "GET", path: "/auth/:id", begins: true, ...ofProvider },
      atProvider(async (visit) => begin(services, await openId(), visit)),
    ),
    page(
      {
        method: "GET",
        path: "/auth/:id/callback",
        signsIn: "A cookie binds it to the browser in which the sign-in began, and it works once.",
        ...ofProvider,
      },
      atProvider(async (visit) => comeBack(services, await openId(), visit)),
    ),
    page(
      { method: "GET", path: "/auth/:id/connect", ...ofProvider },
      atProvider((visit) => showForm(services, visit)),
    ),
    page(
      { method: "POST", path: "/auth/:id/connect", origin: "own page", signsIn: true, ...ofProvider },
      atProvider((visit) => connectByPassword(services, visit)),
    ),
    page(
      { method: "GET", path: "/auth/:id/second-step", ...ofProvider },
      atProvider((visit) => showSecondStep(services, visit)),
    ),
    page(
      { method: "POST", path: "/auth/:id/second-step", origin: "own page", signsIn: true, ...ofProvider },
      atProvider((visit) => takeSecondStep(services, visit)),
    ),
    // The desktop app has decrypted the code. Its page sends it as a form.
    page({ method: "GET", path: FROM_DESKTOP, organization: "active", session: "if any" }, (visit) =>
      answer(visit.reply, () => askDesktop(services, visit)),
    ),
    page({ method: "POST", path: FROM_DESKTOP, origin: "own page", signsIn: true, ...ofProvider }, (visit) =>
      answer(visit.reply, () => signInDesktop(services, visit)),
    ),
  ];
}

const FROM_DESKTOP = "/accounts/login/subdomain/:token";

/** Most servers have no provider, and what speaks with one is large: the first sign-in by one loads it. */
function loadedOnce({ outbound }: Pick<Services, "outbound">): () => Promise<OpenId> {
  let loaded: Promise<OpenId> | undefined;
  return () => {
    loaded ??= import("../../platform/oidc/open-id.ts").then(
      ({ OpenId }) => new OpenId(outbound),
      (error) => {
        loaded = undefined;
        throw error;
      },
    );
    return loaded;
  };
}

/** Sends the browser to the provider, with a cookie that says what must come back. */
async function begin(
  services: Pick<Services, "log">,
  openId: OpenId,
  visit: ProviderVisit,
): Promise<FastifyReply> {
  const { state, provider, request, reply, flowCookie } = visit;
  const nativeApp = parseNativeApp(visit.query);
  const isDesktopApp = /\bZulip(Electron|Desktop)\//.test(request.headers["user-agent"] ?? "");
  if (isDesktopApp && !nativeApp) return sendPage(reply, 200, desktopWaitingPage(provider.name));
  const { join, next } = visit.query;
  const flow: Flow = {
    ...openId.newExpected(),
    next: nextPage(next),
    join: typeof join === "string" && join.length <= MAX_CODE ? join : undefined,
    nativeApp,
  };
  const url = await ask(services, visit, () =>
    openId.authorizationUrl(state.organizationId, provider, flow, callbackOf(visit)),
  );
  if (url === undefined) return sendPage(reply, 502, unreachablePage(provider));
  return reply.header("Set-Cookie", flowCookie.header({ flow })).redirect(url, 302);
}

/** The provider has sent the browser back. */
async function comeBack(
  services: Pick<Services, "config" | "keyring" | "log" | "mailer" | "organizations">,
  openId: OpenId,
  visit: ProviderVisit,
): Promise<FastifyReply> {
  const { state, provider, request, reply, query, flowCookie } = visit;
  const flow = flowCookie.flow(request.headers);
  // A link without the right state must not even end the sign-in that is under way.
  if (!flow || query.state !== flow.state) throw new SignInOver();
  reply.header("Set-Cookie", flowCookie.clearing);
  if (query.error !== undefined) return sendPage(reply, 403, refusedPage(provider));
  const callback = new URL(callbackOf(visit));
  callback.search = new URL(request.url, callback).search;
  const profile = await ask(services, visit, () =>
    openId.profile(state.organizationId, provider, flow, callback),
  );
  if (!profile) return sendPage(reply, 502, unreachablePage(provider));
  if (!(await markDone(state, services.keyring, flow))) throw new SignInOver();
  const found = await findAccount(services, state, provider, profile, flow, fromOf(request));
  if ("reason" in found) return askForPassword(services, visit, { profile, flow, reason: found.reason });
  const { user, needsStep, isConnected } = found;
  const entered = {
    identity: identityOf(provider, profile),
    flow,
    attributes: mapAttributes(provider, profile),
  };
  if (needsStep) return askForSecondStep(services, visit, { ...entered, userId: user.id, isConnected });
  return finish(services, visit, user, entered);
}

async function askForPassword(
  { keyring }: Pick<Services, "keyring">,
  { state, provider, reply, flowCookie }: ProviderVisit,
  { profile, flow, reason }: { profile: ExternalProfile; flow: Flow; reason: string },
): Promise<FastifyReply> {
  const step = await keepStep(state, keyring, {
    kind: "connect",
    identity: identityOf(provider, profile),
    attributes: mapAttributes(provider, profile),
    flow,
    email: profile.email ?? "",
    reason,
  });
  return reply
    .removeHeader("Set-Cookie")
    .header("Set-Cookie", flowCookie.header({ step }))
    .redirect(`/auth/${provider.id}/connect`, 303);
}

async function showForm({ keyring }: Pick<Services, "keyring">, visit: ProviderVisit): Promise<FastifyReply> {
  const { step } = await connectStepOf(keyring, visit);
  const form = emptyForm(["username", "password", "code"] as const);
  form.values.username = step.email;
  return sendPage(visit.reply, 200, connectPage(namesOf(visit, step), form));
}

const anything = (text: string) => text;

/** The limits on wrong passwords are those of `/login`, since it is the same check. */
async function connectByPassword(
  services: Pick<Services, "config" | "keyring" | "log" | "mailer" | "organizations">,
  visit: ProviderVisit,
): Promise<FastifyReply> {
  const { state, request, reply, flowCookie } = visit;
  const { keyring } = services;
  const { token, step } = await connectStepOf(keyring, visit);
  const form = readForm(request.body, { username: anything, password: anything, code: anything });
  let signedIn: Awaited<ReturnType<typeof signInWithSteps>>;
  try {
    // From here on the provider's word is enough. So somebody with a second step shows it this once.
    signedIn = await signInWithSteps(state, keyring, { ...form.values, address: request.ip });
    // The requirement does not hold for providers. So the password alone would be the way around it.
    if (mustSetUp(state, signedIn.user, signedIn.by)) throw new ApiError(errors.secondStepSetupRequired);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const status = error.declaration.status === 401 ? 403 : error.declaration.status;
    const isAsked = error.declaration.name === errors.secondStepRequired.name;
    const needsCode = isAsked || form.values.code !== "";
    const problem = isAsked ? text("connect.codeNeeded") : problemText(error);
    form.values.code = "";
    delete form.problems.code;
    return sendPage(reply, status, connectPage(namesOf(visit, step), form, { problem, needsCode }));
  }
  if (!(await takeStep(state, keyring, "connect", token))) throw new SignInOver();
  const { user, passwordHash, by } = signedIn;
  const hasShownStep = by === "second step";
  const shown = { by: "password", passwordHash, hasShownStep, from: fromOf(request) } as const;
  await connect(services, state, step.identity, user, shown);
  reply.header("Set-Cookie", flowCookie.clearing);
  return finish(services, visit, user, { ...step, hasShownStep });
}

async function connectStepOf(
  keyring: Services["keyring"],
  { state, provider, request, flowCookie }: ProviderVisit,
): Promise<{ token: string; step: ConnectStep }> {
  const token = flowCookie.step(request.headers);
  const step = token === undefined ? undefined : await readStep(state, keyring, "connect", token);
  if (token === undefined || step?.identity.providerId !== provider.id) throw new SignInOver();
  return { token, step };
}

function namesOf({ state, provider }: ProviderVisit, { reason }: ConnectStep) {
  return { organizationName: state.get(organization).name, providerName: provider.name, reason };
}

/** Names the account to which a link leads. Nothing is used up, and nobody is signed in. */
async function askDesktop(
  services: Pick<Services, "keyring">,
  { state, request, reply, params, viewer }: Visit<"active", "if any", "/:token">,
): Promise<FastifyReply> {
  const step = await readStep(state, services.keyring, "desktop", params.token);
  if (!step) return refuseCode(state, request.ip);
  const { email } = activeUser(state.get(users).byId.get(step.userId));
  const names = { organizationName: state.get(organization).name, email, presentEmail: viewer?.user.email };
  return sendPage(reply, 200, confirmPage(names));
}

async function refuseCode(state: OrganizationState, address: string): Promise<never> {
  await countWrongCode(state, address);
  throw new SignInOver();
}

async function signInDesktop(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
  visit: Visit<"active", "none", "/:token">,
): Promise<FastifyReply> {
  const { state, request, reply, params } = visit;
  const step = await takeStep(state, services.keyring, "desktop", params.token);
  if (!step) return refuseCode(state, request.ip);
  const user = activeUser(state.get(users).byId.get(step.userId));
  await startBrowserSession(services, visit, user, step);
  return reply.redirect(step.next, 303);
}

/** Calls a provider. undefined: it failed, and the log says why. */
async function ask<T>(
  { log }: Pick<Services, "log">,
  { provider }: ProviderVisit,
  call: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    log.warn({ err: error, provider: provider.id }, "a sign-in with a provider failed");
    return undefined;
  }
}

function fromOf({ ip, headers }: FastifyRequest) {
  return { address: ip, client: clientName(headers["user-agent"]) };
}

function callbackOf({ host, provider }: ProviderVisit): string {
  return `${host.baseUrl}/auth/${provider.id}/callback`;
}

/** What went wrong, as a page. */
async function answer(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SignInOver) return sendPage(reply, 400, overPage);
    if (error instanceof BadOtp) return sendPage(reply, 400, badOtpPage);
    if (error instanceof ApiError && error.declaration.name === errors.userDeactivated.name) {
      return sendPage(reply, 403, problemPage(text("refused.heading"), problemText(error)));
    }
    throw error;
  }
}

const unknownPage = problemPage(text("unknown.heading"), text("unknown.text"));
const overPage = problemPage(text("over.heading"), text("over.text"));
const badOtpPage = problemPage(text("badOtp.heading"), text("badOtp.text"));

function unreachablePage({ name: provider }: SignInProvider) {
  return problemPage(text("unreachable.heading", { provider }), text("unreachable.text"));
}

function refusedPage({ name: provider }: SignInProvider) {
  return problemPage(text("ended.heading", { provider }), text("ended.text"));
}
