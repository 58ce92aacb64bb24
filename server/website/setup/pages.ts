import type { FastifyInstance, FastifyRequest } from "fastify";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { SECOND_STEP_SETUP_PATH } from "../../accounts/sessions/pages.ts";
import { findRequester } from "../../accounts/sessions/requester.ts";
import { channels } from "../../channels/channel.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import { Hosts } from "../../platform/http/host.ts";
import { html, type Page, sendPage } from "../../platform/http/page.ts";
import { style } from "../../platform/http/page-style.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { WebClient } from "../web-client/pages.ts";
import { isOpenToAnyone } from "./further-organizations.ts";
import { registerOrganizationPages } from "./organization-pages.ts";

/** The server's own pages: the start page, and those by which organizations are created. */
export function registerPages(
  pages: FastifyInstance,
  services: Services,
  client: WebClient = new WebClient(),
): void {
  const hosts = new Hosts(services.config.publicUrl);
  // A class opens the client at once, from one address.
  const config = { isStoredFile: true };
  pages.get("/", { config }, async (request, reply) => {
    const state = await services.organizations.byHost(hosts.read(request.headers.host).name);
    if (!state) return sendPage(reply, 200, emptyStartPage(await isOpenToAnyone(services)));
    if (!state.get(organization).isActive) return sendPage(reply, 200, deactivatedPage(state));
    if (await mustSetUpFirst(services, { state, origin: hosts.read(request.headers.host).origin }, request))
      return reply.redirect(SECOND_STEP_SETUP_PATH, 303);
    return client.send(request, reply, services.config.webPublicStreams && admitsSpectators(state));
  });
  pages.get("/app.webmanifest", { config }, async (request, reply) => {
    const state = await services.organizations.byHost(hosts.read(request.headers.host).name);
    return client.sendManifest(reply, state?.get(organization).name ?? "Parley");
  });
  client.register(pages);
  registerOrganizationPages(pages, services, hosts);
}

/** Whether the browser's session can do nothing before a second step is set up. */
async function mustSetUpFirst(
  services: Services,
  place: Parameters<typeof findRequester>[1],
  { headers }: FastifyRequest,
): Promise<boolean> {
  try {
    await findRequester(services, place, { headers });
    return false;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.declaration.name === errors.secondStepSetupRequired.name;
  }
}

/** Whether there is something to read without an account. */
function admitsSpectators(state: OrganizationState): boolean {
  if (!settingOf(state, organizationSettings.enableSpectatorAccess)) return false;
  return [...state.get(channels).byId.values()].some(
    ({ isWebPublic, isArchived }) => isWebPublic && !isArchived,
  );
}

const emptyStartPage = (isOpen: boolean): Page => ({
  title: "Parley",
  style,
  body: html`<main>
<h1>Parley</h1>
<p>This is a Parley server: team chat in channels, where every message has a topic.</p>
${
  isOpen
    ? html`<p>There is no organization under this address. You can <a href="/new">create one</a>.</p>`
    : html`<p>There is no organization under this address. When a server without any organization starts, it prints a link that
creates one. Restart the server to get a new link.</p>`
}
<p>See the <a href="/api">API</a> for what clients and bots can do.</p>
</main>`,
});

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
