/**
 * The fields of `POST /register` at feature level 420, written down independently of `api/register/`. Each is
 * under the name in `fetch_event_types` that asks for it. `realm_default_avatar_source` is of a later level,
 * and `realm_require_second_step` is this project's own.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** What comes whatever the client asks for. */
export const alwaysThere = words(`
  result msg queue_id last_event_id
  service_feature_level service_version service_merge_base zulip_feature_level zulip_version zulip_merge_base
`);

export const sectionFields: Readonly<Record<string, readonly string[]>> = {
  realm: words(`
    max_message_length max_topic_length max_stream_name_length max_stream_description_length
    max_channel_folder_name_length max_channel_folder_description_length max_reminder_note_length
    max_bulk_new_subscription_messages max_file_upload_size_mib max_avatar_file_size_mib
    max_emoji_file_size_mib
    max_icon_file_size_mib max_logo_file_size_mib password_min_length password_max_length
    password_min_guesses event_queue_longpoll_timeout_seconds server_presence_ping_interval_seconds
    server_presence_offline_threshold_seconds server_typing_started_expiry_period_milliseconds
    server_typing_started_wait_period_milliseconds server_typing_stopped_wait_period_milliseconds
    server_generation server_emoji_data_url server_inline_image_preview server_inline_url_embed_preview
    server_avatar_changes_disabled server_name_changes_disabled server_needs_upgrade
    server_web_public_streams_enabled server_jitsi_server_url jitsi_server_url server_thumbnail_formats
    server_supported_permission_settings server_can_summarize_topics
    server_min_deactivated_realm_deletion_days server_max_deactivated_realm_deletion_days
    development_environment settings_send_digest_emails giphy_rating_options zulip_plan_is_not_limited
    service_plan_is_not_limited upgrade_text_for_wide_organization_logo

    realm_name realm_description realm_url realm_uri realm_bot_domain realm_date_created realm_org_type
    realm_plan_type realm_icon_url realm_icon_source realm_logo_url realm_logo_source realm_night_logo_url
    realm_night_logo_source realm_default_language realm_default_code_block_language
    realm_empty_topic_display_name realm_authentication_methods realm_email_auth_enabled
    realm_password_auth_enabled realm_invite_required realm_emails_restricted_to_domains
    realm_disallow_disposable_email_addresses realm_email_changes_disabled realm_name_changes_disabled
    realm_avatar_changes_disabled realm_default_avatar_source realm_require_unique_names realm_waiting_period_threshold
    realm_allow_message_editing realm_message_content_edit_limit_seconds
    realm_message_content_delete_limit_seconds realm_move_messages_within_stream_limit_seconds
    realm_move_messages_between_streams_limit_seconds realm_message_edit_history_visibility_policy
    realm_allow_edit_history realm_message_retention_days realm_topics_policy realm_mandatory_topics
    realm_enable_read_receipts realm_enable_spectator_access realm_enable_guest_user_indicator
    realm_enable_guest_user_dm_warning realm_presence_disabled realm_digest_emails_enabled
    realm_digest_weekday realm_send_welcome_emails realm_welcome_message_custom_text
    realm_message_content_allowed_in_email_notifications realm_inline_image_preview
    realm_inline_url_embed_preview realm_want_advertise_in_communities_directory realm_video_chat_provider
    realm_available_video_chat_providers realm_jitsi_server_url realm_giphy_rating
    realm_default_external_accounts realm_upload_quota_mib realm_push_notifications_enabled
    realm_push_notifications_enabled_end_timestamp realm_require_e2ee_push_notifications
    realm_new_stream_announcements_stream_id realm_signup_announcements_stream_id
    realm_zulip_update_announcements_stream_id realm_service_update_announcements_stream_id
    realm_moderation_request_channel_id realm_is_zephyr_mirror_realm realm_create_public_stream_policy
    realm_create_private_stream_policy realm_create_web_public_stream_policy realm_wildcard_mention_policy

    realm_create_multiuse_invite_group realm_can_access_all_users_group realm_can_add_custom_emoji_group
    realm_can_add_subscribers_group realm_can_create_bots_group realm_can_create_write_only_bots_group
    realm_can_create_groups realm_can_create_public_channel_group realm_can_create_private_channel_group
    realm_can_create_web_public_channel_group realm_can_delete_any_message_group
    realm_can_delete_own_message_group realm_can_invite_users_group realm_can_manage_all_groups
    realm_can_manage_billing_group realm_can_mention_many_users_group
    realm_can_move_messages_between_channels_group realm_can_move_messages_between_topics_group
    realm_can_resolve_topics_group realm_can_set_delete_message_policy_group
    realm_can_set_topics_policy_group realm_can_summarize_topics_group
    realm_direct_message_initiator_group realm_direct_message_permission_group

    realm_moderation_request_channel realm_send_channel_events_messages

    realm_require_second_step
  `),
  realm_user: words(`
    realm_users realm_non_active_users cross_realm_bots avatar_source avatar_url avatar_url_medium
    can_create_streams can_create_public_streams can_create_private_streams can_create_web_public_streams
    can_invite_others_to_realm is_admin is_owner is_moderator is_guest user_id email delivery_email full_name
  `),
  alert_words: ["alert_words"],
  custom_profile_fields: ["custom_profile_fields", "custom_profile_field_types"],
  drafts: ["drafts"],
  onboarding_steps: ["onboarding_steps", "navigation_tour_video_url"],
  message: ["max_message_id"],
  scheduled_messages: ["scheduled_messages"],
  reminders: ["reminders"],
  muted_topics: ["muted_topics"],
  user_topic: ["user_topics"],
  muted_users: ["muted_users"],
  presence: ["presences", "presence_last_update_id", "server_timestamp"],
  realm_domains: ["realm_domains"],
  realm_emoji: ["realm_emoji"],
  realm_linkifiers: ["realm_linkifiers"],
  realm_filters: ["realm_filters"],
  realm_playgrounds: ["realm_playgrounds"],
  realm_user_groups: ["realm_user_groups"],
  realm_bot: ["realm_bots"],
  realm_embedded_bots: ["realm_embedded_bots"],
  realm_incoming_webhook_bots: ["realm_incoming_webhook_bots"],
  recent_private_conversations: ["recent_private_conversations"],
  navigation_views: ["navigation_views"],
  saved_snippets: ["saved_snippets"],
  subscription: ["subscriptions", "unsubscribed", "never_subscribed"],
  channel_folders: ["channel_folders"],
  starred_messages: ["starred_messages"],
  stream: ["streams"],
  default_streams: ["realm_default_streams"],
  default_stream_groups: ["realm_default_stream_groups"],
  stop_words: ["stop_words"],
  user_status: ["user_status"],
  user_settings: ["user_settings"],
  realm_user_settings_defaults: ["realm_user_settings_defaults"],
  video_calls: ["has_zoom_token"],
  giphy: ["giphy_api_key"],
  push_device: ["push_devices"],
  realm_billing: ["realm_billing"],
};

