import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { organization } from "../../organization/organization.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { isApiError } from "../../platform/http/answer.ts";
import { type Fields, lastText } from "../../platform/http/form.ts";
import { Hosts } from "../../platform/http/host.ts";
import { nextPage } from "../../platform/http/next-page.ts";
import { isFromOwnPage } from "../../platform/http/own-page.ts";
import { sendPage } from "../../platform/http/page.ts";
import { SessionCookie } from "../../platform/http/session-cookie.ts";
import type { Services } from "../../services.ts";
import { checkRecentProof, isProofRecent } from "../proof/recent-proof.ts";
import { SECOND_STEP_SETUP_PATH } from "../sessions/pages.ts";
import { findRequester } from "../sessions/requester.ts";
import { beginTotp, findStartedTotp, finishTotp } from "./actions.ts";
import { appPage, choicePage, codesPage } from "./setup-pages.ts";

type WithNext = { Querystring: { next?: string | string[] } };

/** It exceeds the limits of all fields. */
const MAX_TEXT = 2000;

interface Visit {
  viewer: Viewer;
  request: FastifyRequest<WithNext>;
  reply: FastifyReply;
  next: string;
  /** A change may give the session another token. It is sent after the change has succeeded. */
  cookie: SessionCookie;
}

/**
 * The page on which people set up a second step that the organization requires. It works without script, but
 * for passkeys. Who need not set one up goes on.
 */
export function registerSecondStepSetup(pages: FastifyInstance, services: Services): void {
  const hosts = new Hosts(services.config.publicUrl);
  const on = (serve: (visit: Visit) => Promise<FastifyReply>) => {
    return async (request: FastifyRequest<WithNext>, reply: FastifyReply) => {
      const { name, origin } = hosts.read(request.headers.host);
      const state = await services.organizations.byHost(name);
      if (!state?.get(organization).isActive) return reply.redirect("/", 303);
      if (request.method === "POST" && !isFromOwnPage(request.headers, origin))
        throw new ApiError(errors.foreignOrigin);
      const next = nextPage(request.query.next);
      const found = await requesterOf(services, { state, origin }, request);
      if (found?.credential?.kind !== "session") {
        return reply.redirect(`/login?next=${encodeURIComponent(next)}`, 303);
      }
      if (!found.mustSetUpSecondStep) return reply.redirect(next, 303);
      const cookie = new SessionCookie(request.headers, origin);
      const renewSession = (token: string) => cookie.set(token);
      const viewer = { ...found, address: request.ip, renewSession };
      return serve({ viewer, request, reply, next, cookie });
    };
  };
  pages.get<WithNext>(
    SECOND_STEP_SETUP_PATH,
    on((visit) => sendChoice(visit)),
  );
  pages.post<WithNext>(
    SECOND_STEP_SETUP_PATH,
    on((visit) =>
      fieldOf(visit, "action") === "confirm" ? confirm(services, visit) : start(services, visit),
    ),
  );
}

async function requesterOf(
  services: Services,
  place: Parameters<typeof findRequester>[1],
  { headers }: FastifyRequest<WithNext>,
): Promise<Viewer | undefined> {
  try {
    return await findRequester(services, place, { headers }, { isForSecondStepSetup: true });
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function sendChoice({ viewer, reply, next }: Visit, problem?: ApiError<never>): Promise<FastifyReply> {
  const { name } = viewer.state.get(organization);
  const needsPassword = !(await isProofRecent(viewer));
  const page = choicePage(name, next, { needsPassword, ...(problem && { problem: problem.message }) });
  return sendPage(reply, problem?.declaration.status ?? 200, page);
}

async function start(services: Services, visit: Visit): Promise<FastifyReply> {
  const { viewer, request, reply } = visit;
  const password = fieldOf(visit, "password");
  try {
    await checkRecentProof(
      services.keyring,
      viewer,
      { password: password === "" ? undefined : password },
      request.ip,
    );
    return sendPage(reply, 200, appPage(await beginTotp(services, viewer)));
  } catch (error) {
    if (!isApiError(error)) throw error;
    return sendChoice(visit, error);
  }
}

async function confirm(services: Services, visit: Visit): Promise<FastifyReply> {
  const { viewer, request, reply, next, cookie } = visit;
  try {
    await checkRecentProof(services.keyring, viewer, {}, request.ip);
    const given = { code: fieldOf(visit, "code"), address: request.ip };
    const codes = await finishTotp(services, viewer, given);
    for (const each of cookie.changes) reply.header("Set-Cookie", each);
    return sendPage(reply, 200, codesPage(codes, next));
  } catch (error) {
    if (!isApiError(error)) throw error;
    const started = await findStartedTotp(services, viewer);
    if (!started || !(await isProofRecent(viewer))) return sendChoice(visit, error);
    return sendPage(reply, error.declaration.status, appPage(started, error.message));
  }
}

function fieldOf({ request }: Visit, name: string): string {
  const given = (request.body as Fields | null | undefined)?.[name];
  return typeof given === "string" || Array.isArray(given) ? lastText(given).slice(0, MAX_TEXT) : "";
}
