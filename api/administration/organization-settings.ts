/**
 * The settings of an organization that have a plain value; those whose value is a group are in
 * `organization-permissions.ts`.
 */
import { Type } from "typebox";
import { MAX_ORGANIZATION_DESCRIPTION_LENGTH, MAX_WELCOME_TEXT_LENGTH } from "../limits.ts";
import { type OrganizationSetting, organizationSetting } from "../setting.ts";

const DAY = 24 * 3600;
const MAX_SECONDS = 2 ** 31 - 1;
const MAX_DAYS = 1_000_000;

/** Seconds, or null for no limit; in a request also the word `unlimited`. */
const timeLimit = Type.Union([Type.Integer({ minimum: 1, maximum: MAX_SECONDS }), Type.Null()]);
const unlimited = { unlimited: null };

const channelId = Type.Integer({ minimum: -1 });

export const organizationSettings = {
  description: organizationSetting({
    name: "description",
    schema: Type.String({ maxLength: MAX_ORGANIZATION_DESCRIPTION_LENGTH }),
    default: "",
    description: "What the organization is about, in Markdown; people see it before they sign in.",
  }),
  orgType: organizationSetting({
    name: "org_type",
    schema: Type.Enum([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000]),
    default: 0,
    description:
      "What kind of organization it is: 0 unspecified, 10 business, 20 open-source project, 30 education (non-profit), 35 education, 40 research, 50 event, 60 non-profit, 70 government, 80 political group, 90 community, 100 personal, 1000 other.",
  }),
  defaultLanguage: organizationSetting({
    name: "default_language",
    schema: Type.String({ maxLength: 50, pattern: "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$" }),
    default: "en",
    description: "The initial language of new users, and the language of the server's messages in channels.",
  }),
  defaultCodeBlockLanguage: organizationSetting({
    name: "default_code_block_language",
    schema: Type.String({ maxLength: 40, pattern: "^[^\\s`]*$" }),
    default: "",
    description: "The language of code blocks that name none; empty for none.",
  }),
  inviteRequired: organizationSetting({
    name: "invite_required",
    schema: Type.Boolean(),
    default: true,
    description: "Whether people need an invitation to join.",
    changedBy: "owner",
  }),
  emailsRestrictedToDomains: organizationSetting({
    name: "emails_restricted_to_domains",
    schema: Type.Boolean(),
    default: false,
    description: "Whether only people with email addresses of listed domains may join.",
    changedBy: "owner",
  }),
  disallowDisposableEmailAddresses: organizationSetting({
    name: "disallow_disposable_email_addresses",
    schema: Type.Boolean(),
    default: true,
    description: "Whether disposable email addresses are refused.",
    changedBy: "owner",
  }),
  waitingPeriodThreshold: organizationSetting({
    name: "waiting_period_threshold",
    schema: Type.Integer({ minimum: 0, maximum: MAX_DAYS }),
    default: 0,
    description: "After how many days a member becomes a full member.",
    changedBy: "owner",
  }),
  emailChangesDisabled: organizationSetting({
    name: "email_changes_disabled",
    schema: Type.Boolean(),
    default: false,
    description: "Whether people may not change their email address.",
  }),
  nameChangesDisabled: organizationSetting({
    name: "name_changes_disabled",
    schema: Type.Boolean(),
    default: false,
    description: "Whether people may not change their name.",
  }),
  avatarChangesDisabled: organizationSetting({
    name: "avatar_changes_disabled",
    schema: Type.Boolean(),
    default: false,
    description: "Whether people may not change their picture.",
  }),
  defaultAvatarSource: organizationSetting({
    name: "default_avatar_source",
    schema: Type.Enum(["G", "J"]),
    default: "J",
    description:
      "What stands for people without a picture of their own: `J` for their initials, drawn by the server, `G` for a picture that Gravatar makes of their email address.",
    event: "update_dict",
  }),
  requireUniqueNames: organizationSetting({
    name: "require_unique_names",
    schema: Type.Boolean(),
    default: false,
    description: "Whether people must have different names.",
  }),
  allowMessageEditing: organizationSetting({
    name: "allow_message_editing",
    schema: Type.Boolean(),
    default: true,
    description: "Whether people may edit their messages.",
    event: "update_dict",
  }),
  messageContentEditLimitSeconds: organizationSetting({
    name: "message_content_edit_limit_seconds",
    schema: timeLimit,
    default: 600,
    description: "How long after sending people may edit their messages, in seconds; null for no limit.",
    event: "update_dict",
    words: unlimited,
  }),
  messageContentDeleteLimitSeconds: organizationSetting({
    name: "message_content_delete_limit_seconds",
    schema: timeLimit,
    default: 600,
    description:
      "How long after sending people may delete their own messages, in seconds; null for no limit.",
    event: "update_dict",
    words: unlimited,
  }),
  moveMessagesWithinStreamLimitSeconds: organizationSetting({
    name: "move_messages_within_stream_limit_seconds",
    schema: timeLimit,
    default: 7 * DAY,
    description:
      "How old a message may be when it is moved to another topic of its channel, in seconds; null for no limit.",
    event: "update_dict",
    words: unlimited,
  }),
  moveMessagesBetweenStreamsLimitSeconds: organizationSetting({
    name: "move_messages_between_streams_limit_seconds",
    schema: timeLimit,
    default: 7 * DAY,
    description:
      "How old a message may be when it is moved to another channel, in seconds; null for no limit.",
    event: "update_dict",
    words: unlimited,
  }),
  messageEditHistoryVisibilityPolicy: organizationSetting({
    name: "message_edit_history_visibility_policy",
    schema: Type.Enum(["all", "moves", "none"]),
    default: "all",
    description: "Which part of a message's edit history people may see: `all`, only `moves`, or `none`.",
    event: "update_dict",
    twins: { allow_edit_history: (policy) => policy !== "none" },
  }),
  messageRetentionDays: organizationSetting({
    name: "message_retention_days",
    schema: Type.Union([Type.Literal(-1), Type.Integer({ minimum: 1, maximum: MAX_DAYS })]),
    default: -1,
    description: "How long messages are kept, in days; -1 or `unlimited` to keep them forever.",
    changedBy: "owner",
    words: { unlimited: -1 },
  }),
  topicsPolicy: organizationSetting({
    name: "topics_policy",
    schema: Type.Enum(["allow_empty_topic", "disable_empty_topic"]),
    default: "allow_empty_topic",
    description: "Whether messages may have the empty topic, in channels that inherit this setting.",
    event: "update_dict",
    twins: { mandatory_topics: (policy) => policy === "disable_empty_topic" },
  }),
  enableReadReceipts: organizationSetting({
    name: "enable_read_receipts",
    schema: Type.Boolean(),
    default: true,
    description: "Whether people can see who has read a message.",
  }),
  enableSpectatorAccess: organizationSetting({
    name: "enable_spectator_access",
    schema: Type.Boolean(),
    default: false,
    description: "Whether people without an account may read web-public channels, if the server allows it.",
  }),
  enableGuestUserIndicator: organizationSetting({
    name: "enable_guest_user_indicator",
    schema: Type.Boolean(),
    default: true,
    description: "Whether clients show that a user is a guest, beside the user's name.",
  }),
  enableGuestUserDmWarning: organizationSetting({
    name: "enable_guest_user_dm_warning",
    schema: Type.Boolean(),
    default: true,
    description: "Whether clients warn when a direct message goes to a guest.",
  }),
  presenceDisabled: organizationSetting({
    name: "presence_disabled",
    schema: Type.Boolean(),
    default: false,
    description: "Whether presence, which shows who is online, is disabled.",
  }),
  digestEmailsEnabled: organizationSetting({
    name: "digest_emails_enabled",
    schema: Type.Boolean(),
    default: false,
    description: "Whether people who were away get digest emails about what they missed.",
  }),
  digestWeekday: organizationSetting({
    name: "digest_weekday",
    schema: Type.Integer({ minimum: 0, maximum: 6 }),
    default: 1,
    description: "The day of the week for digest emails, from 0 for Monday to 6 for Sunday.",
  }),
  sendWelcomeEmails: organizationSetting({
    name: "send_welcome_emails",
    schema: Type.Boolean(),
    default: true,
    description: "Whether people who join get onboarding emails.",
  }),
  welcomeMessageCustomText: organizationSetting({
    name: "welcome_message_custom_text",
    schema: Type.String({ maxLength: MAX_WELCOME_TEXT_LENGTH }),
    default: "",
    description: "Text in Markdown that is added to the welcome message for people who join.",
  }),
  messageContentAllowedInEmailNotifications: organizationSetting({
    name: "message_content_allowed_in_email_notifications",
    schema: Type.Boolean(),
    default: true,
    description: "Whether notification emails may include the message's text.",
  }),
  inlineImagePreview: organizationSetting({
    name: "inline_image_preview",
    schema: Type.Boolean(),
    default: true,
    description: "Whether linked images are shown below messages.",
  }),
  inlineUrlEmbedPreview: organizationSetting({
    name: "inline_url_embed_preview",
    schema: Type.Boolean(),
    default: false,
    description: "Whether previews of linked pages are shown below messages.",
  }),
  wantAdvertiseInCommunitiesDirectory: organizationSetting({
    name: "want_advertise_in_communities_directory",
    schema: Type.Boolean(),
    default: false,
    description: "Whether the organization wants to be listed publicly.",
  }),
  videoChatProvider: organizationSetting({
    name: "video_chat_provider",
    schema: Type.Enum([0, 1]),
    default: 1,
    description: "The service for calls: 0 none, 1 Jitsi Meet.",
  }),
  jitsiServerUrl: organizationSetting({
    name: "jitsi_server_url",
    schema: Type.Union([
      Type.String({ maxLength: 200, pattern: "^https?://[^\\s/]+(/\\S*)?$" }),
      Type.Null(),
    ]),
    default: null,
    description: "The address of the Jitsi server; null or `default` for the server's own.",
    words: { default: null },
  }),
  giphyRating: organizationSetting({
    name: "giphy_rating",
    schema: Type.Integer({ minimum: 0, maximum: 5 }),
    default: 2,
    description: "The highest rating of GIFs that can be picked: 0 no GIFs, 1 Y, 2 G, 3 PG, 4 PG-13, 5 R.",
  }),
  requireE2eePushNotifications: organizationSetting({
    name: "require_e2ee_push_notifications",
    schema: Type.Boolean(),
    default: false,
    description: "Whether push notifications leave the server only when they are encrypted for the device.",
  }),
  sendChannelEventsMessages: organizationSetting({
    name: "send_channel_events_messages",
    schema: Type.Boolean(),
    default: true,
    description: "Whether messages in a channel announce its creation and its changes.",
  }),
  newStreamAnnouncementsStreamId: organizationSetting({
    name: "new_stream_announcements_stream_id",
    schema: channelId,
    default: -1,
    description: "The channel in which new channels are announced; -1 for none.",
    isChannel: true,
  }),
  signupAnnouncementsStreamId: organizationSetting({
    name: "signup_announcements_stream_id",
    schema: channelId,
    default: -1,
    description: "The channel in which people who join are announced; -1 for none.",
    isChannel: true,
  }),
  updateAnnouncementsStreamId: organizationSetting({
    name: "zulip_update_announcements_stream_id",
    schema: channelId,
    default: -1,
    description: "The channel in which news of the server's software is announced; -1 for none.",
    aliases: ["service_update_announcements_stream_id"],
    twins: { service_update_announcements_stream_id: (id) => id },
    isChannel: true,
  }),
  moderationRequestChannelId: organizationSetting({
    name: "moderation_request_channel_id",
    schema: channelId,
    default: -1,
    description: "The private channel that receives reports of messages; -1 for none.",
    aliases: ["moderation_request_channel"],
    twins: { moderation_request_channel: (id) => id },
    isChannel: true,
  }),
  requireSecondStep: organizationSetting({
    name: "require_second_step",
    schema: Type.Enum(["nobody", "administrators", "everyone"]),
    default: "nobody",
    description: "The people who need a second step where they sign in by password. API keys and bots go on.",
    changedBy: "owner",
  }),
  uploadQuotaMib: organizationSetting({
    name: "upload_quota_mib",
    schema: Type.Union([Type.Integer({ minimum: 0, maximum: MAX_SECONDS }), Type.Null()]),
    default: null,
    description: "How many MiB all uploaded files may take together; null for no limit.",
    changedBy: "owner",
    event: "update_dict",
    words: unlimited,
  }),
};

/** All organization settings, for generating parameters and events. */
export const organizationSettingList: readonly OrganizationSetting[] = Object.values(organizationSettings);
