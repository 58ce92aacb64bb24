/** A person's settings: display, notifications, privacy. */
import { type TEnum, type TEnumValue, Type } from "typebox";
import { type UserSetting, userSetting } from "../setting.ts";

const display = "update_display_settings";
const notification = "update_global_notifications";

type More = Partial<Pick<UserSetting, "legacyEvent" | "hasOrganizationDefault" | "isByLanguage">>;

function flag(name: string, value: boolean, description: string, more?: More) {
  return userSetting({ name, schema: Type.Boolean(), default: value, description, ...more });
}

function choice<const Values extends TEnumValue[]>(
  name: string,
  values: readonly [...Values],
  value: Values[number],
  description: string,
  more?: More,
): UserSetting<TEnum<Values>> {
  return userSetting<TEnum<Values>>({
    name,
    schema: Type.Enum(values),
    default: value as never,
    description,
    ...more,
  });
}

const isDisplay = { legacyEvent: display } as const;
const notifies = { legacyEvent: notification } as const;

export const userSettings = {
  // Display.
  fluidLayoutWidth: flag(
    "fluid_layout_width",
    false,
    "Whether the client uses the full width of the window.",
    isDisplay,
  ),
  highContrastMode: flag("high_contrast_mode", false, "Whether colors have more contrast.", isDisplay),
  translateEmoticons: flag(
    "translate_emoticons",
    false,
    "Whether emoticons such as `:)` become emoji when sent.",
    isDisplay,
  ),
  twentyFourHourTime: flag(
    "twenty_four_hour_time",
    false,
    "Whether times are shown in 24-hour format. Until it is set, times are as the language writes them, and " +
      "the value says which that is.",
    { ...isDisplay, isByLanguage: true },
  ),
  leftSideUserlist: flag("left_side_userlist", false, "Whether the user list is on the left.", isDisplay),
  starredMessageCounts: flag(
    "starred_message_counts",
    true,
    "Whether the number of starred messages is shown.",
    isDisplay,
  ),
  displayEmojiReactionUsers: flag(
    "display_emoji_reaction_users",
    true,
    "Whether names are shown beside a reaction that few people have.",
    isDisplay,
  ),
  enterSends: flag("enter_sends", false, "Whether the Enter key sends.", isDisplay),
  hideAiFeatures: flag("hide_ai_features", false, "Whether features that use language models are hidden."),
  webEscapeNavigatesToHomeView: flag(
    "web_escape_navigates_to_home_view",
    true,
    "Whether the Escape key leads to the home view.",
    isDisplay,
  ),
  webNavigateToSentMessage: flag(
    "web_navigate_to_sent_message",
    true,
    "Whether the view goes to the conversation of a message just sent.",
  ),
  webSuggestUpdateTimezone: flag(
    "web_suggest_update_timezone",
    true,
    "Whether the web client offers to update the time zone when the browser's is different.",
  ),
  webLeftSidebarShowChannelFolders: flag(
    "web_left_sidebar_show_channel_folders",
    true,
    "Whether the sidebar groups channels by folder.",
  ),
  webLeftSidebarUnreadsCountSummary: flag(
    "web_left_sidebar_unreads_count_summary",
    true,
    "Whether the sidebar shows the unread counts of its sections.",
  ),
  webFontSizePx: userSetting({
    name: "web_font_size_px",
    schema: Type.Integer({ minimum: 12, maximum: 20 }),
    default: 14,
    description: "The web client's font size, in pixels.",
  }),
  webLineHeightPercent: userSetting({
    name: "web_line_height_percent",
    schema: Type.Integer({ minimum: 100, maximum: 200 }),
    default: 122,
    description: "The web client's line height, in per cent of the font size.",
  }),
  colorScheme: choice("color_scheme", [1, 2, 3], 1, "1 as the system, 2 dark, 3 light.", isDisplay),
  demoteInactiveStreams: choice(
    "demote_inactive_streams",
    [1, 2, 3],
    1,
    "Whether inactive channels move to the end of the sidebar: 1 when there are many channels, 2 always, 3 never.",
    isDisplay,
  ),
  userListStyle: choice(
    "user_list_style",
    [1, 2, 3],
    2,
    "The list of people: 1 compact, 2 with their status, 3 with status and picture.",
    isDisplay,
  ),
  webStreamUnreadsCountDisplayPolicy: choice(
    "web_stream_unreads_count_display_policy",
    [1, 2, 3],
    2,
    "Which channels show unread counts: 1 all, 2 those that are not muted, 3 none.",
    isDisplay,
  ),
  webMarkReadOnScrollPolicy: choice(
    "web_mark_read_on_scroll_policy",
    [1, 2, 3],
    1,
    "When scrolling marks messages as read: 1 always, 2 in conversations only, 3 never.",
    isDisplay,
  ),
  webChannelDefaultView: choice(
    "web_channel_default_view",
    [1, 2, 3, 4],
    1,
    "Where a click on a channel leads: 1 its newest topic, 2 its messages, 3 its list of topics, 4 its topics in the inbox.",
  ),
  webAnimateImagePreviews: choice(
    "web_animate_image_previews",
    ["always", "on_hover", "never"],
    "on_hover",
    "When animated pictures move: `always`, `on_hover` or `never`.",
  ),
  webHomeView: choice(
    "web_home_view",
    ["inbox", "recent_topics", "all_messages"],
    "inbox",
    "The view in which the client starts: `inbox`, `recent_topics` or `all_messages`.",
    isDisplay,
  ),
  emojiset: choice(
    "emojiset",
    ["google", "google-blob", "twitter", "text"],
    "google",
    "The style of emoji: `google`, `google-blob`, `twitter`, or `text` for their names.",
    isDisplay,
  ),
  defaultLanguage: userSetting({
    name: "default_language",
    schema: Type.String({ maxLength: 50, pattern: "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$" }),
    default: "en",
    description: "The client's language.",
    legacyEvent: display,
    hasOrganizationDefault: false,
  }),
  timezone: userSetting({
    name: "timezone",
    schema: Type.String({ maxLength: 64, pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$" }),
    default: "UTC",
    description: "The person's time zone, as an IANA name.",
    legacyEvent: display,
    hasOrganizationDefault: false,
  }),

  // Notifications.
  enableStreamDesktopNotifications: flag(
    "enable_stream_desktop_notifications",
    false,
    "Whether every channel message causes a desktop notification, unless the subscription's own setting differs.",
    notifies,
  ),
  enableStreamEmailNotifications: flag(
    "enable_stream_email_notifications",
    false,
    "Whether all channel messages are sent by email, unless the subscription's own setting differs.",
    notifies,
  ),
  enableStreamPushNotifications: flag(
    "enable_stream_push_notifications",
    false,
    "Whether all channel messages cause notifications on mobile devices, unless the subscription's own setting differs.",
    notifies,
  ),
  enableStreamAudibleNotifications: flag(
    "enable_stream_audible_notifications",
    false,
    "Whether all channel messages play a sound, unless the subscription's own setting differs.",
    notifies,
  ),
  wildcardMentionsNotify: flag(
    "wildcard_mentions_notify",
    true,
    "Whether a mention of everyone notifies like a mention by name.",
    notifies,
  ),
  enableFollowedTopicDesktopNotifications: flag(
    "enable_followed_topic_desktop_notifications",
    true,
    "Whether messages in followed topics cause desktop notifications.",
    notifies,
  ),
  enableFollowedTopicEmailNotifications: flag(
    "enable_followed_topic_email_notifications",
    true,
    "Whether messages in followed topics are sent by email.",
    notifies,
  ),
  enableFollowedTopicPushNotifications: flag(
    "enable_followed_topic_push_notifications",
    true,
    "Whether messages in followed topics cause notifications on mobile devices.",
    notifies,
  ),
  enableFollowedTopicAudibleNotifications: flag(
    "enable_followed_topic_audible_notifications",
    true,
    "Whether messages in followed topics play a sound.",
    notifies,
  ),
  enableFollowedTopicWildcardMentionsNotify: flag(
    "enable_followed_topic_wildcard_mentions_notify",
    true,
    "Whether a mention of everyone in a followed topic notifies like a mention by name.",
    notifies,
  ),
  enableDesktopNotifications: flag(
    "enable_desktop_notifications",
    true,
    "Whether direct messages and mentions cause desktop notifications.",
    notifies,
  ),
  enableSounds: flag("enable_sounds", true, "Whether direct messages and mentions play a sound.", notifies),
  enableOfflineEmailNotifications: flag(
    "enable_offline_email_notifications",
    true,
    "Whether direct messages and mentions are sent by email while the user is offline.",
    notifies,
  ),
  enableOfflinePushNotifications: flag(
    "enable_offline_push_notifications",
    true,
    "Whether direct messages and mentions cause notifications on mobile devices while the user is offline.",
    notifies,
  ),
  enableOnlinePushNotifications: flag(
    "enable_online_push_notifications",
    true,
    "Whether mobile devices notify even while the user is online.",
    notifies,
  ),
  enableDigestEmails: flag(
    "enable_digest_emails",
    true,
    "Whether the user gets digest emails, if the organization sends them.",
    notifies,
  ),
  enableLoginEmails: flag("enable_login_emails", true, "Whether each new sign-in is reported by email.", {
    legacyEvent: notification,
    hasOrganizationDefault: false,
  }),
  enableMarketingEmails: flag("enable_marketing_emails", true, "Whether occasional news comes by email.", {
    legacyEvent: notification,
    hasOrganizationDefault: false,
  }),
  messageContentInEmailNotifications: flag(
    "message_content_in_email_notifications",
    true,
    "Whether notification emails include the message's text.",
    notifies,
  ),
  pmContentInDesktopNotifications: flag(
    "pm_content_in_desktop_notifications",
    true,
    "Whether desktop notifications show the text of direct messages.",
    notifies,
  ),
  notificationSound: choice(
    "notification_sound",
    ["zulip", "ding", "none"],
    "zulip",
    "The sound of notifications, one of `available_notification_sounds`, or `none`.",
    notifies,
  ),
  desktopIconCountDisplay: choice(
    "desktop_icon_count_display",
    [1, 2, 3, 4],
    1,
    "What the client's icon counts: 1 all unread messages, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 nothing.",
    notifies,
  ),
  realmNameInEmailNotificationsPolicy: choice(
    "realm_name_in_email_notifications_policy",
    [1, 2, 3],
    1,
    "Whether emails name the organization: 1 if the person is in several, 2 always, 3 never.",
    notifies,
  ),
  emailNotificationsBatchingPeriodSeconds: userSetting({
    name: "email_notifications_batching_period_seconds",
    schema: Type.Integer({ minimum: 1, maximum: 7 * 24 * 3600 }),
    default: 120,
    description: "How long a notification email waits for further messages to include, in seconds.",
    legacyEvent: notification,
  }),
  automaticallyFollowTopicsPolicy: choice(
    "automatically_follow_topics_policy",
    [1, 2, 3, 4],
    3,
    "Which topics are followed automatically: 1 those the user takes part in, 2 those the user sends messages to, 3 those the user starts, 4 none.",
    notifies,
  ),
  automaticallyUnmuteTopicsInMutedStreamsPolicy: choice(
    "automatically_unmute_topics_in_muted_streams_policy",
    [1, 2, 3, 4],
    2,
    "Which topics of muted channels are unmuted automatically. The numbers are those of `automatically_follow_topics_policy`.",
    notifies,
  ),
  automaticallyFollowTopicsWhereMentioned: flag(
    "automatically_follow_topics_where_mentioned",
    true,
    "Whether topics in which the user is mentioned, by name or in a group, are followed automatically.",
    notifies,
  ),
  resolvedTopicNoticeAutoReadPolicy: choice(
    "resolved_topic_notice_auto_read_policy",
    ["always", "except_followed", "never"],
    "except_followed",
    "Whether notices that a topic was resolved count as read: `always`, `except_followed` or `never`.",
  ),

  // Privacy.
  presenceEnabled: flag("presence_enabled", true, "Whether others see when the user is there.", notifies),
  sendPrivateTypingNotifications: flag(
    "send_private_typing_notifications",
    true,
    "Whether other people see when the user types a direct message.",
  ),
  sendStreamTypingNotifications: flag(
    "send_stream_typing_notifications",
    true,
    "Whether other people see when the user types in a channel.",
  ),
  receivesTypingNotifications: flag(
    "receives_typing_notifications",
    true,
    "Whether the user sees when other people type.",
  ),
  sendReadReceipts: flag("send_read_receipts", true, "Whether others see what the user has read."),
  emailAddressVisibility: choice(
    "email_address_visibility",
    [1, 2, 3, 4, 5],
    1,
    "Who sees the user's email address: 1 everyone, 2 all but guests, 3 administrators, 4 nobody, 5 moderators.",
  ),
  allowPrivateDataExport: flag(
    "allow_private_data_export",
    false,
    "Whether an export of the organization may include the user's private messages.",
    { hasOrganizationDefault: false },
  ),
  enableDraftsSynchronization: flag(
    "enable_drafts_synchronization",
    true,
    "Whether drafts are kept on the server.",
  ),
};

/** All personal settings, for generating parameters and events. */
export const userSettingList: readonly UserSetting[] = Object.values(userSettings);

export const notificationSounds = ["zulip", "ding"] as const;

export const emojisetChoices = [
  { key: "google", text: "Google" },
  { key: "google-blob", text: "Google blobs" },
  { key: "twitter", text: "Twitter" },
  { key: "text", text: "Plain text" },
] as const;
