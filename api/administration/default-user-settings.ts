/** The settings with which people who join an organization start. */
import { endpoint, optional, type Parameter } from "../endpoint.ts";
import { userSettingList } from "../people/user-settings.ts";
import type { UserSetting, UserSettingSchema } from "../setting.ts";

/** The settings for which an organization can have a default of its own. */
export const settingsWithOrganizationDefault: readonly UserSetting[] = userSettingList.filter(
  (setting) => setting.hasOrganizationDefault,
);

const parameters: Record<string, Parameter<UserSettingSchema, false>> = Object.fromEntries(
  settingsWithOrganizationDefault.map(({ name, schema, description }) => [
    name,
    optional(schema, { description }),
  ]),
);

export const updateDefaultUserSettings = endpoint({
  name: "updateDefaultUserSettings",
  subject: "Organization",
  method: "PATCH",
  path: "/realm/user_settings_defaults",
  access: "administrator",
  summary: "Change the settings for new people",
  description:
    "Changes the settings with which people who join later start. Nobody who has an account already is affected. Settings that are not given stay as they are. All clients get an event for each change.",
  parameters,
  reply: {},
  errors: [],
  emits: ["realm_user_settings_defaults/update"],
  example: { parameters: { twenty_four_hour_time: true }, reply: {} },
  sample: () => ({ twenty_four_hour_time: true }),
});
