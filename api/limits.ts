/**
 * How long the texts of users may be, counted in code points. `/register` tells clients those that they need.
 */
export const MAX_MESSAGE_LENGTH = 10_000;
export const MAX_TOPIC_LENGTH = 60;
export const MAX_CHANNEL_NAME_LENGTH = 60;
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024;
export const MAX_FOLDER_NAME_LENGTH = 60;
export const MAX_FOLDER_DESCRIPTION_LENGTH = 1024;
export const MAX_GROUP_NAME_LENGTH = 100;
export const MAX_GROUP_DESCRIPTION_LENGTH = 1024;
export const MAX_REMINDER_NOTE_LENGTH = 1000;
export const MAX_ORGANIZATION_NAME_LENGTH = 40;
export const MAX_ORGANIZATION_DESCRIPTION_LENGTH = 1000;
export const MAX_WELCOME_TEXT_LENGTH = 8000;
export const MIN_FULL_NAME_LENGTH = 2;
export const MAX_FULL_NAME_LENGTH = 100;
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 100;
/** How many guesses a password must withstand. */
export const MIN_PASSWORD_GUESSES = 10_000;
/** The length of a JSON web token with which somebody signs in. */
export const MAX_JWT_LENGTH = 8192;

/** A text of a poll, of a list of tasks, or of ready-made replies. */
export const MAX_WIDGET_TEXT_LENGTH = 1000;
/** The answers, tasks or replies that one of these begins with. */
export const MAX_WIDGET_ENTRIES = 100;

/** The most messages that one call reads or changes by a narrow, and that one names. */
export const MAX_MESSAGES_A_CALL = 5000;
/** How many channels one call can name. */
export const MAX_CHANNELS_A_CALL = 1000;
/** How many people one call can subscribe or unsubscribe. */
export const MAX_PRINCIPALS_A_CALL = 20_000;
/** The most people that one call subscribes and notifies of that by direct message. */
export const MAX_BULK_SUBSCRIPTION_MESSAGES = 100;
/** The length of the explanation in a report of a message (spec E8). */
export const MAX_REPORT_LENGTH = 1000;
/** The length of the text for a person whose account an administrator deactivates. */
export const MAX_DEACTIVATION_COMMENT_LENGTH = 2000;
/** Topics that one person mutes, unmutes or follows by hand. */
export const MAX_TOPIC_POLICIES = 10_000;
export const MAX_ALERT_WORD_LENGTH = 100;
/** How many one person keeps. */
export const MAX_ALERT_WORDS = 1000;
export const MAX_SNIPPET_TITLE_LENGTH = 60;
/** How many one person keeps. */
export const MAX_SNIPPETS = 500;
export const MAX_VIEW_NAME_LENGTH = 60;
/** Long enough for a channel and a topic in letters that take nine characters each in a URL. */
export const MAX_VIEW_FRAGMENT_LENGTH = 2000;
/** Navigation views of one person. */
export const MAX_VIEWS = 500;
/** How many one person keeps. */
export const MAX_DRAFTS = 1000;
/** In each list of people who can sign in on a development server. */
export const MAX_DEVELOPMENT_USERS = 100;
/** The length of the token of one device, for a push service. */
export const MAX_DEVICE_TOKEN_LENGTH = 4096;
/** How many one person keeps; the oldest make room for new ones. */
export const MAX_DEVICE_TOKENS = 50;
/** What somebody says that they are doing. */
export const MAX_STATUS_TEXT_LENGTH = 60;
/** Messages of one person that are yet to be sent, and those that could not be sent. */
export const MAX_SCHEDULED_MESSAGES = 200;
export const MAX_REMINDERS = 500;
/** How far ahead a message can be scheduled, and a reminder set. */
export const MAX_YEARS_AHEAD = 5;
/** Custom profile fields of one organization. */
export const MAX_PROFILE_FIELDS = 100;
/** How many of these the short form of a profile has. */
export const MAX_SUMMARY_FIELDS = 2;
export const MAX_PROFILE_FIELD_NAME_LENGTH = 40;
export const MAX_PROFILE_FIELD_HINT_LENGTH = 80;
/** Options of all fields of one organization together, since `/register` sends all of them. */
export const MAX_PROFILE_OPTIONS = 1000;
export const MAX_PROFILE_OPTION_KEY_LENGTH = 32;
export const MAX_PROFILE_SHORT_TEXT_LENGTH = 50;
export const MAX_PROFILE_LONG_TEXT_LENGTH = 500;
export const MAX_PROFILE_URL_LENGTH = 1000;
/** In one value of a field that names people. */
export const MAX_PROFILE_PEOPLE = 100;
/** How many one organization has. */
export const MAX_LINKIFIERS = 100;
/** The renderer has the same limit. */
export const MAX_LINKIFIER_PATTERN_LENGTH = 500;
/** The length of a linkifier's link, or of a playground's. */
export const MAX_URL_TEMPLATE_LENGTH = 1000;
/** How many one organization has. */
export const MAX_PLAYGROUNDS = 100;
export const MAX_EMOJI_NAME_LENGTH = 100;
export const MAX_EMOJI_FILE_MIB = 5;
/** The size of the file with a picture of a person or bot. */
export const MAX_AVATAR_FILE_MIB = 5;
/** The size of the file with the organization's square picture, and with a wide one. */
export const MAX_ICON_FILE_MIB = 5;
export const MAX_LOGO_FILE_MIB = 5;
/**
 * How many one organization has, with those out of use, since messages may have them. A change sends all of
 * them.
 */