/** Sent only to a client that asks for both names. */
export const fieldsOfTwo = { names: ["message", "update_message_flags"], fields: ["unread_msgs"] } as const;

/** Settings whose values older clients read beside everything else, under the name of the older event. */
export const olderSettings: Readonly<Record<string, readonly string[]>> = {
  update_display_settings: words(`
    color_scheme default_language demote_inactive_streams display_emoji_reaction_users emojiset
    emojiset_choices enter_sends fluid_layout_width high_contrast_mode left_side_userlist
    starred_message_counts timezone translate_emoticons twenty_four_hour_time user_list_style
    web_escape_navigates_to_home_view web_home_view web_mark_read_on_scroll_policy
    web_stream_unreads_count_display_policy
  `),
  update_global_notifications: words(`
    automatically_follow_topics_policy automatically_follow_topics_where_mentioned
    automatically_unmute_topics_in_muted_streams_policy available_notification_sounds
    desktop_icon_count_display email_notifications_batching_period_seconds enable_desktop_notifications
    enable_digest_emails enable_followed_topic_audible_notifications
    enable_followed_topic_desktop_notifications enable_followed_topic_email_notifications
    enable_followed_topic_push_notifications enable_followed_topic_wildcard_mentions_notify
    enable_login_emails enable_marketing_emails enable_offline_email_notifications
    enable_offline_push_notifications enable_online_push_notifications enable_sounds
    enable_stream_audible_notifications enable_stream_desktop_notifications
    enable_stream_email_notifications enable_stream_push_notifications
    message_content_in_email_notifications notification_sound pm_content_in_desktop_notifications
    presence_enabled realm_name_in_email_notifications_policy wildcard_mentions_notify
  `),
};

