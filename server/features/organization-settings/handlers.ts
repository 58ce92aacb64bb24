import { camelCase } from "../../../api/endpoint.ts";
import {
  getServerSettings,
  type updateOrganization as updateOrganizationEndpoint,
} from "../../../api/organization.ts";
import { organizationSettings } from "../../../api/organization-settings.ts";
import type { OrganizationGroupSetting, OrganizationSetting } from "../../../api/setting.ts";
import type { Route } from "../../platform/http/handler.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { versions } from "../../version.ts";
import type { GroupValue } from "../groups/group.ts";
import { organization } from "../organization/organization.ts";
import { settingOf } from "../organization/setting.ts";
import { currentViewer } from "../users/current-viewer.ts";
import { route } from "../users/route.ts";
import { organizationIcon, renderOrganizationDescription } from "./appearance.ts";
import { signInMethods } from "./authentication.ts";
import { updateOrganization } from "./update-organization.ts";

/** What `PATCH /realm` can change. */
export interface Changeable {
  endpoint: typeof updateOrganizationEndpoint;
  settings: readonly OrganizationSetting[];
  permissions: readonly OrganizationGroupSetting[];
}

export function settingsRoutes(
  { config }: Services,
  { endpoint, settings, permissions }: Changeable,
): Route[] {
  return [
    route(getServerSettings, ({ state, baseUrl }) => ({
      authentication_methods: signInMethods(config.isDevelopment),
      external_authentication_methods: [],
      ...versions,
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_uri: baseUrl,
      realm_url: baseUrl,
      realm_name: state.get(organization).name,
      realm_icon: organizationIcon(baseUrl),
      realm_description: renderOrganizationDescription(state),
      realm_web_public_access_enabled:
        config.webPublicStreams && settingOf(state, organizationSettings.enableSpectatorAccess),
    })),
    route(endpoint, async ({ state, viewer, params }) => {
      await runStateChange(state, async (tx) => {
        await updateOrganization(tx, currentViewer(viewer), requestOf(params, settings, permissions));
      });
      return {};
    }),
  ];
}

function requestOf(
  params: Readonly<Record<string, unknown>>,
  settings: Changeable["settings"],
  permissions: Changeable["permissions"],
) {
  type PermissionChange = { new: GroupValue; old?: GroupValue } | undefined;
  const given = (setting: { name: string }) => params[camelCase(setting.name)];
  return {
    name: params.name as string | undefined,
    values: new Map(settings.map((setting) => [setting, given(setting)])),
    permissions: new Map(permissions.map((setting) => [setting, given(setting) as PermissionChange])),
  };
}
