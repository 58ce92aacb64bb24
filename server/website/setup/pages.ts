import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { SECOND_STEP_SETUP_PATH } from "../../accounts/sessions/pages.ts";
import { channels } from "../../channels/channel.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import { page } from "../../people/viewer/page.ts";
import { html, type Page, sendPage } from "../../platform/http/page.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import { style } from "../../platform/http/page-style.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { WebClient } from "../web-client/pages.ts";
import { isOpenToAnyone } from "./further-organizations.ts";
import { organizationPages } from "./organization-pages.ts";

/** The start page, the client's own files, and the pages by which organizations are created. */
export function startPages(services: Services, client: WebClient = new WebClient()): PageRoute[] {
  const { webPublicStreams } = services.config;
  return [
    page(
      {
        method: "GET",
        path: "/",
        organization: "any",
        session: "if any",
        isForSecondStepSetup: true,
        // A class opens the client at once, from one address.
        limit: "files",
      },
      async ({ request, reply, state, viewer }) => {
        if (!state) {
          const isFirst = (await services.organizations.primary()) === undefined;
          return sendPage(
            reply,
            isFirst ? 200 : 404,
            emptyStartPage(await isOpenToAnyone(services), isFirst),
          );
        }
        if (!state.get(organization).isActive) return sendPage(reply, 200, deactivatedPage(state));
        if (viewer?.mustSetUpSecondStep) return reply.redirect(SECOND_STEP_SETUP_PATH, 303);
        return client.send(request, reply, webPublicStreams && admitsSpectators(state));
      },
    ),
    page(
      { method: "GET", path: "/app.webmanifest", organization: "any", session: "none", limit: "files" },
      ({ reply, state }) => client.sendManifest(reply, state?.get(organization).name ?? "Parley"),
    ),
    ...client.files,
    ...organizationPages(services),
  ];
}

/** Whether there is something to read without an account. */
function admitsSpectators(state: OrganizationState): boolean {
  if (!settingOf(state, organizationSettings.enableSpectatorAccess)) return false;
  return [...state.get(channels).byId.values()].some(
    ({ isWebPublic, isArchived }) => isWebPublic && !isArchived,
  );
}

const emptyStartPage = (isOpen: boolean, isFirst: boolean): Page => ({
  title: "Parley",
  style,
  body: html`<main>
<h1>Parley</h1>
<p>This is a Parley server: team chat in channels, where every message has a topic.</p>
${
  isOpen
    ? html`<p>There is no organization under this address. You can <a href="/new">create one</a>.</p>`
    : !isFirst
      ? html`<p>There is no organization under this address. If you run this server: its log says which host name it was
asked for.</p>`
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
<p>The people who run the server can reactivate it.</p>
</main>`,
  };
}
