import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { organization } from "../../organization/organization.ts";
import { users } from "../../people/user.ts";
import { isApiError } from "../../platform/http/answer.ts";
import { emptyForm, readForm } from "../../platform/http/form-fields.ts";
import { Hosts } from "../../platform/http/host.ts";
import { nextPage } from "../../platform/http/next-page.ts";
import { isFromOwnPage } from "../../platform/http/own-page.ts";
import { type Page, sendPage } from "../../platform/http/page.ts";
import { SessionCookie } from "../../platform/http/session-cookie.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { checkCode, findKinds } from "../second-steps/check-code.ts";
import { mustSetUp } from "../second-steps/required.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { loginPage, loginParsers } from "./login-page.ts";
import { startPageSession } from "./page-session.ts";
import { findSignIn, rememberSignIn, useSignIn } from "./pending.ts";
import { providerLinks } from "./provider-links.ts";
import { findRequester } from "./requester.ts";
import { codeParsers, secondStepPage } from "./second-step-page.ts";
import type { SignedIn } from "./start.ts";

type WithNext = { Querystring: { next?: string | string[] } };

interface Visit {
  state: OrganizationState;
  origin: string;
  request: FastifyRequest<WithNext>;
  reply: FastifyReply;
  /** The page to go to after signing in. */
  next: string;
}

export const SECOND_STEP_SETUP_PATH = "/login/set-up";

/** The pages by which people sign in, with the page to go to as `next`. They work without script. */
export function registerLoginPage(pages: FastifyInstance, services: Services): void {
  const hosts = new Hosts(services.config.publicUrl);
  const on = (serve: (visit: Visit) => Promise<FastifyReply>) => {
    return async (request: FastifyRequest<WithNext>, reply: FastifyReply) => {
      const { name, origin } = hosts.read(request.headers.host);
      const state = await services.organizations.byHost(name);
      if (!state?.get(organization).isActive) return reply.redirect("/", 303);
      // Another site must not sign people in to an account that it can read.
      if (request.method === "POST" && !isFromOwnPage(request.headers, origin))
        throw new ApiError(errors.foreignOrigin);
      return serve({ state, origin, request, reply, next: nextPage(request.query.next) });
    };
  };
  pages.get<WithNext>(
    "/login",
    on(async (visit) => {
      const { reply, next } = visit;
      if (await isSignedIn(services, visit)) return reply.redirect(next, 303);
      const form = emptyForm(["username", "password"] as const);
      return sendPage(reply, 200, loginPage(shownAt(services, visit), form, { next }));
    }),
  );
  pages.post<WithNext>(
    "/login",
    on((visit) => takePassword(services, visit)),
  );
  pages.get<WithNext>(
    "/login/second-step",
    on(async (visit) => {
      const { state, reply, request, origin, next } = visit;
      const { signIn: cookie } = new SessionCookie(request.headers, origin);
      const pending = await findSignIn(services.keyring, state, cookie);
      if (!pending) return reply.redirect(withNext("/login", next), 303);
      const kinds = await findKinds(state, pending.userId);
      const page = secondStepPage(state.get(organization).name, emptyForm(["code"]), { kinds, next });
      return sendPage(reply, 200, page);
    }),
  );
  pages.post<WithNext>(
    "/login/second-step",
    on((visit) => takeCode(services, visit)),
  );
}

function shownAt({ config }: Services, { state, next }: Visit) {
  return {
    name: state.get(organization).name,
    providerLinks: providerLinks(config, state, next === "/" ? {} : { next }),
  };
}

async function takePassword(services: Services, visit: Visit): Promise<FastifyReply> {
  const { state, request, reply, next } = visit;
  const form = readForm(request.body, loginParsers);
  try {
    const signedIn = await signIn(state, services.keyring, { ...form.values, address: request.ip });
    if ((await findKinds(state, signedIn.user.id)).length === 0)
      return await enter(services, visit, signedIn);
    const cookie = new SessionCookie(request.headers, visit.origin);
    const { user, passwordHash } = signedIn;
    await rememberSignIn(services.keyring, state, { userId: user.id, passwordHash }, cookie.signIn);
    for (const each of cookie.changes) reply.header("Set-Cookie", each);
    return reply.redirect(withNext("/login/second-step", next), 303);
  } catch (error) {
    const problem = problemOf(error, "wrong passwords");
    return sendProblem(reply, error, loginPage(shownAt(services, visit), form, { next, problem }));
  }
}

/** What was asked before is asked again: whose password it was, and whether it still is. */
async function takeCode(services: Services, visit: Visit): Promise<FastifyReply> {
  const { state, request, reply, origin, next } = visit;
  const { keyring } = services;
  const { signIn: cookie } = new SessionCookie(request.headers, origin);
  const pending = await findSignIn(keyring, state, cookie);
  const user = pending && state.get(users).byId.get(pending.userId);
  if (!pending || !user?.isActive) return reply.redirect(withNext("/login", next), 303);
  const form = readForm(request.body, codeParsers);
  try {
    await checkCode(keyring, state, { userId: user.id, code: form.values.code, address: request.ip });
    if (!(await useSignIn(keyring, state, cookie))) return reply.redirect(withNext("/login", next), 303);
    const { passwordHash } = pending;
    return await enter(services, visit, { user, passwordHash, by: "second step" });
  } catch (error) {
    const problem = problemOf(error, "wrong codes");
    const kinds = await findKinds(state, user.id);
    const page = secondStepPage(state.get(organization).name, form, { kinds, next, problem });
    return sendProblem(reply, error, page);
  }
}

async function enter(services: Services, visit: Visit, signedIn: SignedIn): Promise<FastifyReply> {
  const { state, request, reply, origin, next } = visit;
  await startPageSession(services, state, signedIn, { request, reply, origin });
  const mustSetUpFirst = mustSetUp(state, signedIn.user, signedIn.by ?? "password");
  return reply.redirect(mustSetUpFirst ? withNext(SECOND_STEP_SETUP_PATH, next) : next, 303);
}

function withNext(path: string, next: string): string {
  return next === "/" ? path : `${path}?next=${encodeURIComponent(next)}`;
}

function sendProblem(reply: FastifyReply, error: unknown, page: Page): FastifyReply {
  if (!isApiError(error)) throw error;
  const { status } = error.declaration;
  return sendPage(reply, status === 401 ? 403 : status, page);
}

/** A limit on attempts has no words for people. */
function problemOf(error: unknown, attempts: string): string {
  if (!isApiError(error)) throw error;
  const { declaration, message, data } = error;
  if (declaration.name !== errors.rateLimitHit.name) return message;
  const minutes = Math.ceil((data as { retryAfter: number }).retryAfter / 60);
  return `There were too many ${attempts}. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
}

async function isSignedIn(services: Services, { state, origin, request }: Visit): Promise<boolean> {
  try {
    return (await findRequester(services, { state, origin }, { headers: request.headers })) !== undefined;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
