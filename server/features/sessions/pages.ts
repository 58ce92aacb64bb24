import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { isApiError } from "../../platform/http/answer.ts";
import { emptyForm, readForm } from "../../platform/http/form-fields.ts";
import { Hosts } from "../../platform/http/host.ts";
import { nextPage } from "../../platform/http/next-page.ts";
import { isFromOwnPage } from "../../platform/http/own-page.ts";
import { sendPage } from "../../platform/http/page.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { signIn } from "../auth/sign-in.ts";
import { organization } from "../organization/organization.ts";
import { loginPage, loginParsers } from "./login-page.ts";
import { startPageSession } from "./page-session.ts";
import { providerLinks } from "./provider-links.ts";
import { findRequester } from "./requester.ts";

type WithNext = { Querystring: { next?: string | string[] } };

/** The page by which people sign in, with the page to go to as `next`. */
export function registerLoginPage(pages: FastifyInstance, services: Services): void {
  const hosts = new Hosts(services.config.publicUrl);
  const visit = async ({ headers }: FastifyRequest<WithNext>) => {
    const { name, origin } = hosts.read(headers.host);
    const state = await services.organizations.byHost(name);
    return state?.get(organization).isActive ? { state, origin } : undefined;
  };
  const shown = (state: OrganizationState, next: string) => ({
    name: state.get(organization).name,
    providerLinks: providerLinks(services.config, state, next === "/" ? {} : { next }),
  });
  pages.get<WithNext>("/login", async (request, reply) => {
    const visited = await visit(request);
    if (!visited) return reply.redirect("/", 303);
    const next = nextPage(request.query.next);
    if (await isSignedIn(services, visited, request)) return reply.redirect(next, 303);
    const form = emptyForm(["username", "password"] as const);
    return sendPage(reply, 200, loginPage(shown(visited.state, next), form));
  });
  pages.post<WithNext>("/login", async (request, reply) => {
    const visited = await visit(request);
    if (!visited) return reply.redirect("/", 303);
    const { state, origin } = visited;
    // Another site must not sign people in to an account that it can read.
    if (!isFromOwnPage(request.headers, origin)) throw new ApiError(errors.foreignOrigin);
    const form = readForm(request.body, loginParsers);
    try {
      const signedIn = await signIn(state, services.keyring, { ...form.values, address: request.ip });
      await startPageSession(services, state, signedIn, { request, reply, origin });
    } catch (error) {
      if (!isApiError(error)) throw error;
      const { status } = error.declaration;
      const page = loginPage(shown(state, nextPage(request.query.next)), form, problemOf(error));
      return sendPage(reply, status === 401 ? 403 : status, page);
    }
    return reply.redirect(nextPage(request.query.next), 303);
  });
}

/** A limit on attempts has no words for people. */
function problemOf({ declaration, message, data }: ApiError<never>): string {
  if (declaration.name !== errors.rateLimitHit.name) return message;
  const minutes = Math.ceil((data as { retryAfter: number }).retryAfter / 60);
  return `There were too many wrong passwords. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
}

async function isSignedIn(
  services: Services,
  { state, origin }: Parameters<typeof findRequester>[1],
  { headers }: FastifyRequest<WithNext>,
): Promise<boolean> {
  try {
    return (await findRequester(services, { state, origin }, { headers })) !== undefined;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
