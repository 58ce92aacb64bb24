import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { EMPTY_TOPIC_DISPLAY_NAME } from "../../../api/channels/topic-name.ts";
import * as limits from "../../../api/limits.ts";
import { PRESENCE_OFFLINE_SECONDS, PRESENCE_PING_SECONDS } from "../../../api/profiles/presence.ts";
import { externalAccounts } from "../../../api/profiles/profile-field.ts";
import { registerOrganization, registerOrganizationSettings } from "../../../api/register/organization.ts";
import type { OrganizationGroupSetting, OrganizationSetting, SettingValue } from "../../../api/setting.ts";
import type { Config } from "../../config.ts";
import { thumbnailFormats } from "../../content/uploads/thumbnail-formats.ts";
import type { GroupValue } from "../../groups/group.ts";
import { canDo, groupSettingOf } from "../../groups/group-setting.ts";
import { withoutInactive } from "../../groups/group-value.ts";
import { organization } from "../../organization/organization.ts";
import { presentPictures } from "../../organization/pictures.ts";
import { settingOf } from "../../organization/setting.ts";
import { users } from "../../people/user.ts";
import { type RegisterSection, type Snapshot, sectionOf } from "../../people/viewer/register-section.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { providersOf } from "../../platform/oidc/providers.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import { presentSignInMethods } from "./authentication.ts";
import { legacyPolicies } from "./legacy-policies.ts";
import { supportedPermissions } from "./supported-permissions.ts";

/** The same in every organization and for every user, as long as the server runs. */
const constants = {
  max_message_length: limits.MAX_MESSAGE_LENGTH,
  max_topic_length: limits.MAX_TOPIC_LENGTH,
  max_stream_name_length: limits.MAX_CHANNEL_NAME_LENGTH,
  max_stream_description_length: limits.MAX_CHANNEL_DESCRIPTION_LENGTH,
  max_channel_folder_name_length: limits.MAX_FOLDER_NAME_LENGTH,
  max_channel_folder_description_length: limits.MAX_FOLDER_DESCRIPTION_LENGTH,
  max_reminder_note_length: limits.MAX_REMINDER_NOTE_LENGTH,
  max_bulk_new_subscription_messages: limits.MAX_BULK_SUBSCRIPTION_MESSAGES,
  max_avatar_file_size_mib: limits.MAX_AVATAR_FILE_MIB,
  max_emoji_file_size_mib: limits.MAX_EMOJI_FILE_MIB,
  max_icon_file_size_mib: limits.MAX_ICON_FILE_MIB,
  max_logo_file_size_mib: limits.MAX_LOGO_FILE_MIB,
  password_min_length: limits.MIN_PASSWORD_LENGTH,
  password_max_length: limits.MAX_PASSWORD_LENGTH,
  password_min_guesses: limits.MIN_PASSWORD_GUESSES,
  event_queue_longpoll_timeout_seconds: 90,
  server_presence_ping_interval_seconds: PRESENCE_PING_SECONDS,
  server_presence_offline_threshold_seconds: PRESENCE_OFFLINE_SECONDS,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_started_wait_period_milliseconds: 30_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_generation: Math.floor(performance.timeOrigin / 1000),
  server_inline_image_preview: true,
  server_inline_url_embed_preview: true,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  server_jitsi_server_url: null,
  jitsi_server_url: "",
  server_thumbnail_formats: [...thumbnailFormats],
  server_can_summarize_topics: false,
  server_min_deactivated_realm_deletion_days: 14,
  server_max_deactivated_realm_deletion_days: null,
  giphy_rating_options: {
    disabled: { id: 0, name: "No GIFs" },
    y: { id: 1, name: "Y" },
    g: { id: 2, name: "G" },
    pg: { id: 3, name: "PG" },
    "pg-13": { id: 4, name: "PG-13" },
    r: { id: 5, name: "R" },
  },
  zulip_plan_is_not_limited: true,
  service_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: "",
  realm_plan_type: 1,
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_available_video_chat_providers: {
    disabled: { id: 0, name: "None" },
    jitsi_meet: { id: 1, name: "Jitsi Meet" },
  },
  realm_default_external_accounts: externalAccounts,
  realm_push_notifications_enabled: false,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_is_zephyr_mirror_realm: false,
};