/** The settings of a person that the organization gives no default for. */
const personalOnly = words(`
  timezone default_language allow_private_data_export enable_login_emails enable_marketing_emails
`);

/** The fields of `user_settings`. */
export const userSettingFields = [
  ...Object.values(olderSettings).flat(),
  ...words(`
    allow_private_data_export email_address_visibility enable_drafts_synchronization hide_ai_features
    receives_typing_notifications resolved_topic_notice_auto_read_policy send_private_typing_notifications
    send_read_receipts send_stream_typing_notifications web_animate_image_previews web_channel_default_view
    web_font_size_px web_left_sidebar_show_channel_folders web_left_sidebar_unreads_count_summary
    web_line_height_percent web_navigate_to_sent_message web_suggest_update_timezone
  `),
];

/** The fields of `realm_user_settings_defaults`. */
export const defaultSettingFields = userSettingFields.filter((name) => !personalOnly.includes(name));

/** What a program that people use asks for, and the fields without which it does not start. */
interface Start {
  asks: Readonly<Record<string, unknown>>;
  needs: readonly string[];
}

export const requiredByClients: Readonly<Record<string, Start>> = {
  "programs of the Python library": {
    asks: { event_types: ["message"] },
    needs: words("queue_id last_event_id zulip_version"),
  },
  "the terminal client": {
    asks: {
      event_types: words(`
        message update_message reaction submessage subscription typing update_message_flags user_settings
        realm_emoji realm_user
      `),
      fetch_event_types: words(`
        realm presence subscription message starred_messages update_message_flags muted_topics realm_user
        realm_user_groups user_settings realm_emoji custom_profile_fields zulip_version
      `),
      apply_markdown: true,
      client_gravatar: true,
      include_subscribers: true,
    },
    needs: words(`
    queue_id last_event_id max_message_id zulip_version user_id email full_name realm_name
    realm_message_retention_days subscriptions realm_users cross_realm_bots presences starred_messages
    muted_topics realm_user_groups realm_emoji unread_msgs user_settings realm_allow_message_editing
    realm_message_content_edit_limit_seconds realm_allow_edit_history custom_profile_fields
  `),
  },
  "the mobile client": {
    asks: {
      slim_presence: true,
      client_capabilities: { notification_settings_null: true, user_settings_object: true },
    },
    needs: words(`
    queue_id last_event_id zulip_feature_level zulip_version zulip_merge_base alert_words
    custom_profile_fields max_stream_name_length max_topic_length server_presence_ping_interval_seconds
    server_presence_offline_threshold_seconds server_typing_started_expiry_period_milliseconds
    server_typing_started_wait_period_milliseconds server_typing_stopped_wait_period_milliseconds
    muted_users presences realm_emoji realm_user_groups recent_private_conversations subscriptions
    unread_msgs starred_messages streams user_status user_settings user_topics
    realm_wildcard_mention_policy realm_name realm_waiting_period_threshold
    realm_message_content_edit_limit_seconds realm_message_content_delete_limit_seconds
    realm_allow_message_editing realm_enable_read_receipts realm_icon_url realm_presence_disabled
    realm_default_external_accounts max_file_upload_size_mib server_emoji_data_url
    event_queue_longpoll_timeout_seconds realm_users realm_non_active_users cross_realm_bots
  `),
  },
};

/** Without one of these in each record of a list, the terminal client does not start. */
export const requiredInRecords: Readonly<Record<string, readonly string[]>> = {
  subscriptions: words(`
    stream_id name description invite_only message_retention_days color pin_to_top is_muted
    desktop_notifications subscribers date_created history_public_to_subscribers stream_weekly_traffic
    rendered_description
  `),
  realm_users: words("user_id email full_name is_bot"),
  cross_realm_bots: words("user_id email full_name"),
  realm_user_groups: words("id name"),
  custom_profile_fields: words("id type name order field_data"),
};
