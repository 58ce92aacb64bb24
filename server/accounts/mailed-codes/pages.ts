import type { FastifyReply } from "fastify";
import { organization } from "../../organization/organization.ts";
import { ownSiteOf } from "../../organization/site.ts";
import { page, type Visit } from "../../people/viewer/page.ts";
import { isApiError } from "../../platform/http/answer.ts";
import { clientName } from "../../platform/http/client-name.ts";
import { problemText } from "../../platform/http/error-texts.ts";
import { emptyForm, isComplete, readForm } from "../../platform/http/form-fields.ts";
import { sentPage } from "../../platform/http/message-page.ts";
import { type PageOrRedirect, type PageText, sendPageOrRedirect } from "../../platform/http/page.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { confirmEmail } from "../own-login/own-login.ts";
import { requestReset, resetPassword } from "../password-reset/reset-password.ts";
import { startPageSession } from "../sessions/page-session.ts";
import { countWrongCode } from "../sign-in/code-limits.ts";
import { countMailFrom } from "../sign-in/mail-limits.ts";
import { isOpen, requestSignUp, signUp } from "../sign-up/sign-up.ts";
import { CodeEnded, lookUpCode } from "./codes.ts";
import {
  closedPage,
  emailSetPage,
  endedPage,
  type FieldName,
  type Form,
  noMailPage,
  passwordSetPage,
  type Step,
  stepPage,
  steps,
} from "./form-pages.ts";
import type { MailedCode, Purpose } from "./store.ts";

type Arrived<P extends string = ""> = Visit<"active", "none", P>;

const noFields: readonly FieldName[] = ["email", "full_name", "password"];

/** The pages by which people get another password, confirm an address, and join without an invitation. */
export function mailedCodePages(services: Services): PageRoute[] {
  return [
    ...readAndSent("/reset", {
      read: async ({ state }) =>
        services.mailer.canSend ? show(state, steps.askForReset) : { status: 200, page: noMailPage },
      send: (visit) => takeResetRequest(services, visit),
    }),
    ...readAndSent("/reset/:code", {
      async read(visit) {
        await known(services, visit, ["password"]);
        return show(visit.state, steps.reset);
      },
      send: (visit) => takePassword(services, visit),
    }),
    ...readAndSent("/join", {
      read: async ({ state }) =>
        isOpen(services, state) ? show(state, steps.askToJoin) : { status: 403, page: closedPage },
      send: (visit) => takeSignUpRequest(services, visit),
    }),
    ...readAndSent("/verify/:code", {
      async read(visit) {
        const code = await known(services, visit, ["email", "sign-up"]);
        return show(visit.state, stepOf(code), code.email);
      },
      signsIn: true,
      send: (visit) => takeConfirmation(services, visit),
    }),
  ];
}

/** A page with a form, and the same page when the form is sent. Neither may be cached. */
function readAndSent<const P extends string>(
  path: P,
  work: Record<"read" | "send", (visit: Arrived<P>) => Promise<PageOrRedirect>> & { signsIn?: true },
): PageRoute[] {
  // The address may have a secret. Browsers leave the origin out of forms if even that must not be named.
  const declared = { path, organization: "active", session: "none", referrer: "strict-origin" } as const;
  return [
    page({ method: "GET", ...declared }, (visit) => answer(visit.reply, work.read(visit))),
    page(
      { method: "POST", origin: "own page", ...(work.signsIn && { signsIn: true }), ...declared },
      (visit) => answer(visit.reply, work.send(visit)),
    ),
  ];
}

async function answer(reply: FastifyReply, work: Promise<PageOrRedirect>): Promise<FastifyReply> {
  return sendPageOrRedirect(reply, await orEnded(work));
}

async function known(
  services: Pick<Services, "keyring">,
  { state, request, params }: Arrived<"/:code">,
  purposes: readonly Purpose[],
) {
  const code = await lookUpCode(services, state, params.code);
  if (code && purposes.includes(code.purpose)) return { ...code, text: params.code };
  await countWrongCode(state, request.ip);
  throw new CodeEnded();
}

async function takeResetRequest(
  services: Pick<Services, "config" | "mailer" | "organizations">,
  visit: Arrived,
): Promise<PageOrRedirect> {
  const { state, request } = visit;
  if (!services.mailer.canSend) return { status: 200, page: noMailPage };
  return submit(visit, steps.askForReset, async ({ values: { email } }) => {
    await countMailFrom(state, request.ip);
    await requestReset(state, email, await ownSiteOf(services, state));
    return { status: 200, page: sentPage };
  });
}

async function takePassword(
  services: Pick<Services, "config" | "keyring" | "mailer">,
  visit: Arrived<"/:code">,
): Promise<PageOrRedirect> {
  const { text } = await known(services, visit, ["password"]);
  return submit(visit, steps.reset, async ({ values: { password } }) => {
    await resetPassword(services, visit.state, text, password);
    return { status: 200, page: passwordSetPage };
  });
}

async function takeSignUpRequest(
  services: Pick<Services, "config" | "mailer" | "organizations">,
  visit: Arrived,
): Promise<PageOrRedirect> {
  const { state, request } = visit;
  if (!isOpen(services, state)) return { status: 403, page: closedPage };
  return submit(visit, steps.askToJoin, async ({ values: { email } }) => {
    await countMailFrom(state, request.ip);
    await requestSignUp(state, email, await ownSiteOf(services, state));
    return { status: 200, page: sentPage };
  });
}

async function takeConfirmation(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
  visit: Arrived<"/:code">,
): Promise<PageOrRedirect> {
  const { state, request } = visit;
  const code = await known(services, visit, ["email", "sign-up"]);
  const work = async ({ values: { full_name: fullName, password } }: Form): Promise<PageOrRedirect> => {
    if (code.purpose === "email") {
      const client = clientName(request.headers["user-agent"]);
      await confirmEmail(services, state, code.text, { address: request.ip, client });
      return { status: 200, page: emailSetPage };
    }
    const signedIn = await signUp(services, state, code.text, { fullName, password, address: request.ip });
    await startPageSession(services, visit, state, signedIn);
    return { location: "/" };
  };
  return submit(visit, stepOf(code), work, code.email);
}

function stepOf({ purpose }: MailedCode): Step {
  return purpose === "email" ? steps.confirmEmail : steps.join;
}

function show(state: OrganizationState, step: Step, email?: string): PageOrRedirect {
  return { status: 200, page: stepPage(state.get(organization).name, step, emptyForm(noFields), { email }) };
}

/** Reads the form and does the work, or shows the form again with what is wrong. */
async function submit(
  { state, request }: Arrived,
  step: Step,
  work: (form: Form) => Promise<PageOrRedirect>,
  email?: string,
): Promise<PageOrRedirect> {
  const form = readForm(request.body, step.parsers);
  const again = (status: number, problem?: PageText): PageOrRedirect => ({
    status,
    page: stepPage(state.get(organization).name, step, form, { email, problem }),
  });
  if (!isComplete(form)) return again(400);
  try {
    return await work(form);
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { declaration } = error;
    if (declaration.status === 401) throw new CodeEnded();
    return again(declaration.status, problemText(error));
  }
}

/** Whatever is wrong with a link, its page is the same. */
async function orEnded(outcome: Promise<PageOrRedirect>): Promise<PageOrRedirect> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof CodeEnded) return { status: 404, page: endedPage };
    throw error;
  }
}
