import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { SECOND_STEP_SETUP_PATH } from "../../accounts/sessions/pages.ts";
import { channels } from "../../channels/channel.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import { page } from "../../people/viewer/page.ts";
import { sendPage } from "../../platform/http/page.ts";
import type { PageRoute } from "../../platform/http/page-routes.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { WebClient } from "../web-client/pages.ts";
import { isOpenToAnyone } from "./further-organizations.ts";
import { deactivatedPage, emptyStartPage } from "./message-pages.ts";
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
        if (!state.get(organization).isActive)
          return sendPage(reply, 200, deactivatedPage(state.get(organization).name));
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
