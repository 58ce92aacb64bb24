import { type TSchema, Type } from "typebox";
import { settingsWithOrganizationDefault } from "../administration/default-user-settings.ts";
import { organizationPermissionList } from "../administration/organization-permissions.ts";
import { organizationSettingList } from "../administration/organization-settings.ts";
import { event } from "../event.ts";
import { described, someOf } from "../fields.ts";
import { groupValue } from "../groups/group-value.ts";
import type { OrganizationGroupSetting, OrganizationSetting } from "../setting.ts";

const scalar = Type.Union([Type.Boolean(), Type.Integer(), Type.String(), Type.Null()]);

const pictureFields: Record<string, TSchema> = {
  icon_url: Type.String({ description: "The square picture, below the organization's URL." }),
  icon_source: Type.String({ description: "`U` for uploaded, `G` for the picture of every organization." }),
  logo_url: Type.String({ description: "The wide picture, below the organization's URL." }),
  logo_source: Type.String({ description: "`U` for uploaded, `D` for the picture of every organization." }),
  night_logo_url: Type.String({ description: "The wide picture on a dark background, in the same form." }),
  night_logo_source: Type.String({ description: "Where that comes from, as `logo_source`." }),
};

export function organizationEvents(
  settings: readonly OrganizationSetting[],
  permissions: readonly OrganizationGroupSetting[],
) {
  const together: Record<string, TSchema> = {};
  for (const { name, schema, description, event: op, twins } of settings) {
    if (op !== "update_dict") continue;
    together[name] = described(schema, description);
    for (const twin of Object.keys(twins)) {
      together[twin] = described(scalar, `Computed from ${name}, for older clients.`);
    }
  }
  for (const { name, description } of permissions) together[name] = described(groupValue, description);
  Object.assign(together, pictureFields);
  const alone = settings.filter(({ event: op }) => op === "update");
  const names = ["name", ...alone.flatMap(({ name, twins }) => [name, ...Object.keys(twins)])];
  return {
    update: event({
      type: "realm",
      op: "update",
      description: "A setting of the organization was changed.",
      payload: {
        property: described(Type.Enum(names), "The setting, as in `PATCH /realm`."),
        value: described(scalar, "Its new value."),
      },
      example: { property: "digest_weekday", value: 4 },
    }),
    updateDict: event({
      type: "realm",
      op: "update_dict",
      description: "Settings of the organization were changed, all at once.",
      payload: {
        property: described(
          Type.Enum(["default", "icon", "logo", "night_logo"]),
          "The picture that was changed, or `default` for settings.",
        ),
        data: described(someOf(together), "The new values; of settings by the names of `PATCH /realm`."),
      },
      example: { property: "default", data: { allow_message_editing: true } },
    }),
  };
}

const { update, updateDict } = organizationEvents(organizationSettingList, organizationPermissionList);
export const organizationUpdated = update;
export const organizationUpdatedTogether = updateDict;

export const defaultUserSettingChanged = event({
  type: "realm_user_settings_defaults",
  op: "update",
  description: "A setting with which new people start was changed.",
  payload: {
    property: described(
      Type.Enum(settingsWithOrganizationDefault.map(({ name }) => name)),
      "The setting, as in `PATCH /realm/user_settings_defaults`.",
    ),
    value: described(Type.Union([Type.Boolean(), Type.Integer(), Type.String()]), "Its new value."),
  },
  example: { property: "twenty_four_hour_time", value: true },
});

export const organizationDeactivated = event({
  type: "realm",
  op: "deactivated",
  description:
    "The server's operator deactivated the organization. All event queues end with it, and calls are refused with `REALM_DEACTIVATED`.",
  payload: { realm_id: Type.Integer({ description: "The organization's ID." }) },
  example: { realm_id: 2 },
});
