import { Type } from "typebox";
import { endpoint, optional, type Parameter } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { nullable } from "../fields.ts";
import { groupValueChange } from "../groups/group-value.ts";
import { MAX_ORGANIZATION_NAME_LENGTH } from "../limits.ts";
import { given } from "../proof.ts";
import type {
  OrganizationGroupSetting,
  OrganizationSetting,
  PlainSchema,
  SettingSchema,
} from "../setting.ts";
import { organizationPermissionList } from "./organization-permissions.ts";
import { organizationSettingList } from "./organization-settings.ts";

const truth = (description: string) => Type.Boolean({ description });
const text = (description: string) => Type.String({ description });

export const getServerSettings = endpoint({
  name: "getServerSettings",
  subject: "Organization",
  method: "GET",
  path: "/server_settings",
  access: "anyone",
  summary: "Get server settings",
  description:
    "Returns what a client needs before anyone signs in: the server's version and feature level, the organization at this address, and its sign-in methods.",
  parameters: {},
  reply: {
    authentication_methods: Type.Record(Type.String(), Type.Boolean(), {
      description: "Which sign-in methods are enabled, by name. For older clients.",
    }),
    external_authentication_methods: Type.Array(
      Type.Object({
        name: text("The method's name for programs."),
        display_name: text("Its name for people."),
        display_icon: nullable(Type.String(), "The address of a small picture."),
        login_url: text(
          "Where people sign in with it, relative to the server's address. An app adds `mobile_flow_otp` or `desktop_flow_otp`.",
        ),
        signup_url: text("Where people sign up with it, relative to the server's address."),
      }),
      { description: "Other sign-in methods, in display order." },
    ),
    service_feature_level: Type.Integer({ description: "The server's API feature level." }),
    service_version: text("The server's version."),
    service_merge_base: text("The server's version, for clients that look for it here."),
    zulip_feature_level: Type.Integer({ description: "Equal to service_feature_level." }),
    zulip_version: text("Equal to service_version."),
    zulip_merge_base: text("Equal to service_merge_base."),
    push_notifications_enabled: truth("Whether the server can notify mobile devices."),
    is_incompatible: truth("Whether the client is too old for the server."),
    email_auth_enabled: truth("Whether people can sign in with email address and password."),
    require_email_format_usernames: truth("Whether the user name for signing in is always an email address."),
    realm_uri: text("Equal to realm_url."),
    realm_url: text("The organization's address."),
    realm_name: text("The organization's name."),
    realm_icon: text("The address of the organization's square picture."),
    realm_description: text("The organization's description, as HTML."),
    realm_web_public_access_enabled: truth(
      "Whether the organization has content that can be read without an account.",
    ),
  },
  errors: [],
  emits: [],
  example: {
    parameters: {},
    reply: {
      authentication_methods: { password: true, email: true, dev: false },
      external_authentication_methods: [],
      service_feature_level: 420,
      service_version: "11.0-parley-0.1.0",
      service_merge_base: "11.0-parley-0.1.0",
      zulip_feature_level: 420,
      zulip_version: "11.0-parley-0.1.0",
      zulip_merge_base: "11.0-parley-0.1.0",
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_uri: "https://chat.example.com",
      realm_url: "https://chat.example.com",
      realm_name: "Example",
      realm_icon: "https://chat.example.com/logo.svg",
      realm_description: "<p>People who make examples.</p>",
      realm_web_public_access_enabled: false,
    },
  },
  sample: () => ({}),
});

/** The endpoint that changes settings, with a parameter for each declaration. */
export function organizationSettingsEndpoint(
  settings: readonly OrganizationSetting[],
  permissions: readonly OrganizationGroupSetting[],
) {
  const parameters: Record<string, Parameter<SettingSchema | typeof groupValueChange, false>> = {
    name: optional(Type.String(), {
      description: `The organization's name, of at most ${MAX_ORGANIZATION_NAME_LENGTH} characters.`,
    }),
  };
  for (const { name, schema, description, words, aliases } of settings) {
    const literals = Object.keys(words).map((word) => Type.Literal(word));
    parameters[name] = optional(
      literals.length === 0 ? schema : Type.Union([...unionMembers(schema), ...literals]),
      {
        description,
        aliases,
      },
    );
  }
  for (const { name, description } of permissions) {
    parameters[name] = optional(groupValueChange, { description });
  }
  return endpoint({
    name: "updateOrganization",
    proof: {
      rules: [{ level: "strongest", when: { require_second_step: given }, entry: "organization_updated" }],
    },
    subject: "Organization",
    method: "PATCH",
    path: "/realm",
    access: "administrator",
    summary: "Change the organization's settings",
    description:
      "Changes all of the given settings, or none if one of them is refused. Settings that are not given stay as they are. All clients get events for what changed. Only owners may change a few of the settings.",
    parameters,
    reply: {},
    errors: [
      errors.mustBeOwner,
      errors.invalidOrganizationName,
      errors.invalidSettingValue,
      errors.invalidChannelId,
      errors.moderationChannelNotPrivate,
      errors.invalidGroup,
      errors.noSuchUser,
      errors.settingGroupNotAllowed,
      errors.systemGroupRequired,
      errors.expectationMismatch,
    ],
    emits: [
      "update_message_flags/add",
      "realm_user_settings_defaults/update",
      "stream/create",
      "stream/delete",
      "subscription/peer_add",
      "realm_user/add",
      "realm_user/update",
      "realm_bot/update",
      "realm_user/remove",
      "user_status",
      "user_group/add_members",
      "user_group/remove_members",
      "realm/update",
      "realm/update_dict",
    ],
    example: { parameters: { name: "Example", waiting_period_threshold: 3 }, reply: {} },
    sample: () => ({ digest_weekday: 1 }),
  });
}

/** The decoder reads a nested union differently from a flat one. */
function unionMembers(schema: SettingSchema): PlainSchema[] {
  return "anyOf" in schema ? schema.anyOf : [schema];
}

export const updateOrganization = organizationSettingsEndpoint(
  organizationSettingList,
  organizationPermissionList,
);
