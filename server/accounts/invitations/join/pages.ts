import type { FastifyReply } from "fastify";
import { ApiError, errors } from "../../../../api/errors.ts";
import { organization } from "../../../organization/organization.ts";
import { ownSiteOf, siteOf } from "../../../organization/site.ts";
import { page, type Visit } from "../../../people/viewer/page.ts";
import { commonText } from "../../../platform/http/common-texts.ts";
import { problemText } from "../../../platform/http/error-texts.ts";
import { emptyForm, isComplete, readForm } from "../../../platform/http/form-fields.ts";
import { messagePage } from "../../../platform/http/message-page.ts";
import {
  type Html,
  html,
  type Page,
  type PageOrRedirect,
  type PageText,
  sendPage,
  sendPageOrRedirect,
} from "../../../platform/http/page.ts";
import type { PageRoute } from "../../../platform/http/page-routes.ts";
import { turnOfNetwork } from "../../../platform/http/password-turn.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import type { Services } from "../../../services.ts";
import { organizationHead } from "../../sessions/organization-head.ts";
import { startPageSession } from "../../sessions/page-session.ts";
import { providerLinks } from "../../sessions/provider-links.ts";
import type { SignedIn } from "../../sessions/start.ts";
import { countWrongCode } from "../../sign-in/code-limits.ts";
import type { Invitation } from "../invitation.ts";
import { mailConfirmation } from "./confirm.ts";
import { type JoinForm, type JoinStep, joinPage, parsersOf } from "./form-page.ts";
import { joinBy } from "./redeem.ts";
import { text } from "./texts.ts";
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
    return { status: error.declaration.status, page: pageOf(invited, form, problemText(error)) };
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
  problem?: PageText,
): Page {
  const values = email === null ? form.values : { ...form.values, email };
  const shown = { name: state.get(organization).name, head: organizationHead(state), providerLinks };
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

const startLink = html`<a href="/">${text("ended.start")}</a>`;

const endedPage = messagePage(
  text("ended.heading"),
  html`<p>${text("ended.text")}</p>
<ul>
<li>${text("ended.joined", { link: startLink })}</li>
<li>${text("ended.ask")}</li>
</ul>`,
);

function donePage(organizationName: string, site: string): Page {
  return messagePage(
    text("done.heading", { organization: organizationName }),
    html`<p>${text("done.text")}</p>
<pre>${site}</pre>
<p>${text("done.start", { link: startLink })}</p>`,
  );
}

function sentPage(organizationName: string): Page {
  const sent = text("sent.text", { organization: organizationName });
  return messagePage(commonText("sent.heading"), html`<p>${sent}</p>`);
}
