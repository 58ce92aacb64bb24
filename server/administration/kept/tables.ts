/**
 * What is kept in each table of the database, for how long, and what bounds it. A test compares this with the
 * schema, with the periodic jobs and with docs/what-is-kept.md, so that no table is forgotten.
 */
import {
  MAX_ALERT_WORDS,
  MAX_BOT_STORAGE_KEYS,
  MAX_CUSTOM_EMOJI,
  MAX_DEVICE_TOKENS,
  MAX_DOMAINS,
  MAX_DRAFTS,
  MAX_EXPORTS_A_WEEK,
  MAX_EXTERNAL_IDENTITIES,
  MAX_INVITATIONS,
  MAX_LINKIFIERS,
  MAX_PARTIAL_UPLOADS,
  MAX_PASSKEYS,
  MAX_PLAYGROUNDS,
  MAX_PROFILE_FIELDS,
  MAX_REMINDERS,
  MAX_SCHEDULED_MESSAGES,
  MAX_SESSIONS,
  MAX_SNIPPETS,
  MAX_STATISTICS_DAYS,
  MAX_TOPIC_POLICIES,
  MAX_VIEWS,
  PARTIAL_UPLOAD_HOURS,
  PASSKEY_CHALLENGE_MINUTES,
  RECOVERY_CODES,
  SESSION_IDLE_DAYS,
  UNLINKED_UPLOAD_DAYS,
} from "../../../api/limits.ts";
import { MAX_QUEUES_OF_USER } from "../../platform/queues/queue-limit.ts";

export interface Kept {
  /** For how long a row stays. */
  until: string;
  /** The periodic job that deletes the rows, by its name. undefined: they go by what people do, or stay. */
  job?: string;
  /** How many rows there can be. */
  bound: string;
  /** Their number increases as long as people use the server, by design. */
  grows?: true;
}

const GOES = "until it is removed";
const STAYS = "for good";

/** Rows that a person, an organization or the installation has, and that are changed in place. */
const at = (bound: string, until = GOES): Kept => ({ until, bound });
/** Rows that a periodic job deletes. */
const ends = (until: string, job: string, bound: string): Kept => ({ until, job, bound });
/** Rows that stay with what they tell of. */
const grows = (bound: string, until = STAYS): Kept => ({ until, bound, grows: true });

const ONE = at("1", STAYS);
const PER_PERSON = at("1 a person", STAYS);
const PER_ORGANIZATION = at("1 an organization", STAYS);
const WITH_MESSAGE = "with the message";
const MESSAGES = "expire_messages";

