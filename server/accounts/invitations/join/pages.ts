import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../../api/errors.ts";
import { organization } from "../../../organization/organization.ts";
import { siteOf } from "../../../organization/site.ts";
import { emptyForm, isComplete, readForm } from "../../../platform/http/form-fields.ts";
import { Hosts } from "../../../platform/http/host.ts";
import { type Html, html, type Page, sendPage } from "../../../platform/http/page.ts";
import { style } from "../../../platform/http/page-style.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import type { Services } from "../../../services.ts";
import { startPageSession } from "../../sessions/page-session.ts";
import { providerLinks } from "../../sessions/provider-links.ts";
import type { SignedIn } from "../../sessions/start.ts";
import { countWrongCode } from "../../sign-in/code-limits.ts";
import type { Invitation } from "../invitation.ts";
import { mailConfirmation } from "./confirm.ts";
import { type JoinForm, type JoinStep, joinPage, parsersOf } from "./form-page.ts";
import { joinBy } from "./redeem.ts";
import { findUsable, InvitationEnded } from "./usable.ts";

/**
 * The pages behind an invitation's link. The form has no token against forged requests: its own address is
 * the secret. A form that may come from another site makes the account, and signs nobody in.
 */
export function registerJoinPages(pages: FastifyInstance, services: Services): void {
  const hosts = new Hosts(services.config.publicUrl);
  const visit = async ({ headers, params, ip }: FastifyRequest<Coded>): Promise<Visit> => {
    const { name, baseUrl, origin } = hosts.read(headers.host);
    const state = await services.organizations.byHost(name);
    const invitation = state && (await findUsable(services, state, params.code));
    if (state && !invitation) await countWrongCode(state, ip);
    if (!state || !invitation) throw new InvitationEnded();
    const links = providerLinks(services.config, state, { join: params.code });
    return { state, invitation, baseUrl, origin, step: stepOf(services, invitation), providerLinks: links };
  };
  for (const [path, page] of [
    ["/join/done", donePage],
    ["/join/sent", sentPage],
  ] as const) {
    pages.get(path, async (request, reply) => {
      const { name, baseUrl } = hosts.read(request.headers.host);
      const state = await services.organizations.byHost(name);
      if (!state?.get(organization).isActive) return reply.redirect("/", 303);
      return sendPage(reply, 200, page(state.get(organization).name, await siteOf(services, state, baseUrl)));
    });
  }
  pages.get<Coded>("/join/:code", (request, reply) =>
    answer(reply, async () => {
      const visited = await visit(request);
      const form = emptyForm(["email", "full_name", "password"]);
      return { status: 200, page: pageOf(visited, form) };
    }),
  );
  pages.post<Coded>("/join/:code", (request, reply) =>
    answer(reply, async () => {
      const visited = await visit(request);
      const form = readForm(request.body, parsersOf[visited.step]);
      if (!isComplete(form)) return { status: 400, page: pageOf(visited, form) };
      try {
        const { location, signedIn } = await submit(services, visited, request.params.code, form);
        const { state, origin } = visited;
        const isIn =
          signedIn && (await startPageSession(services, state, signedIn, { request, reply, origin }));
        return { location: isIn ? "/" : location };
      } catch (error) {
        if (!(error instanceof ApiError) || isEnd(error)) throw error;
        const { message, declaration } = error;
        return { status: declaration.status, page: pageOf(visited, form, message) };
      }
    }),
  );
}

type Coded = { Params: { code: string } };
type Outcome = { status: number; page: Page } | { location: string };

interface Visit {
  state: OrganizationState;
  invitation: Invitation;
  baseUrl: string;
  origin: string;
  step: JoinStep;
  /** By which the person can join without a password. */
  providerLinks: Html;
}

function stepOf({ mailer }: Services, { email }: Invitation): JoinStep {
  if (email !== null) return "invited address";
  return mailer.canSend ? "confirm address" : "all";
}

/**
 * Returns the address of the page that follows, so that a reload does not send the form again, and who has
 * joined.
 */
async function submit(
  services: Services,
  { state, baseUrl, step }: Visit,
  code: string,
  { values }: JoinForm,
): Promise<{ location: string; signedIn?: SignedIn }> {
  const { email, full_name: fullName, password } = values;
  if (step === "confirm address") {
    const site = await siteOf(services, state, baseUrl);
    await mailConfirmation(services, state, { code, email, site });
    return { location: "/join/sent" };
  }
  const signedIn = await joinBy(services, state, code, { email, fullName, password });
  return { location: "/join/done", signedIn };
}

function pageOf(
  { state, invitation: { email }, step, providerLinks }: Visit,
  form: JoinForm,
  problem?: string,
): Page {
  const values = email === null ? form.values : { ...form.values, email };
  const shown = { name: state.get(organization).name, providerLinks };
  return joinPage(shown, step, { ...form, values }, problem);
}

/** Whatever is wrong with a link, its page is the same. */
async function answer(reply: FastifyReply, work: () => Promise<Outcome>): Promise<FastifyReply> {
  // The address has the code, so the browser must not send it to linked pages as the referrer. Its origin
  // alone stays, since browsers leave it out of forms otherwise.
  reply.header("Referrer-Policy", "strict-origin");
  try {
    const outcome = await work();
    if ("location" in outcome) return reply.redirect(outcome.location, 303);
    return sendPage(reply, outcome.status, outcome.page);
  } catch (error) {
    if (error instanceof InvitationEnded || isEnd(error)) return sendPage(reply, 404, endedPage);
    throw error;
  }
}

/** The inviter or the organization was deactivated just now. */
function isEnd(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    [errors.accountDeactivated.name, errors.organizationDeactivated.name].includes(error.declaration.name)
  );
}

const endedPage: Page = {
  title: "This invitation does not work · Parley",
  style,
  body: html`<main>
<h1>This invitation does not work</h1>
<p>It was used or withdrawn, has expired, or was not copied completely.</p>
<ul>
<li>If you have already joined, the <a href="/">start page</a> shows how to go on.</li>
<li>If you have not, ask the person who invited you for a new invitation.</li>
</ul>
</main>`,
};

function donePage(name: string, site: string): Page {
  return {
    title: `Welcome to ${name} · Parley`,
    style,
    body: html`<main>
<h1>Welcome to ${name}</h1>
<p>Your account is ready. Sign in with your email address and the password that you chose, in a client that is connected
to this address:</p>
<pre>${site}</pre>
<p>The <a href="/">start page</a> shows how to go on.</p>
</main>`,
  };
}

function sentPage(name: string): Page {
  return {
    title: `Look into your mail · Parley`,
    style,
    body: html`<main>
<h1>Look into your mail</h1>
<p>You get a mail with a link by which you join ${name}. If it does not come within some minutes, look into the folder for
unwanted mail, and check the address that you gave.</p>
</main>`,
  };
}
