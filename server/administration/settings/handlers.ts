import {
  settingsWithOrganizationDefault,
  updateDefaultUserSettings as updateDefaultUserSettingsEndpoint,
} from "../../../api/administration/default-user-settings.ts";
import {
  getServerSettings,
  type updateOrganization as updateOrganizationEndpoint,
} from "../../../api/administration/organization.ts";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { camelCase } from "../../../api/camel-case.ts";
import type { HandlerParameters } from "../../../api/endpoint.ts";
import type { OrganizationGroupSetting, OrganizationSetting, SettingValue } from "../../../api/setting.ts";
import type { GroupValueChange } from "../../groups/group-value.ts";
import { organization } from "../../organization/organization.ts";
import { organizationPictureUrl } from "../../organization/pictures.ts";
import { settingOf } from "../../organization/setting.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { providersOf } from "../../platform/oidc/providers.ts";
import type { Services } from "../../services.ts";
import { versions } from "../../version.ts";
import { renderOrganizationDescription } from "./appearance.ts";
import { presentProviders, signInMethods } from "./authentication.ts";
import { updateDefaultUserSettings } from "./update-default-user-settings.ts";
import { type OrganizationRequest, updateOrganization } from "./update-organization.ts";

/** What `PATCH /realm` can change. */
export interface Changeable {
  endpoint: typeof updateOrganizationEndpoint;
  settings: readonly OrganizationSetting[];
  permissions: readonly OrganizationGroupSetting[];
}

export function settingsRoutes(
  { config }: Pick<Services, "config">,
  { endpoint, settings, permissions }: Changeable,
): Route[] {
  return [
    route(getServerSettings, ({ state, baseUrl }) => ({
      authentication_methods: signInMethods(config.isDevelopment, providersAt(config, state)),
      external_authentication_methods: presentProviders(providersAt(config, state)),
      ...versions,
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_uri: baseUrl,
      realm_url: baseUrl,
      realm_name: state.get(organization).name,
      realm_icon: baseUrl + organizationPictureUrl(state, "icon"),
      realm_description: renderOrganizationDescription(state),
      realm_web_public_access_enabled:
        state.get(organization).isActive &&
        config.webPublicStreams &&
        settingOf(state, organizationSettings.enableSpectatorAccess),
    })),
    route(endpoint, async ({ viewer, params }) => {
      const request = requestOf(params, settings, permissions);
      await changeState(viewer, (tx) => updateOrganization(tx, request));
      return {};
    }),
    route(updateDefaultUserSettingsEndpoint, async ({ viewer, params }) => {
      const values = settingsWithOrganizationDefault.map(
        (setting) => [setting, params[camelCase(setting.name)]] as const,
      );
      await changeState(viewer, (tx) => updateDefaultUserSettings(tx, new Map(values)));
      return {};
    }),
  ];
}

function providersAt({ providers }: Services["config"], state: OrganizationState) {
  return providersOf(providers, state.get(organization).host);
}

type Params = HandlerParameters<Changeable["endpoint"]["parameters"]>;

function requestOf(
  params: Params,
  settings: Changeable["settings"],
  permissions: Changeable["permissions"],
): OrganizationRequest {
  const given = ({ name }: { name: string }) => params[camelCase(name)];
  const name = given({ name: "name" });
  return {
    name: typeof name === "string" ? name : undefined,
    values: new Map(settings.map((setting) => [setting, plain(given(setting))])),
    permissions: new Map(permissions.map((setting) => [setting, groupChange(given(setting))])),
  };
}

/**
 * The endpoint declares a plain value for each setting, and a change of a group value for each permission.
 */
function plain(value: Params[string]): SettingValue | undefined {
  return typeof value === "object" && value !== null ? undefined : value;
}

function groupChange(value: Params[string]): GroupValueChange | undefined {
  return isGroupChange(value) ? value : undefined;
}

function isGroupChange(value: Params[string]): value is GroupValueChange {
  return typeof value === "object" && value !== null;
}
