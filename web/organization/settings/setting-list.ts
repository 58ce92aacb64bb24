/**
 * The organization's settings by the section in which they are shown, in their order. What has no effect in
 * this server or in this client is left out. A test compares the names with the declarations.
 */

/** Seconds, of how long something may be done; null stands for no limit. */
export const timeLimits = [
  ...[60, 120, 300, 600, 1800, 3600, 6 * 3600],
  ...[1, 3, 7, 14, 30, 90, 365].map((days) => days * 24 * 3600),
  null,
];

export const toggles = [
  "invite_required",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
  "email_changes_disabled",
  "name_changes_disabled",
  "avatar_changes_disabled",
  "require_unique_names",
  "allow_message_editing",
  "enable_read_receipts",
  "enable_spectator_access",
  "enable_guest_user_indicator",
  "enable_guest_user_dm_warning",
  "presence_disabled",
  "send_welcome_emails",
  "digest_emails_enabled",
  "message_content_allowed_in_email_notifications",
  "inline_image_preview",
  "inline_url_embed_preview",
  "send_channel_events_messages",
] as const;

export const limits = [
  "message_content_edit_limit_seconds",
  "message_content_delete_limit_seconds",
  "move_messages_within_stream_limit_seconds",
  "move_messages_between_streams_limit_seconds",
] as const;

/** The box says what people may, and is checked while the setting is off. */
export const forbidding: ReadonlySet<string> = new Set([
  "email_changes_disabled",
  "name_changes_disabled",
  "avatar_changes_disabled",
]);

export const channelChoices = [
  "new_stream_announcements_stream_id",
  "signup_announcements_stream_id",
  "moderation_request_channel_id",
] as const;

export const texts = [
  "default_code_block_language",
  "welcome_message_custom_text",
  "jitsi_server_url",
] as const;

export const numbers = ["waiting_period_threshold", "message_retention_days", "upload_quota_mib"] as const;

/** The values of a setting that has few; each has a text `organization.choice.NAME.VALUE`. */
export const choices = {
  default_avatar_source: ["J", "G"],
  message_edit_history_visibility_policy: ["all", "moves", "none"],
  topics_policy: ["allow_empty_topic", "disable_empty_topic"],
  video_chat_provider: [0, 1],
  require_second_step: ["nobody", "administrators", "everyone"],
  digest_weekday: [0, 1, 2, 3, 4, 5, 6],
} as const;

export const permissions = [
  "create_multiuse_invite_group",
  "can_access_all_users_group",
  "can_add_custom_emoji_group",
  "can_add_subscribers_group",
  "can_create_bots_group",
  "can_create_write_only_bots_group",
  "can_create_groups",
  "can_create_public_channel_group",
  "can_create_private_channel_group",
  "can_create_web_public_channel_group",
  "can_delete_any_message_group",
  "can_delete_own_message_group",
  "can_invite_users_group",
  "can_manage_all_groups",
  "can_mention_many_users_group",
  "can_move_messages_between_channels_group",
  "can_move_messages_between_topics_group",
  "can_resolve_topics_group",
  "can_set_delete_message_policy_group",
  "can_set_topics_policy_group",
  "direct_message_initiator_group",
  "direct_message_permission_group",
] as const;

export type ToggleName = (typeof toggles)[number];
export type LimitName = (typeof limits)[number];
export type ChannelChoiceName = (typeof channelChoices)[number];
export type TextName = (typeof texts)[number];
export type NumberName = (typeof numbers)[number];
export type ChoiceName = keyof typeof choices;
export type PermissionName = (typeof permissions)[number];

export type SettingName =
  | ToggleName
  | LimitName
  | ChannelChoiceName
  | TextName
  | NumberName
  | ChoiceName
  | PermissionName;

/** Settings and permissions that only owners change. */
export const ownersOnly: ReadonlySet<SettingName> = new Set([
  "invite_required",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
  "waiting_period_threshold",
  "message_retention_days",
  "upload_quota_mib",
  "require_second_step",
  "create_multiuse_invite_group",
  "can_invite_users_group",
  "can_manage_all_groups",
]);

/** Without effect while the first setting has another value than the second. */
export const dependsOn: Readonly<Partial<Record<SettingName, readonly [SettingName, unknown]>>> = {
  message_content_edit_limit_seconds: ["allow_message_editing", true],
  jitsi_server_url: ["video_chat_provider", 1],
  digest_weekday: ["digest_emails_enabled", true],
};

/** Each section has a text `organization.section.NAME`. */
export const settingSections = {
  joining: [
    "invite_required",
    "can_invite_users_group",
    "create_multiuse_invite_group",
    "emails_restricted_to_domains",
    "disallow_disposable_email_addresses",
    "waiting_period_threshold",
    "require_second_step",
    "signup_announcements_stream_id",
    "welcome_message_custom_text",
  ],
  messages: [
    "allow_message_editing",
    "message_content_edit_limit_seconds",
    "message_edit_history_visibility_policy",
    "can_delete_own_message_group",
    "message_content_delete_limit_seconds",
    "can_delete_any_message_group",
    "can_move_messages_between_topics_group",
    "move_messages_within_stream_limit_seconds",
    "can_move_messages_between_channels_group",
    "move_messages_between_streams_limit_seconds",
    "can_resolve_topics_group",
    "can_mention_many_users_group",
    "direct_message_initiator_group",
    "direct_message_permission_group",
    "enable_read_receipts",
    "inline_image_preview",
    "inline_url_embed_preview",
    "default_code_block_language",
  ],
  channels: [
    "can_create_public_channel_group",
    "can_create_private_channel_group",
    "can_create_web_public_channel_group",
    "enable_spectator_access",
    "can_add_subscribers_group",
    "topics_policy",
    "can_set_topics_policy_group",
    "can_set_delete_message_policy_group",
    "send_channel_events_messages",
    "new_stream_announcements_stream_id",
  ],
  people: [
    "name_changes_disabled",
    "require_unique_names",
    "email_changes_disabled",
    "avatar_changes_disabled",
    "default_avatar_source",
    "presence_disabled",
    "can_create_groups",
    "can_manage_all_groups",
  ],
  guests: ["can_access_all_users_group", "enable_guest_user_indicator", "enable_guest_user_dm_warning"],
  moderation: ["moderation_request_channel_id"],
  email: [
    "message_content_allowed_in_email_notifications",
    "send_welcome_emails",
    "digest_emails_enabled",
    "digest_weekday",
  ],
  integrations: [
    "can_create_bots_group",
    "can_create_write_only_bots_group",
    "can_add_custom_emoji_group",
    "video_chat_provider",
    "jitsi_server_url",
  ],
  data: ["message_retention_days", "upload_quota_mib"],
} as const satisfies Record<string, readonly SettingName[]>;

export type SettingSection = keyof typeof settingSections;
