import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../../../api/errors.ts";
import { organization } from "../../organization/organization.ts";
import { page, type Visit } from "../../people/viewer/page.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { isApiError } from "../../platform/http/answer.ts";
import { problemText } from "../../platform/http/error-texts.ts";
import { type Fields, lastText } from "../../platform/http/form.ts";
import { nextPage } from "../../platform/http/next-page.ts";
import { sendPage } from "../../platform/http/page.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import type { SessionCookie } from "../../platform/http/session-cookie.ts";
import type { Services } from "../../services.ts";
import { checkFreshProof, isProofRecent } from "../proof/check.ts";
import { SECOND_STEP_SETUP_PATH } from "../sessions/pages.ts";
import { beginTotp, findStartedTotp, finishTotp } from "./actions.ts";
import { appPage, choicePage, codesPage } from "./setup-pages.ts";

/** It exceeds the limits of all fields. */
const MAX_TEXT = 2000;

type SetupServices = Pick<Services, "keyring" | "mailer">;

interface Setup {
  viewer: Viewer;
  request: FastifyRequest;
  reply: FastifyReply;
  next: string;
  /** A change may give the session another token. It is sent after the change has succeeded. */
  cookie: SessionCookie;
}

const forSetup = {
  path: SECOND_STEP_SETUP_PATH,
  organization: "active",
  session: "required",
  isForSecondStepSetup: true,
} as const;

/**
 * The page on which people set up a second step that the organization requires. It works without script, but
 * for passkeys. People who need none are sent on.
 */
export function secondStepSetupPages(services: SetupServices): PageRoute[] {
  const on = (serve: (setup: Setup) => Promise<FastifyReply>) => (visit: Visit<"active", "required">) => {
    const { request, reply, cookie } = visit;
    const next = nextPage(visit.query.next);
    if (!visit.viewer.mustSetUpSecondStep) return reply.redirect(next, 303);
    const renewSession = (token: string) => cookie.renew(token);
    const viewer = { ...visit.viewer, address: request.ip, renewSession };
    return serve({ viewer, request, reply, next, cookie });
  };
  return [
    page(
      { method: "GET", ...forSetup },
      on((setup) => sendChoice(setup)),
    ),
    page(
      { method: "POST", origin: "own page", ...forSetup },
      on((setup) =>
        fieldOf(setup, "action") === "confirm" ? confirm(services, setup) : start(services, setup),
      ),
    ),
  ];
}

async function sendChoice({ viewer, reply, next }: Setup, problem?: ApiError<never>): Promise<FastifyReply> {
  const { name } = viewer.state.get(organization);
  const needsPassword = !(await isProofRecent(viewer));
  const choice = choicePage(name, next, { needsPassword, ...(problem && { problem: problemText(problem) }) });
  return sendPage(reply, problem?.declaration.status ?? 200, choice);
}

async function start(services: SetupServices, setup: Setup): Promise<FastifyReply> {
  const { viewer, request, reply } = setup;
  const password = fieldOf(setup, "password");
  try {
    const shown = { password: password === "" ? undefined : password };
    const proven = await checkFreshProof(services.keyring, viewer, { ...shown, address: request.ip });
    return sendPage(reply, 200, appPage(await beginTotp(services, proven)));
  } catch (error) {
    if (!isApiError(error)) throw error;
    return sendChoice(setup, error);
  }
}

async function confirm(services: SetupServices, setup: Setup): Promise<FastifyReply> {
  const { viewer, request, reply, next, cookie } = setup;
  try {
    const proven = await checkFreshProof(services.keyring, viewer, { address: request.ip });
    const given = { code: fieldOf(setup, "code"), address: request.ip };
    const codes = await finishTotp(services, proven, given);
    for (const each of cookie.changes) reply.header("Set-Cookie", each);
    return sendPage(reply, 200, codesPage(codes, next));
  } catch (error) {
    if (!isApiError(error)) throw error;
    const started = await findStartedTotp(services, viewer);
    if (!started || !(await isProofRecent(viewer))) return sendChoice(setup, error);
    return sendPage(reply, error.declaration.status, appPage(started, problemText(error)));
  }
}

function fieldOf({ request }: Setup, name: string): string {
  const given = (request.body as Fields | null | undefined)?.[name];
  return typeof given === "string" || Array.isArray(given) ? lastText(given).slice(0, MAX_TEXT) : "";
}
