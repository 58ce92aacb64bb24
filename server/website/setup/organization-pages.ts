/** The pages by which organizations are created: the first one by a printed link, others by a mailed one. */
import type { FastifyReply } from "fastify";
import { errors } from "../../../api/errors.ts";
import { startPageSession } from "../../accounts/sessions/page-session.ts";
import { channels } from "../../channels/channel.ts";
import { organization } from "../../organization/organization.ts";
import { page, type Visit } from "../../people/viewer/page.ts";
import type { PasswordTurn } from "../../platform/crypto/passwords.ts";
import { isApiError } from "../../platform/http/answer.ts";
import { problemText } from "../../platform/http/error-texts.ts";
import { emptyForm, type FilledForm, isComplete } from "../../platform/http/form-fields.ts";
import { type PageResponse, sendPage } from "../../platform/http/page.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import { turnOfNetwork } from "../../platform/http/password-turn.ts";
import { defaultRateLimits, RateLimiter } from "../../platform/http/rate-limit.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { askPages } from "./ask-pages.ts";
import { createOrganization, FIRST_CHANNEL } from "./create-organization.ts";
import { type FieldName, fieldNames, type Invitee, readOrganizationForm, toOrganization } from "./form.ts";
import { formPage } from "./form-page.ts";
import { hostOfSubdomain, isOpenToAnyone } from "./further-organizations.ts";
import { claimInvitation, InvitationEnded, lookUpInvitation, wasMailed } from "./invitations.ts";
import { donePage, ended, readyPage, tooManyRequests } from "./message-pages.ts";

type Invited = Visit<"none", "none", "/new/:token">;

type SetupServices = Pick<Services, "config" | "database" | "keyring" | "mailer" | "organizations">;

/** Under the host of the first organization there is none yet. */
const byLink = {
  path: "/new/:token",
  organization: "none",
  session: "none",
  // The address contains the token, so the browser must not send it to linked pages as the referrer.
  referrer: "strict-origin",
} as const;

export function organizationPages(services: SetupServices): PageRoute[] {
  const { config } = services;
  const limiter = config.hasRateLimits ? new RateLimiter(defaultRateLimits) : undefined;
  return [
    ...askPages(services, limiter),
    page(
      { method: "GET", path: "/new/done", organization: "active", session: "none" },
      ({ reply, state, host }) =>
        sendPage(reply, 200, donePage(state.get(organization).name, config.publicUrl ?? host.baseUrl)),
    ),
    page(
      { method: "GET", path: "/new/ready/:subdomain", organization: "none", session: "none" },
      ({ reply, params }) => showReady(services, reply, params.subdomain),
    ),
    page({ method: "GET", ...byLink }, async (visit) => {
      const { reply } = visit;
      const found = await lookUpLink(services, limiter, visit);
      if (await isMade(services, found, visit)) return reply.redirect("/", 303);
      if ("page" in found) return send(reply, found);
      const form = emptyForm(fieldNames);
      form.values.email = found.email ?? "";
      return send(reply, { status: 200, page: formPage(form, placeOf(services, found)) });
    }),
    page({ method: "POST", origin: "secret address", signsIn: true, ...byLink }, async (visit) =>
      take(services, visit, await lookUpLink(services, limiter, visit)),
    ),
  ];
}

/** The organization is under another host than the page. */
async function showReady(
  { config: { publicUrl }, organizations }: Pick<Services, "config" | "organizations">,
  reply: FastifyReply,
  subdomain: string,
): Promise<FastifyReply> {
  const host = publicUrl && hostOfSubdomain(publicUrl, subdomain);
  const state = host ? await organizations.byHost(host) : undefined;
  if (!host || !state?.get(organization).isActive) return reply.redirect("/", 303);
  const site = new URL(publicUrl);
  site.hostname = host;
  return sendPage(reply, 200, readyPage(state.get(organization).name, site.origin));
}

