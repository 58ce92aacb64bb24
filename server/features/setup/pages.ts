import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../../api/errors.ts";
import { Hosts } from "../../platform/http/host.ts";
import { html, type Page, sendPage } from "../../platform/http/page.ts";
import { defaultRateLimits, RateLimiter } from "../../platform/http/rate-limit.ts";
import type { Services } from "../../services.ts";
import { organization } from "../organization/organization.ts";
import { createOrganization } from "./create-organization.ts";
import { emptyForm, type FilledForm, isComplete, readForm, toOrganization } from "./form.ts";
import { formPage } from "./form-page.ts";
import { claimInvitation, InvitationEnded, isInvitation } from "./invitations.ts";
import { style } from "./style.ts";

/** The pages that are there before any client is: what this is, and the form behind the one-time link. */
export function registerPages(pages: FastifyInstance, services: Services): void {
  const hosts = new Hosts(services.config.publicUrl);
  const limiter = services.config.hasRateLimits ? new RateLimiter(defaultRateLimits) : undefined;
  pages.get("/", async (request, reply) => {
    const state = await services.organizations.byHost(hosts.read(request.headers.host).name);
    return sendPage(reply, 200, startPage(state?.get(organization).name));
  });
  pages.get<Invited>("/new/:token", async (request, reply) => {
    const page = await admit(services, limiter, request);
    return send(reply, page ?? { status: 200, page: formPage(emptyForm()) });
  });
  pages.post<Invited>("/new/:token", async (request, reply) => {
    const page = await admit(services, limiter, request);
    if (page) return send(reply, page);
    const address = services.config.publicUrl ?? hosts.read(request.headers.host).baseUrl;
    // A request that names no host can't say where the organization shall be.
    if (address === "") return send(reply, ended);
    const form = readForm(request.body);
    return send(reply, await create(services, request.params.token, form, new URL(address)));
  });
}

type Invited = { Params: { token: string } };
type Outcome = { status: number; page: Page };

/** What to answer those with who may not see the form. */
async function admit(
  services: Services,
  limiter: RateLimiter | undefined,
  { ip, params }: FastifyRequest<Invited>,
): Promise<Outcome | undefined> {
  if (limiter && limiter.countAddress(ip).remaining < 0) {
    return { status: 429, page: notice("Too many requests", "Wait a minute, then try again.") };
  }
  return (await isInvitation(services, params.token)) ? undefined : ended;
}

async function create(
  services: Services,
  token: string,
  form: FilledForm,
  { hostname, origin }: URL,
): Promise<Outcome> {
  if (!isComplete(form)) return { status: 400, page: formPage(form) };
  try {
    const { owner } = await createOrganization(
      services,
      toOrganization(form, hostname),
      claimInvitation(services, token),
    );
    return { status: 200, page: createdPage(owner.state.get(organization).name, owner.user.email, origin) };
  } catch (error) {
    if (error instanceof InvitationEnded) return ended;
    if (error instanceof ApiError) return { status: 400, page: formPage(form, error.message) };
    throw error;
  }
}

/** The address holds the token, so it must not be told to whatever is linked to. */
function send(reply: FastifyReply, { status, page }: Outcome): FastifyReply {
  return sendPage(reply.header("Referrer-Policy", "no-referrer"), status, page);
}

const ended: Outcome = {
  status: 404,
  page: notice(
    "This link does not work",
    "It was used already, is more than a day old, or was not copied whole. Starting the server anew prints another, as long as there is no organization.",
  ),
};

function notice(title: string, text: string): Page {
  return { title: `${title} · Parley`, style, body: html`<main><h1>${title}</h1><p>${text}</p></main>` };
}

function startPage(name: string | undefined): Page {
  return {
    title: name === undefined ? "Parley" : `${name} · Parley`,
    style,
    body: html`<main>
<h1>${name ?? "Parley"}</h1>
${
  name === undefined
    ? html`<p>A Parley server: team chat in channels whose every message has a topic.</p>
<p>There is no organization under this address. If the server has none at all, it printed a link that creates one when it
started.</p>`
    : html`<p>A place to talk, on a Parley server. Sign in with a client that speaks the API, at this address.</p>`
}
<p>Programs talk to the server by its <a href="/api">API</a>.</p>
</main>`,
  };
}

function createdPage(name: string, email: string, origin: string): Page {
  return {
    title: `${name} is ready · Parley`,
    style,
    body: html`<main>
<h1>${name} is ready</h1>
<p>You are its owner and can sign in as <strong>${email}</strong> with your password, in any client that speaks the API. The
address to give to clients and people is</p>
<pre>${origin}</pre>
<p>Programs sign their calls with an API key, which this prints:</p>
<pre>curl ${origin}/api/v1/fetch_api_key \\
  --data-urlencode 'username=${email}' \\
  --data-urlencode password@-</pre>
<p>It reads the password from the terminal; press Ctrl+D twice after it. The <a href="/api">API</a> is how people are added
(<code>POST /users</code>), and how everything else is done.</p>
</main>`,
  };
}
