import type { FastifyReply } from "fastify";
import { organization } from "../../organization/organization.ts";
import { users } from "../../people/user.ts";
import { page, type Visit } from "../../people/viewer/page.ts";
import { isApiError, retryAfterOf } from "../../platform/http/answer.ts";
import { problemText } from "../../platform/http/error-texts.ts";
import { emptyForm, readForm } from "../../platform/http/form-fields.ts";
import { nextPage } from "../../platform/http/next-page.ts";
import { type Page, type PageText, sendPage } from "../../platform/http/page.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { checkCode, findKinds } from "../second-steps/check-code.ts";
import { mustSetUp } from "../second-steps/required.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { loginPage, loginParsers } from "./login-page.ts";
import { organizationHead } from "./organization-head.ts";
import { startPageSession } from "./page-session.ts";
import { findSignIn, rememberSignIn, useSignIn } from "./pending.ts";
import { providerLinks } from "./provider-links.ts";
import { codeParsers, secondStepPage } from "./second-step-page.ts";
import type { SignedIn } from "./start.ts";

type LoginServices = Pick<Services, "config" | "keyring" | "mailer" | "organizations">;

export const LOGIN_PATH = "/login";
export const SECOND_STEP_SETUP_PATH = "/login/set-up";
const SECOND_STEP_PATH = "/login/second-step";

const atOrganization = { organization: "active", session: "none" } as const;

/** The pages by which people sign in, with the page to go to as `next`. They work without script. */
export function loginPages(services: LoginServices): PageRoute[] {
  return [
    page({ method: "GET", path: LOGIN_PATH, organization: "active", session: "if any" }, (visit) => {
      const { reply, viewer } = visit;
      const next = nextPage(visit.query.next);
      // Somebody who must show again who they are signs in once more.
      if (viewer && visit.query.again === undefined) return reply.redirect(next, 303);
      const form = emptyForm(["username", "password"] as const);
      return sendPage(reply, 200, loginPage(shownAt(services, visit.state, next), form, { next }));
    }),
    // Another site must not sign people in to an account that it can read.
    page(
      { method: "POST", path: LOGIN_PATH, origin: "own page", signsIn: true, ...atOrganization },
      (visit) => takePassword(services, visit),
    ),
    page({ method: "GET", path: SECOND_STEP_PATH, ...atOrganization }, async (visit) => {
      const { state, reply, cookie } = visit;
      const next = nextPage(visit.query.next);
      const pending = await findSignIn(services.keyring, state, cookie.signIn);
      if (!pending) return reply.redirect(withNext(LOGIN_PATH, next), 303);
      const kinds = await findKinds(state, pending.userId);
      const form = secondStepPage(state.get(organization).name, emptyForm(["code"]), { kinds, next });
      return sendPage(reply, 200, form);
    }),
    page(
      { method: "POST", path: SECOND_STEP_PATH, origin: "own page", signsIn: true, ...atOrganization },
      (visit) => takeCode(services, visit),
    ),
  ];
}

function shownAt({ config }: LoginServices, state: OrganizationState, next: string) {
  return {
    name: state.get(organization).name,
    head: organizationHead(state),
    demoAccounts: config.demoAccounts,
    providerLinks: providerLinks(config, state, next === "/" ? {} : { next }),
  };
}

async function takePassword(services: LoginServices, visit: Visit<"active">): Promise<FastifyReply> {
  const { state, request, reply, cookie } = visit;
  const next = nextPage(visit.query.next);
  const form = readForm(request.body, loginParsers);
  try {
    const signedIn = await signIn(state, services.keyring, { ...form.values, address: request.ip });
    if ((await findKinds(state, signedIn.user.id)).length === 0)
      return await enter(services, visit, signedIn);
    const { user, passwordHash } = signedIn;
    await rememberSignIn(services.keyring, state, { userId: user.id, passwordHash }, cookie.signIn);
    for (const each of cookie.changes) reply.header("Set-Cookie", each);
    return reply.redirect(withNext(SECOND_STEP_PATH, next), 303);
  } catch (error) {
    const problem = problemOf(error);
    return sendProblem(reply, error, loginPage(shownAt(services, state, next), form, { next, problem }));
  }
}

/** What was asked before is asked again: whose password it was, and whether it still is. */
async function takeCode(services: LoginServices, visit: Visit<"active">): Promise<FastifyReply> {
  const { state, request, reply, cookie } = visit;
  const next = nextPage(visit.query.next);
  const { keyring } = services;
  const pending = await findSignIn(keyring, state, cookie.signIn);
  const user = pending && state.get(users).byId.get(pending.userId);
  if (!pending || !user?.isActive) return reply.redirect(withNext(LOGIN_PATH, next), 303);
  const form = readForm(request.body, codeParsers);
  try {
    await checkCode(keyring, state, { userId: user.id, code: form.values.code, address: request.ip });
    if (!(await useSignIn(keyring, state, cookie.signIn)))
      return reply.redirect(withNext(LOGIN_PATH, next), 303);
    const { passwordHash } = pending;
    return await enter(services, visit, { user, passwordHash, by: "second step" });
  } catch (error) {
    const problem = problemOf(error);
    const kinds = await findKinds(state, user.id);
    const again = secondStepPage(state.get(organization).name, form, { kinds, next, problem });
    return sendProblem(reply, error, again);
  }
}

async function enter(
  services: LoginServices,
  visit: Visit<"active">,
  signedIn: SignedIn,
): Promise<FastifyReply> {
  const { state, reply } = visit;
  const next = nextPage(visit.query.next);
  await startPageSession(services, visit, state, signedIn);
  const mustSetUpFirst = mustSetUp(state, signedIn.user, signedIn.by ?? "password");
  return reply.redirect(mustSetUpFirst ? withNext(SECOND_STEP_SETUP_PATH, next) : next, 303);
}

function withNext(path: string, next: string): string {
  return next === "/" ? path : `${path}?next=${encodeURIComponent(next)}`;
}

function sendProblem(reply: FastifyReply, error: unknown, shown: Page): FastifyReply {
  if (!isApiError(error)) throw error;
  const { status } = error.declaration;
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) reply.header("Retry-After", retryAfter);
  return sendPage(reply, status === 401 ? 403 : status, shown);
}

function problemOf(error: unknown): PageText {
  if (!isApiError(error)) throw error;
  return problemText(error);
}