async function take(
  services: SetupServices,
  visit: Invited,
  found: PageResponse | Invitee,
): Promise<FastifyReply> {
  const { request, reply, params } = visit;
  if (await isMade(services, found, visit)) return reply.redirect("/", 303);
  if ("page" in found) return send(reply, found);
  const address = services.config.publicUrl ?? visit.host.baseUrl;
  // The organization gets its host name from the request, so a request without one is refused.
  if (address === "") return send(reply, ended);
  const form = readOrganizationForm(request.body, found);
  const isFurther = found.email !== null;
  const turn = turnOfNetwork(request.ip);
  const { subdomain } = form.values;
  const host = isFurther ? hostOfSubdomain(address, subdomain) : new URL(address).hostname;
  const created = await create(services, params.token, { form, host, invitee: found, turn });
  if (await isMade(services, created, visit)) return reply.redirect("/", 303);
  if ("page" in created) return send(reply, created);
  // Its address is another one, so a session would be of no use here.
  if (isFurther) return reply.redirect(`/new/ready/${subdomain.trim().toLowerCase()}`, 303);
  const signedIn = { user: created.owner.user, passwordHash: created.passwordHash };
  const isIn = await startPageSession(services, visit, created.state, signedIn);
  return reply.redirect(isIn ? firstPlace(created.state) : "/new/done", 303);
}

/**
 * Counts the request against the rate limit, and checks its link. Gives the page to send in place of the
 * form, or whom the link was mailed to. A mailed link ends when the installation is closed.
 */
async function lookUpLink(
  services: Pick<Services, "config" | "database" | "keyring" | "organizations">,
  limiter: RateLimiter | undefined,
  { request: { ip }, params }: Invited,
): Promise<PageResponse | Invitee> {
  if (limiter && limiter.countAddress(ip).remaining < 0) return tooManyRequests;
  const invitation = await lookUpInvitation(services, params.token);
  if (!invitation) return ended;
  return invitation.email === null || (await isOpenToAnyone(services)) ? invitation : ended;
}

/**
 * Whether the link has ended because the organization is there: a reload or a second click gets the client
 * instead of an error. Links for further organizations say that they have ended.
 */
async function isMade(
  services: Pick<Services, "database" | "keyring" | "organizations">,
  outcome: unknown,
  { params, host }: Invited,
): Promise<boolean> {
  if (outcome !== ended || (await wasMailed(services, params.token))) return false;
  // Another request may have made it since this one came.
  return (await services.organizations.byHost(host.name)) !== undefined;
}

/** The channel with the first topic, in the web client. */
function firstPlace(state: OrganizationState): string {
  const channel = state.get(channels).findByName(FIRST_CHANNEL);
  return channel ? `/#narrow/channel/${channel.id}-${FIRST_CHANNEL}` : "/";
}

function placeOf({ config: { publicUrl } }: Pick<Services, "config">, { email }: Invitee) {
  return { parentHost: email === null || !publicUrl ? undefined : new URL(publicUrl).hostname };
}

interface Submitted {
  form: FilledForm<FieldName>;
  host: string;
  invitee: Invitee;
  turn: PasswordTurn;
}

/** Creates the organization, or returns the page to send if that is refused. */
async function create(
  services: Pick<Services, "config" | "database" | "keyring" | "organizations">,
  token: string,
  { form, host, invitee, turn }: Submitted,
): Promise<PageResponse | Awaited<ReturnType<typeof createOrganization>>> {
  const place = placeOf(services, invitee);
  if (!isComplete(form)) return { status: 400, page: formPage(form, place) };
  try {
    const asked = { ...toOrganization(form, host), turn };
    return await createOrganization(services, asked, claimInvitation(services, token));
  } catch (error) {
    if (error instanceof InvitationEnded) return ended;
    if (!isApiError(error)) throw error;
    if (invitee.email === null || error.declaration.name !== errors.hostTaken.name)
      return { status: 400, page: formPage(form, place, problemText(error)) };
    form.problems.subdomain = problemText(error);
    return { status: 400, page: formPage(form, place) };
  }
}

function send(reply: FastifyReply, { status, page: shown }: PageResponse): FastifyReply {
  return sendPage(reply, status, shown);
}