export const MAX_CUSTOM_EMOJI = 1000;
export const MAX_PLAYGROUND_NAME_LENGTH = 100;
export const MAX_PLAYGROUND_LANGUAGE_LENGTH = 40;
/** The most domains whose email addresses one organization takes. */
export const MAX_DOMAINS = 500;
/** Active bots of one person. */
export const MAX_BOTS = 100;
/** Active bots of one organization. */
export const MAX_BOTS_OF_ORGANIZATION = 2000;
export const MAX_PAYLOAD_URL_LENGTH = 2000;
export const MAX_SERVICE_NAME_LENGTH = 100;
/** What the program of a bot is configured with. */
export const MAX_BOT_CONFIG_ENTRIES = 50;
export const MAX_BOT_CONFIG_KEY_LENGTH = 100;
export const MAX_BOT_CONFIG_VALUE_LENGTH = 1000;
/** What one bot stores on the server. */
export const MAX_BOT_STORAGE_KEYS = 1000;
export const MAX_BOT_STORAGE_KEY_LENGTH = 255;
/** Keys and values together. */
export const MAX_BOT_STORAGE_LENGTH = 500_000;
/** Addresses that one call invites. */
export const MAX_INVITATIONS_A_CALL = 1000;
/** Open invitations of one organization, links too. */
export const MAX_INVITATIONS = 5000;
/** Addresses that one organization invites in a day, and people who join by its links. */
export const MAX_INVITATIONS_A_DAY = 1000;
/** Channels that one invitation names. */
export const MAX_INVITATION_CHANNELS = 500;
/** Groups that one invitation names. */
export const MAX_INVITATION_GROUPS = 100;
/** Ten years. */
export const MAX_INVITATION_MINUTES = 5_256_000;
/** Entries of the audit log that one call reads. */
export const MAX_AUDIT_ENTRIES_A_CALL = 100;
/** Characters of a text in an entry of the audit log. No shorter than the descriptions of things. */
export const MAX_AUDIT_TEXT_LENGTH = 1024;
/** Elements of a list in an entry of the audit log. */
export const MAX_AUDIT_LIST = 100;
/** Exports of one organization in any seven days. */
export const MAX_EXPORTS_A_WEEK = 5;
export const MAX_EXPORTS_LISTED = 100;
/** Copies of their own data that may fail for one person in a day. */
export const MAX_FAILED_COPIES_A_DAY = 3;
/** How long the file of an export, or of such a copy, is kept. */
export const EXPORT_FILE_DAYS = 7;
/** How long the link to such a file works. A call for the list gives a new one. */
export const EXPORT_LINK_HOURS = 24;
/** Days of statistics in an answer, and for which messages are kept by channel. */
export const MAX_STATISTICS_DAYS = 400;
export const DEFAULT_STATISTICS_DAYS = 28;
/** People, and channels, in the answer about storage. The rest is one line. */
export const MAX_STORAGE_LISTED = 20;
/** The size of an uploaded file, unless the operator chose otherwise. */
export const DEFAULT_UPLOAD_MIB = 25;
/** Uploads of one person in a list. */
export const MAX_ATTACHMENTS_LISTED = 10_000;
/** Messages of one upload in a list, and in an event. */
export const MAX_MESSAGES_OF_ATTACHMENT = 100;
/** Uploads that one message can link. Further links in it are only text. */
export const MAX_UPLOADS_A_MESSAGE = 100;
/** How long an upload that no message links is kept. */
export const UNLINKED_UPLOAD_DAYS = 35;
/** How long the temporary address of an upload works. */
export const TEMPORARY_URL_SECONDS = 60;
/** Files of one person of which a part has arrived. */
export const MAX_PARTIAL_UPLOADS = 20;
/** How long the rest of such a file can follow, and how long its outcome can be asked for again. */
export const PARTIAL_UPLOAD_HOURS = 24;
/** In the address of an incoming webhook: patterns for names of events, and the text of a message. */
export const MAX_EVENT_PATTERNS = 100;
export const MAX_EVENT_PATTERN_LENGTH = 100;
export const MAX_WEBHOOK_TEMPLATE_LENGTH = 2000;
/** Sessions of browsers that one person can have. The one that was not used for longest ends first. */
export const MAX_SESSIONS = 50;
/** Passkeys of one person. */
export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME_LENGTH = 60;
/** Recovery codes that a person gets at once. */
export const RECOVERY_CODES = 10;
/** How long a sign-in, or a second step, counts as a proof for changes of second steps. */
export const RECENT_PROOF_MINUTES = 10;
/** How long a password that was set by mail gives nobody the role of an administrator or owner. */
export const MAILED_PASSWORD_HOURS = 24;
/** How long a challenge for a passkey can be answered. */
export const PASSKEY_CHALLENGE_MINUTES = 5;
/** How long a session lasts, however much it is used. */
export const MAX_SESSION_DAYS = 180;
/** After how many days without use a session ends. */
export const SESSION_IDLE_DAYS = 30;
/** Identities of sign-in providers that one account has. The one that was not used for longest ends first. */
export const MAX_EXTERNAL_IDENTITIES = 20;