export const kept: Readonly<Record<string, Kept>> = {
  active_days: ends("36 days", "forget_statistics", "1 a person and day of these"),
  alert_words: at(`${MAX_ALERT_WORDS} a person`),
  allowed_domains: at(`${MAX_DOMAINS} an organization`),
  api_keys: PER_PERSON,
  asked_mails: ends(
    "a day",
    "forget_expired_codes",
    "1 for each address and kind that was asked for in a day",
  ),
  audit_log: grows("1 a change, until `parley audit-log` prunes it"),
  bot_storage: at(`${MAX_BOT_STORAGE_KEYS} a bot`),
  bots: at("1 a bot", STAYS),
  channel_folders: at("what administrators create", STAYS),
  channels: grows("1 a channel"),
  conversation_members: grows("1 for each person of a conversation"),
  conversations: grows("1 for each set of people who wrote to each other"),
  custom_emoji: at(`${MAX_CUSTOM_EMOJI} in use an organization; those out of use stay`, STAYS),
  default_channel_group_channels: at("what administrators choose"),
  default_channel_groups: at("what administrators choose"),
  device_tokens: at(`${MAX_DEVICE_TOKENS} a person`),
  digests: PER_PERSON,
  drafts: at(`${MAX_DRAFTS} a person`),
  erasures: at("1 an erased person", STAYS),
  event_queues: {
    until: "ten minutes to seven days without a poll, as the client asked",
    bound: `${MAX_QUEUES_OF_USER} a person`,
  },
  events: ends("eight days", "keep_event_partitions", "1 a change in these days"),
  exports: grows(`${MAX_EXPORTS_A_WEEK} an organization in a week`),
  external_identities: at(`${MAX_EXTERNAL_IDENTITIES} a person`),
  external_images: ends("a week", "forget_external_content", "10,000 or 256 MiB an organization"),
  external_pages: ends("up to a day", "forget_external_content", "10,000 an organization"),
  files_mark: ONE,
  files_to_delete: ends("until the file is deleted", "clean_up_uploads", "the files to delete"),
  former_addresses: ends("a week", "forget_former_addresses", "5 a person"),
  former_waiting_periods: grows("1 a change of the waiting period"),
  group_intervals: grows("1 for each time in a group that a message mentioned"),
  group_members: at("1 a person and group"),
  group_subgroups: at("what administrators choose"),
  groups: grows("1 a group, and for each channel's and group's own permissions"),
  guest_contacts: grows("1 a guest and person who met"),
  import_sources: at("1 for each thing that was imported", STAYS),
  imports: PER_ORGANIZATION,
  incoming_deliveries: ends("a day", "forget_incoming_deliveries", "1 a delivery in a day"),
  invitation_days: PER_ORGANIZATION,
  invitations: ends(
    "until it is used or has ended",
    "forget_expired_invitations",
    `${MAX_INVITATIONS} an organization`,
  ),
  known_devices: at("50 a person, those seen last", STAYS),
  last_mail: ONE,
  linkifiers: at(`${MAX_LINKIFIERS} an organization`),
  log_positions: grows("1 a change of subscriptions or groups"),
  log_timeline: ONE,
  mail_warnings: PER_ORGANIZATION,
  mailed_codes: ends("1 or 24 hours", "forget_expired_codes", "1 for each link that was mailed in a day"),
  mails: ends("until it is sent, or a week", "forget_old_mails", "the mails of a week that did not leave"),
  message_edits: grows("1 a change of a message", WITH_MESSAGE),
  message_expiries: PER_ORGANIZATION,
  message_flags: grows(
    "1 a person and message that is starred, collapsed or mentions the person",
    WITH_MESSAGE,
  ),
  message_uploads: grows("1 a link to an upload", WITH_MESSAGE),
  messages: { ...ends("as the channel or the organization says", MESSAGES, "1 a message"), grows: true },
  migrations: at("1 a migration of the program", STAYS),
  missed_message_cursors: PER_ORGANIZATION,
  missed_messages: ends("until it is mailed, or a day", "forget_old_news", "1 a person and message of a day"),
  muted_users: at("1 a pair of people"),
  navigation_views: at(`${MAX_VIEWS} a person`),
  old_read_states: ends("until it is converted", "convert_read_states", "those of before an upgrade"),
  organization_invitations: ends(
    "a day",
    "forget_organization_invitations",
    "200 mailed in a day, and 1 for each start without an organization",
  ),
  organization_logs: PER_ORGANIZATION,
  organizations: at("1 an organization", STAYS),
  own_data_copies: ends("a week", "clean_up_own_data", "a few a person"),
  partial_uploads: ends(
    `${PARTIAL_UPLOAD_HOURS} hours`,
    "clean_up_uploads",
    `${MAX_PARTIAL_UPLOADS} a person`,
  ),
  passkey_challenges: ends(
    `${PASSKEY_CHALLENGE_MINUTES} minutes`,
    "forget_expired_challenges",
    "1 for each attempt in this time, which a limit slows",
  ),
  passkeys: at(`${MAX_PASSKEYS} a person`),
  pending_sign_ins: ends("10 minutes", "forget_pending_sign_ins", "10 a person"),
  playgrounds: at(`${MAX_PLAYGROUNDS} an organization`),
  presences: PER_PERSON,
  profile_field_values: at("1 a person and field"),
  profile_fields: at(`${MAX_PROFILE_FIELDS} an organization`),
  quota_usage: at("1 a person and quota", STAYS),
  reactions: grows("1 a person, message and emoji", WITH_MESSAGE),
  read_states: at("1 a person and channel or conversation", STAYS),
  recovery_codes: at(`${RECOVERY_CODES} a person`),
  reminders: at(`${MAX_REMINDERS} a person`, "until it is due"),
  saved_snippets: at(`${MAX_SNIPPETS} a person`),
  scheduled_messages: at(`${MAX_SCHEDULED_MESSAGES} a person`, "until it is sent or removed"),
  search_cursors: PER_ORGANIZATION,
  search_outdated: at("the messages that wait to be indexed", "until the message is indexed"),
  search_vocabulary: grows("1 a word that was ever written"),
  search_words: grows("1 for each word of a stretch of messages", WITH_MESSAGE),
  secret_check: ONE,
  seen_onboarding_steps: at("1 a person and hint", STAYS),
  sessions: ends(
    `${SESSION_IDLE_DAYS} days without use`,
    "forget_expired_sessions",
    `${MAX_SESSIONS} a person`,
  ),
  sign_in_attempts: ends(
    "half an hour",
    "forget_sign_in_attempts",
    "1 for each account and network that was tried",
  ),
  sign_in_networks: at("20 a person, those used last", STAYS),
  sign_in_steps: ends(
    "15 minutes",
    "forget_sign_in_steps",
    "1 for each sign-in with a provider in this time",
  ),
  statistics_channel_days: ends(
    `${MAX_STATISTICS_DAYS} days`,
    "forget_statistics",
    "1 a channel and day of these on which something was sent there",
  ),
  statistics_cursors: PER_ORGANIZATION,
  statistics_days: grows("1 a day, and in an import 1 for each day of its messages"),
  submessages: grows("1 for each vote and task", WITH_MESSAGE),
  subscription_preferences: at("1 a person and channel", STAYS),
  subscriptions: grows("1 for each time that a person was in a channel"),
  topic_policies: grows(`1 a person and topic that they follow, ${MAX_TOPIC_POLICIES} a person`, GOES),
  topic_read_states: at("1 a person and topic that is partly read"),
  topics: grows("1 a topic"),
  totp_secrets: at("1 a person"),
  upload_space: PER_ORGANIZATION,
  uploads: {
    ...ends(
      `${UNLINKED_UPLOAD_DAYS} days without a message that links it`,
      "clean_up_uploads",
      "the space that the organization has",
    ),
    grows: true,
  },
  user_statuses: at("1 a person"),
  users: at("1 a person or bot, also deactivated ones", STAYS),
  webhook_deliveries: ends(
    "until it is delivered, or two days",
    "forget_outgoing_deliveries",
    "the calls of two days that wait",
  ),
};

/** The table of the page, a row for each table. */
export function describeKept(): string {
  const rows = Object.entries(kept).map(([table, { until, job, bound, grows: isGrowing }]) => {
    const cells = [
      `\`${table}\``,
      until,
      job === undefined ? "" : `\`${job}\``,
      bound,
      isGrowing ? "yes" : "",
    ];
    return `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  });
  return [
    "| table | for how long | the job that ends it | how many rows | grows |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
