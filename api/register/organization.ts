import { type Static, type TSchema, Type } from "typebox";
import { organizationPermissionList } from "../administration/organization-permissions.ts";
import { organizationSettingList } from "../administration/organization-settings.ts";
import { described, nullable } from "../fields.ts";
import { groupValue } from "../groups/group-value.ts";
import { registerSection } from "../register-section.ts";
import type { OrganizationGroupSetting, OrganizationSetting } from "../setting.ts";

const truth = (description: string) => Type.Boolean({ description });
const text = (description: string) => Type.String({ description });
const integer = (description: string) => Type.Integer({ description });
const choices = (description: string) =>
  Type.Record(
    Type.String(),
    Type.Object({ id: integer("The value of the setting."), name: text("Its name for people.") }),
    { description },
  );

const permissions = Type.Record(
  Type.String(),
  Type.Object({
    require_system_group: truth("Whether only system groups are allowed."),
    allow_internet_group: truth("Whether `role:internet` is allowed."),
    allow_nobody_group: truth("Whether `role:nobody` is allowed."),
    allow_everyone_group: truth("Whether `role:everyone` is allowed."),
    default_group_name: text("The group that it has by default."),
    default_for_system_groups: nullable(
      Type.String(),
      "The default for system groups; null if there is none.",
    ),
    allowed_system_groups: Type.Array(Type.String(), {
      description: "The only system groups that are allowed, if it is not empty.",
    }),
  }),
);

const thumbnailFormat = Type.Object({
  name: text("The last part of its address: `/user_uploads/thumbnail/PATH/NAME`."),
  max_width: integer("Most pixels of its width."),
  max_height: integer("Most pixels of its height."),
  format: text("The format of its file."),
  animated: truth("Whether it moves. Only pictures that move have these."),
});

export type ThumbnailFormatRecord = Static<typeof thumbnailFormat>;

