import type { FastifyReply } from "fastify";
import { ApiError, errors } from "../../../../api/errors.ts";
import { organization } from "../../../organization/organization.ts";
import { ownSiteOf, siteOf } from "../../../organization/site.ts";
import { page, type Visit } from "../../../people/viewer/page.ts";
import { emptyForm, isComplete, readForm } from "../../../platform/http/form-fields.ts";
import {
  type Html,
  html,
  type Page,
  type PageOrRedirect,
  sendPage,
  sendPageOrRedirect,
} from "../../../platform/http/page.ts";
import type { PageRoute } from "../../../platform/http/page-routes.ts";
import { style } from "../../../platform/http/page-style.ts";
import { turnOfNetwork } from "../../../platform/http/password-turn.ts";
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
export function joinPages(services: Services): PageRoute[] {
  const visit = async ({ state, params, request }: Visit<"active", "none", typeof BY_CODE>) => {
    const invitation = await findUsable(services, state, params.code);
    if (!invitation) {
      await countWrongCode(state, request.ip);
      throw new InvitationEnded();
    }
    const links = providerLinks(services.config, state, { join: params.code });
    return { state, invitation, step: stepOf(services, invitation), providerLinks: links };
  };
  const afterwards = (path: string, shown: (name: string, site: string) => Page) =>
    page(
      { method: "GET", path, organization: "active", session: "none" },
      async ({ reply, state, host: { baseUrl } }) =>
        sendPage(reply, 200, shown(state.get(organization).name, await siteOf(services, state, baseUrl))),
    );
  return [
    afterwards("/join/done", donePage),
    afterwards("/join/sent", sentPage),
    page({ method: "GET", ...ofInvitation }, (arrived) =>
      answer(arrived.reply, async () => {
        const form = emptyForm(["email", "full_name", "password"]);
        return { status: 200, page: pageOf(await visit(arrived), form) };
      }),
    ),
    page({ method: "POST", origin: "secret address", signsIn: true, ...ofInvitation }, (arrived) =>
      answer(arrived.reply, async () => take(services, arrived, await visit(arrived))),
    ),
  ];
}

const BY_CODE = "/join/:code";

const ofInvitation = {
  path: BY_CODE,
  organization: "active",
  session: "none",
  // The address has the code, so the browser must not send it to linked pages as the referrer. Its origin
  // alone stays, since browsers leave it out of forms otherwise.
  referrer: "strict-origin",
  instead: sendEnded,
} as const;

/** An invitation that can be used. */
interface Invited {
  state: OrganizationState;
  invitation: Invitation;
  step: JoinStep;
  /** By which the person can join without a password. */
  providerLinks: Html;
}

async function take(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
  arrived: Visit<"active", "none", typeof BY_CODE>,
  invited: Invited,
): Promise<PageOrRedirect> {
  const form = readForm(arrived.request.body, parsersOf[invited.step]);
  if (!isComplete(form)) return { status: 400, page: pageOf(invited, form) };
  const from = { code: arrived.params.code, address: arrived.request.ip };
  try {
    const { location, signedIn } = await submit(services, invited, from, form);
    const isIn = signedIn && (await startPageSession(services, arrived, invited.state, signedIn));
    return { location: isIn ? "/" : location };
  } catch (error) {
    if (!(error instanceof ApiError) || isEnd(error)) throw error;
    const { message, declaration } = error;
    return { status: declaration.status, page: pageOf(invited, form, message) };
  }
}

function stepOf({ mailer }: Pick<Services, "mailer">, { email }: Invitation): JoinStep {
  if (email !== null) return "invited address";
  return mailer.canSend ? "confirm address" : "all";
}

/**
 * Returns the address of the page that follows, so that a reload does not send the form again, and who has
 * joined.
 */
async function submit(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
  { state, step }: Invited,
  { code, address }: { code: string; address: string },
  { values }: JoinForm,
): Promise<{ location: string; signedIn?: SignedIn }> {
  const { email, full_name: fullName, password } = values;
  if (step === "confirm address") {
    const site = await ownSiteOf(services, state);
    await mailConfirmation(services, state, { code, email, site, address });
    return { location: "/join/sent" };
  }
  const chosen = { text: password, turn: turnOfNetwork(address) };
  const signedIn = await joinBy(services, state, code, { email, fullName, password: chosen });
  return { location: "/join/done", signedIn };
}

function pageOf(
  { state, invitation: { email }, step, providerLinks }: Invited,
  form: JoinForm,
  problem?: string,
): Page {
  const values = email === null ? form.values : { ...form.values, email };
  const shown = { name: state.get(organization).name, providerLinks };
  return joinPage(shown, step, { ...form, values }, problem);
}

/** Whatever is wrong with a link, its page is the same. */
async function answer(reply: FastifyReply, work: () => Promise<PageOrRedirect>): Promise<FastifyReply> {
  try {
    return sendPageOrRedirect(reply, await work());
  } catch (error) {
    if (error instanceof InvitationEnded || isEnd(error)) return sendEnded(reply);
    throw error;
  }
}

function sendEnded(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, endedPage);
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