const permissionsJson = new RawJson(JSON.stringify(supportedPermissions));

/** The organization and the server, and what the viewer may do in it. */
export function organizationSection(config: Config): RegisterSection {
  return sectionOf(registerOrganization, (snapshot) => ({
    ...(snapshot.wants("realm") && {
      ...constants,
      server_supported_permission_settings: permissionsJson,
      ...presentOrganization(config, snapshot),
      ...legacyPolicies(snapshot.state),
    }),
    ...(snapshot.wants("realm_user") && presentAbilities(config, snapshot)),
  }));
}

/** The values of the given settings and permissions. */
export function settingsSection(
  settings: readonly OrganizationSetting[],
  permissions: readonly OrganizationGroupSetting[],
): RegisterSection {
  return sectionOf(registerOrganizationSettings, ({ state, viewer, wants }) =>
    wants("realm")
      ? {
          ...presentSettings(state, settings, permissions),
          ...(viewer ? undefined : { realm_allow_message_editing: false, realm_presence_disabled: true }),
        }
      : undefined,
  );
}

function presentOrganization(config: Config, { state, baseUrl }: Snapshot) {
  const { name, host, createdAt } = state.get(organization);
  return {
    realm_authentication_methods: presentSignInMethods(providersOf(config.providers, host)),
    realm_name: name,
    realm_url: baseUrl,
    realm_uri: baseUrl,
    realm_bot_domain: host,
    realm_date_created: createdAt,
    ...presentPictures(state),
    server_emoji_data_url: `${baseUrl}/emoji.json`,
    server_avatar_changes_disabled: !config.hasAvatarChanges,
    server_web_public_streams_enabled: config.webPublicStreams,
    development_environment: config.isDevelopment,
    // A development server keeps its mail, see the mailer.
    settings_send_digest_emails: config.mail !== undefined || config.isDevelopment,
    max_file_upload_size_mib: config.maxUploadMib,
  };
}

function presentSettings(
  state: OrganizationState,
  settings: readonly OrganizationSetting[],
  permissions: readonly OrganizationGroupSetting[],
): Record<string, SettingValue | GroupValue> {
  const fields: Record<string, SettingValue | GroupValue> = {};
  for (const setting of settings) {
    const value = settingOf(state, setting);
    fields[`realm_${setting.name}`] = value;
    for (const [twin, of] of Object.entries(setting.twins)) fields[`realm_${twin}`] = of(value);
  }
  for (const permission of permissions) {
    fields[`realm_${permission.name}`] = withoutInactive(state, groupSettingOf(state, permission));
  }
  return fields;
}

/**
 * COMPAT: older clients read these before they offer something. The server decides by the permissions
 * themselves.
 */
function presentAbilities(config: Config, { state, viewer }: Snapshot) {
  const user = viewer && state.get(users).byId.get(viewer.user.id);
  const may = (permission: OrganizationGroupSetting) => user !== undefined && canDo(state, permission, user);
  const isPublic = may(organizationPermissions.canCreatePublicChannel);
  const isPrivate = may(organizationPermissions.canCreatePrivateChannel);
  const isWebPublic =
    config.webPublicStreams &&
    settingOf(state, organizationSettings.enableSpectatorAccess) &&
    may(organizationPermissions.canCreateWebPublicChannel);
  return {
    can_create_streams: isPublic || isPrivate || isWebPublic,
    can_create_public_streams: isPublic,
    can_create_private_streams: isPrivate,
    can_create_web_public_streams: isWebPublic,
    can_invite_others_to_realm: may(organizationPermissions.canInviteUsers),
  };
}