/** The organization and the server, apart from settings, and what the user may do in it. */
export const registerOrganization = registerSection({
  fields: {
    max_message_length: integer("Most characters of a message."),
    max_topic_length: integer("Most characters of a topic, the mark `✔ ` of a resolved one not counted."),
    max_stream_name_length: integer("Most characters of a channel's name."),
    max_stream_description_length: integer("Most characters of a channel's description."),
    max_channel_folder_name_length: integer("Most characters of a folder's name."),
    max_channel_folder_description_length: integer("Most characters of a folder's description."),
    max_reminder_note_length: integer("Most characters of a reminder's note."),
    max_bulk_new_subscription_messages: integer(
      "Most people whom one call subscribes with a message to each of them.",
    ),
    max_file_upload_size_mib: integer("Most MiB of an uploaded file."),
    max_avatar_file_size_mib: integer("Most MiB of a user's picture."),
    max_emoji_file_size_mib: integer("Most MiB of the file of a custom emoji."),
    max_icon_file_size_mib: integer("Most MiB of the organization's square picture."),
    max_logo_file_size_mib: integer("Most MiB of the organization's wide picture."),
    password_min_length: integer("Fewest characters of a password."),
    password_max_length: integer("Most characters of a password."),
    password_min_guesses: integer("How many guesses a password must withstand."),
    event_queue_longpoll_timeout_seconds: integer("How long a client waits for the answer to a poll."),
    server_presence_ping_interval_seconds: integer("How often clients report presence."),
    server_presence_offline_threshold_seconds: integer("After how long without a report somebody is away."),
    server_typing_started_expiry_period_milliseconds: integer(
      "After how long without another notice somebody has stopped typing.",
    ),
    server_typing_started_wait_period_milliseconds: integer("How often clients report that the user types."),
    server_typing_stopped_wait_period_milliseconds: integer(
      "After how long without a key clients report that the user stopped typing.",
    ),
    server_generation: integer("When the server was started, in UNIX seconds."),
    server_inline_image_preview: truth("Whether the server makes previews of images."),
    server_inline_url_embed_preview: truth("Whether the server makes previews of linked pages."),
    server_avatar_changes_disabled: truth(
      "Whether the server's operator leaves pictures of people to administrators.",
    ),
    server_name_changes_disabled: truth("Whether the server forbids people to change their names."),
    server_needs_upgrade: truth("Whether the server is too old: always false."),
    server_jitsi_server_url: nullable(Type.String(), "The server's own Jitsi Meet; null for none."),
    jitsi_server_url: text("Deprecated: the Jitsi Meet to use; empty for none."),
    server_thumbnail_formats: Type.Array(thumbnailFormat, {
      description: "The small pictures that the server makes of uploaded ones.",
    }),
    server_can_summarize_topics: truth("Whether the server can summarize topics: always false."),
    server_min_deactivated_realm_deletion_days: nullable(
      Type.Integer(),
      "Fewest days after which a deactivated organization is deleted; null for any number.",
    ),
    server_max_deactivated_realm_deletion_days: nullable(
      Type.Integer(),
      "Most days after which a deactivated organization is deleted; null for no limit.",
    ),
    server_emoji_data_url: text("Where the names of all Unicode emoji are."),
    server_web_public_streams_enabled: truth("Whether the server allows channels that anyone can read."),
    server_supported_permission_settings: Type.Object(
      {
        realm: described(permissions, "Those of the organization, by name."),
        stream: described(permissions, "Those of channels, by name."),
        group: described(permissions, "Those of groups, by name."),
      },
      { description: "The settings whose values are groups, and which groups each can have." },
    ),
    settings_send_digest_emails: truth("Whether the server sends digests: it does if it sends mail."),
    development_environment: truth("Whether this is a development server."),
    giphy_rating_options: choices("The values of `giphy_rating`, by name."),
    zulip_plan_is_not_limited: truth("Always true: nothing has to be paid for."),
    service_plan_is_not_limited: truth("Always true: nothing has to be paid for."),
    upgrade_text_for_wide_organization_logo: text("Always empty."),
    realm_plan_type: integer("Always 1: the organization is on a server of its own."),
    realm_name: text("The organization's name."),
    realm_url: text("The organization's address."),
    realm_uri: text("Deprecated: equal to `realm_url`."),
    realm_bot_domain: text("The host name in the email addresses of bots."),
    realm_date_created: integer("When the organization was made, in UNIX seconds."),
    realm_icon_url: text("The address of the organization's square picture, below its URL."),
    realm_icon_source: text(
      "Where that picture comes from: `U` for uploaded, `G` for the picture of every organization.",
    ),
    realm_logo_url: text("The address of the organization's wide picture, below its URL."),
    realm_logo_source: text(
      "Where that picture comes from: `U` for uploaded, `D` for the picture of every organization.",
    ),
    realm_night_logo_url: text("The address of the wide picture on a dark background."),
    realm_night_logo_source: text("Where that picture comes from, as `realm_logo_source`."),
    realm_empty_topic_display_name: text("How clients show the empty topic."),
    realm_authentication_methods: Type.Record(
      Type.String(),
      Type.Object({
        enabled: truth("Whether it is on."),
        available: truth("Whether the organization could turn it on."),
      }),
      { description: "The ways of signing in, by name." },
    ),
    realm_email_auth_enabled: truth("Deprecated: whether people can sign in by email address and password."),
    realm_password_auth_enabled: truth("Deprecated: equal to `realm_email_auth_enabled`."),
    realm_available_video_chat_providers: choices("The values of `video_chat_provider`, by name."),
    realm_default_external_accounts: Type.Record(
      Type.String(),
      Type.Object({
        name: text("The label that a field for it gets, if none is given."),
        text: text("The service's name."),
        hint: text("The hint that a field for it gets, if none is given."),
        url_pattern: text("The address of a profile, with `%(username)s` for the value."),
      }),
      { description: "Other services that a custom profile field can name, by `subtype`." },
    ),
    realm_push_notifications_enabled: truth("Whether the server can notify mobile devices."),
    realm_push_notifications_enabled_end_timestamp: nullable(
      Type.Integer(),
      "Until when it can, in UNIX seconds; null for no end.",
    ),
    realm_is_zephyr_mirror_realm: truth("Always false."),
    realm_create_public_stream_policy: integer("Deprecated: see `realm_can_create_public_channel_group`."),
    realm_create_private_stream_policy: integer("Deprecated: see `realm_can_create_private_channel_group`."),
    realm_create_web_public_stream_policy: integer(
      "Deprecated: see `realm_can_create_web_public_channel_group`.",
    ),
    realm_wildcard_mention_policy: integer("Deprecated: see `realm_can_mention_many_users_group`."),
    can_create_streams: truth("Deprecated: whether the user may create any kind of channel."),
    can_create_public_streams: truth("Deprecated: whether the user may create public channels."),
    can_create_private_streams: truth("Deprecated: whether the user may create private channels."),
    can_create_web_public_streams: truth(
      "Deprecated: whether the user may create channels that anyone can read.",
    ),
    can_invite_others_to_realm: truth("Deprecated: whether the user may invite people."),
  },
});

/**
 * The organization's settings and permissions by the names of `PATCH /realm`, each with the prefix `realm_`.
 */
export const registerOrganizationSettings = registerSection({
  fields: settingFields(organizationSettingList, organizationPermissionList),
});

function settingFields(
  settings: readonly OrganizationSetting[],
  groupSettings: readonly OrganizationGroupSetting[],
): Record<string, TSchema> {
  const plainValue = Type.Union([Type.Boolean(), Type.Integer(), Type.String(), Type.Null()]);
  const fields: Record<string, TSchema> = {};
  for (const { name, schema, description, twins } of settings) {
    fields[`realm_${name}`] = described(schema, description);
    for (const twin of Object.keys(twins)) {
      fields[`realm_${twin}`] = described(plainValue, `Computed from \`realm_${name}\`, for older clients.`);
    }
  }
  for (const { name, description } of groupSettings) {
    fields[`realm_${name}`] = Type.Union(groupValue.anyOf, { description });
  }
  return fields;
}
