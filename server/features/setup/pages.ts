import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../../api/errors.ts";
import { emptyForm, type FilledForm, isComplete, readForm } from "../../platform/http/form-fields.ts";
import { Hosts } from "../../platform/http/host.ts";
import { type Html, html, type Page, sendPage } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";
import { defaultRateLimits, RateLimiter } from "../../platform/http/rate-limit.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { organization } from "../organization/organization.ts";
import { startPageSession } from "../sessions/page-session.ts";
import { WebClient } from "../web-client/pages.ts";
import { createOrganization } from "./create-organization.ts";
import { type FieldName, fieldNames, parsers, toOrganization } from "./form.ts";
import { formPage } from "./form-page.ts";
import { claimInvitation, INVITATION_HOURS, InvitationEnded, isInvitation } from "./invitations.ts";

/** The server's own pages: the start page, the form behind a one-time link, and the page after it. */
export function registerPages(
  pages: FastifyInstance,
  services: Services,
  client: WebClient = new WebClient(),
): void {
  const hosts = new Hosts(services.config.publicUrl);
  const limiter = services.config.hasRateLimits ? new RateLimiter(defaultRateLimits) : undefined;
  pages.get("/", async (request, reply) => {
    const state = await services.organizations.byHost(hosts.read(request.headers.host).name);
    if (!state) return sendPage(reply, 200, emptyStartPage);
    if (!state.get(organization).isActive) return sendPage(reply, 200, deactivatedPage(state));
    return client.send(request, reply);
  });
  client.register(pages);
  pages.get("/new/done", async (request, reply) => {
    const { name, baseUrl } = hosts.read(request.headers.host);
    const state = await services.organizations.byHost(name);
    if (!state?.get(organization).isActive) return reply.redirect("/", 303);
    const page = donePage(state.get(organization).name, services.config.publicUrl ?? baseUrl);
    return sendPage(reply, 200, page);
  });
  pages.get<Invited>("/new/:token", async (request, reply) => {
    const page = await admit(services, limiter, request);
    return send(reply, page ?? { status: 200, page: formPage(emptyForm(fieldNames)) });
  });
  pages.post<Invited>("/new/:token", async (request, reply) => {
    const page = await admit(services, limiter, request);
    if (page) return send(reply, page);
    const address = services.config.publicUrl ?? hosts.read(request.headers.host).baseUrl;
    // The organization gets its host name from the request, so a request without one is refused.
    if (address === "") return send(reply, ended);
    const form = readForm(request.body, parsers);
    const created = await create(services, request.params.token, form, new URL(address).hostname);
    if ("page" in created) return send(reply, created);
    const { origin } = hosts.read(request.headers.host);
    const signedIn = { user: created.owner.user, passwordHash: created.passwordHash };
    const isIn = await startPageSession(services, created.state, signedIn, { request, reply, origin });
    // A reload of the next page must not send the form again. Its text is general, since anybody may open it.
    return reply.header("Referrer-Policy", "strict-origin").redirect(isIn ? "/" : "/new/done", 303);
  });
}

type Invited = { Params: { token: string } };
type Outcome = { status: number; page: Page };

/** Counts the request against the rate limit. Returns the page to send in place of the form, if any. */
async function admit(
  services: Services,
  limiter: RateLimiter | undefined,
  { ip, params }: FastifyRequest<Invited>,
): Promise<Outcome | undefined> {
  if (limiter && limiter.countAddress(ip).remaining < 0) {
    return tooManyRequests;
  }
  return (await isInvitation(services, params.token)) ? undefined : ended;
}

/** Creates the organization, or returns the page to send if that is refused. */
async function create(
  services: Services,
  token: string,
  form: FilledForm<FieldName>,
  host: string,
): Promise<Outcome | Awaited<ReturnType<typeof createOrganization>>> {
  if (!isComplete(form)) return { status: 400, page: formPage(form) };
  try {
    return await createOrganization(services, toOrganization(form, host), claimInvitation(services, token));
  } catch (error) {
    if (error instanceof InvitationEnded) return ended;
    if (error instanceof ApiError) return { status: 400, page: formPage(form, error.message) };
    throw error;
  }
}

/** The address contains the token, so the browser must not send it to linked pages as the referrer. */
function send(reply: FastifyReply, { status, page }: Outcome): FastifyReply {
  return sendPage(reply.header("Referrer-Policy", "strict-origin"), status, page);
}

const ended: Outcome = {
  status: 404,
  page: {
    title: "This link does not work · Parley",
    style,
    body: html`<main>
<h1>This link does not work</h1>
<p>It has been used, is more than ${INVITATION_HOURS} hours old, or was not copied completely.</p>
<ul>
<li>If you have not created an organization yet, restart the server. It then prints a new link.</li>
<li>If you have, the <a href="/">start page</a> shows how to go on.</li>
</ul>
</main>`,
  },
};

const tooManyRequests: Outcome = {
  status: 429,
  page: {
    title: "Too many requests · Parley",
    style,
    body: html`<main>
<h1>Too many requests</h1>
<p>Wait a minute, then try again.</p>
</main>`,
  },
};

const emptyStartPage: Page = {
  title: "Parley",
  style,
  body: html`<main>
<h1>Parley</h1>
<p>This is a Parley server: team chat in channels, where every message has a topic.</p>
<p>There is no organization under this address. When a server without any organization starts, it prints a link that
creates one. Restart the server to get a new link.</p>
<p>See the <a href="/api">API</a> for what clients and bots can do.</p>
</main>`,
};

function deactivatedPage(state: OrganizationState): Page {
  const { name } = state.get(organization);
  return {
    title: `${name} · Parley`,
    style,
    body: html`<main>
<h1>${name}</h1>
<p>This organization has been deactivated. Nobody can sign in, and nothing is deleted.</p>
<p>Who runs the server can reactivate it.</p>
</main>`,
  };
}

/** The page after the form. It shows nothing of what was entered, so it needs no session. */
function donePage(name: string, address: string): Page {
  return {
    title: `${name} is ready · Parley`,
    style,
    body: html`<main>
<h1>${name} is ready</h1>
<p>The account that you entered is its owner. Clients sign in with its email address and password. Bots and scripts need
its API key, which this command prints:</p>
<pre>npx parley api-key EMAIL</pre>
<p>To add a person:</p>
<pre>npx parley user create EMAIL NAME</pre>
<p>Run these commands on the server, in Parley's folder and with the server's settings.</p>
<p>People open <a href="/">the web client</a>. There are two more ways:</p>
${ways(address)}
</main>`,
  };
}

function ways(address: string): Html {
  return html`<h2>In a terminal</h2>
<p>On the server, in Parley's folder:</p>
<pre>npx parley tail --as EMAIL
npx parley send --as EMAIL general hello "Hello, everyone!"</pre>
<h2>With a client or a bot</h2>
<p>Connect it to this address:</p>
<pre>${address}</pre>
<p>Bots written with zulip-js 2.1.0 run unchanged. The <a href="/api">API</a> page has the quick start.</p>`;
}
