import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { organization } from "../../organization/organization.ts";
import { siteOf } from "../../organization/site.ts";
import { isApiError } from "../../platform/http/answer.ts";
import { clientName } from "../../platform/http/client-name.ts";
import { emptyForm, isComplete, readForm } from "../../platform/http/form-fields.ts";
import { type Host, Hosts } from "../../platform/http/host.ts";
import { sentPage } from "../../platform/http/message-page.ts";
import { isFromOwnPage } from "../../platform/http/own-page.ts";
import { type Page, sendPage } from "../../platform/http/page.ts";
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

type Coded = { Params: { code: string } };
type Outcome = { status: number; page: Page } | { location: string };

interface Visit {
  state: OrganizationState;
  host: Host;
  request: FastifyRequest;
  reply: FastifyReply;
}

const noFields: readonly FieldName[] = ["email", "full_name", "password"];

/** The pages by which people get another password, confirm an address, and join without an invitation. */
export function registerConfirmationPages(pages: FastifyInstance, services: Services): void {
  const hosts = new Hosts(services.config.publicUrl);
  /** Registers a page that is read, and its form. Neither may be cached or named to other sites. */
  const add = (
    url: string,
    read: (visit: Visit) => Promise<Outcome>,
    send: (visit: Visit) => Promise<Outcome>,
  ) => {
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const host = hosts.read(request.headers.host);
      const state = await services.organizations.byHost(host.name);
      if (!state?.get(organization).isActive) return reply.redirect("/", 303);
      const isForm = request.method === "POST";
      if (isForm && !isFromOwnPage(request.headers, host.origin)) throw new ApiError(errors.foreignOrigin);
      // The address has a secret. Browsers leave the origin out of forms if even that must not be named.
      reply.header("Referrer-Policy", "strict-origin");
      const outcome = await orEnded((isForm ? send : read)({ state, host, request, reply }));
      if ("location" in outcome) return reply.redirect(outcome.location, 303);
      return sendPage(reply, outcome.status, outcome.page);
    };
    pages.get(url, answer);
    pages.post(url, answer);
  };
  const known = async ({ state, request }: Visit, purposes: readonly Purpose[]) => {
    const { code: text } = request.params as Coded["Params"];
    const code = await lookUpCode(services, state, text);
    if (code && purposes.includes(code.purpose)) return { ...code, text };
    await countWrongCode(state, request.ip);
    throw new CodeEnded();
  };

  const { canSend } = services.mailer;
  add(
    "/reset",
    async ({ state }) => (canSend ? show(state, steps.askForReset) : { status: 200, page: noMailPage }),
    async (visit) => {
      if (!canSend) return { status: 200, page: noMailPage };
      return submit(visit, steps.askForReset, async ({ values: { email } }) => {
        await countMailFrom(visit.state, visit.request.ip);
        await requestReset(visit.state, email, await siteOf(services, visit.state, visit.host.baseUrl));
        return { status: 200, page: sentPage };
      });
    },
  );
  add(
    "/reset/:code",
    async (visit) => {
      await known(visit, ["password"]);
      return show(visit.state, steps.reset);
    },
    async (visit) => {
      const { text } = await known(visit, ["password"]);
      return submit(visit, steps.reset, async ({ values: { password } }) => {
        await resetPassword(services, visit.state, text, password);
        return { status: 200, page: passwordSetPage };
      });
    },
  );
  add(
    "/join",
    async ({ state }) =>
      isOpen(services, state) ? show(state, steps.askToJoin) : { status: 403, page: closedPage },
    async (visit) => {
      if (!isOpen(services, visit.state)) return { status: 403, page: closedPage };
      return submit(visit, steps.askToJoin, async ({ values: { email } }) => {
        await countMailFrom(visit.state, visit.request.ip);
        await requestSignUp(visit.state, email, await siteOf(services, visit.state, visit.host.baseUrl));
        return { status: 200, page: sentPage };
      });
    },
  );
  add(
    "/verify/:code",
    async (visit) => {
      const code = await known(visit, ["email", "sign-up"]);
      return show(visit.state, stepOf(code), code.email);
    },
    async (visit) => {
      const { state, request } = visit;
      const code = await known(visit, ["email", "sign-up"]);
      const work = async ({ values: { full_name: fullName, password } }: Form): Promise<Outcome> => {
        if (code.purpose === "email") {
          const client = clientName(request.headers["user-agent"]);
          await confirmEmail(services, state, code.text, { address: request.ip, client });
          return { status: 200, page: emailSetPage };
        }
        const signedIn = await signUp(services, state, code.text, { fullName, password });
        const { reply, host } = visit;
        await startPageSession(services, state, signedIn, { request, reply, origin: host.origin });
        return { location: "/" };
      };
      return submit(visit, stepOf(code), work, code.email);
    },
  );
}

function stepOf({ purpose }: MailedCode): Step {
  return purpose === "email" ? steps.confirmEmail : steps.join;
}

function show(state: OrganizationState, step: Step, email?: string): Outcome {
  return { status: 200, page: stepPage(state.get(organization).name, step, emptyForm(noFields), { email }) };
}

/** Reads the form and does the work, or shows the form again with what is wrong. */
async function submit(
  { state, request }: Visit,
  step: Step,
  work: (form: Form) => Promise<Outcome>,
  email?: string,
): Promise<Outcome> {
  const form = readForm(request.body, step.parsers);
  const again = (status: number, problem?: string): Outcome => ({
    status,
    page: stepPage(state.get(organization).name, step, form, { email, problem }),
  });
  if (!isComplete(form)) return again(400);
  try {
    return await work(form);
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { declaration, message } = error;
    if (declaration.status === 401) throw new CodeEnded();
    return again(declaration.status, message);
  }
}

/** Whatever is wrong with a link, its page is the same. */
async function orEnded(outcome: Promise<Outcome>): Promise<Outcome> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof CodeEnded) return { status: 404, page: endedPage };
    throw error;
  }
}
