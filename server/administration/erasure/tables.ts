/**
 * What the erasure of a person does with each table of the database. A test compares this with the schema: a
 * table that is not here fails it, and so does a column with somebody's ID that its table does not name.
 */

/**
 * `deletes`: rows whose column has the person's ID go, in the change itself (`now`) or by the job (`later`).
 * In reminders and scheduled messages of others, mentions of the person get the neutral name besides.
 * `changes`: what is done by other means. `keeps`: why everything stays. `columns`: those with IDs of people.
 */
export type Fate =
  | { deletes: "now" | "later"; column: string; columns?: readonly string[] }
  | { changes: string; columns?: readonly string[] }
  | { keeps: string; columns?: readonly string[] };

const now = (column = "user_id"): Fate => ({ deletes: "now", column });
const later = (column = "user_id"): Fate => ({ deletes: "later", column });
const keeps = (reason: string, ...columns: string[]): Fate => ({ keeps: reason, columns });
const changes = (what: string, ...columns: string[]): Fate => ({ changes: what, columns });

const NOBODY = "It tells nothing of a person.";
const BOTS = "Only bots have such rows. They stay, deactivated.";
const BY_ID = "It has the ID alone, which leads to the neutral name.";
const EXPIRES = "It names nobody in plain text, and expires within an hour.";
const INDEX = "It follows the texts of messages.";

export const fates: Readonly<Record<string, Fate>> = {
  active_days: later(),
  alert_words: now(),
  allowed_domains: keeps(NOBODY),
  api_keys: now(),
  asked_mails: changes("The counts of the person's addresses go."),
  audit_log: changes("Names, addresses, networks and programs go; what was done stays.", "actor_id"),
  bot_storage: keeps(BOTS, "user_id"),
  bots: keeps(BOTS, "user_id"),
  channel_folders: keeps(BY_ID, "creator_id"),
  channels: keeps(BY_ID, "creator_id"),
  conversation_members: keeps(BY_ID, "user_id"),
  conversations: keeps(BY_ID, "user_ids"),
  custom_emoji: keeps(BY_ID, "author_id"),
  default_channel_group_channels: keeps(NOBODY),
  default_channel_groups: keeps(NOBODY),
  device_tokens: later(),
  digests: later(),
  drafts: { deletes: "later", column: "user_id", columns: ["user_id", "user_ids"] },
  erasures: changes("The name and the addresses go when the job has ended.", "user_id"),
  event_queues: changes("They end with the deactivation.", "user_id"),
  events: keeps("The log forgets each day after eight days."),
  exports: keeps(BY_ID, "acting_user_id"),
  external_identities: now(),
  external_images: keeps(NOBODY),
  external_pages: keeps(NOBODY),
  files_mark: keeps(NOBODY),
  files_to_delete: keeps(NOBODY),
  former_addresses: later(),
  former_waiting_periods: keeps(NOBODY),
  group_intervals: keeps(BY_ID, "user_id"),
  group_members: keeps(BY_ID, "user_id"),
  group_subgroups: keeps(NOBODY),
  groups: keeps(BY_ID, "creator_id"),
  guest_contacts: keeps(BY_ID, "guest_id", "user_id"),
  import_sources: changes("The names that another chat had for the person go."),
  imports: keeps(NOBODY),
  incoming_deliveries: keeps(BOTS, "user_id"),
  invitation_days: keeps(NOBODY),
  invitations: changes("Those by the person, and those to the person's address, go.", "inviter_id"),
  known_devices: now(),
  last_mail: keeps(NOBODY),
  linkifiers: keeps(NOBODY),
  log_positions: keeps(NOBODY),
  log_timeline: keeps(NOBODY),
  mail_warnings: keeps(NOBODY),
  mailed_codes: changes("Those of the account, and those to its address, go.", "user_id"),
  mails: changes("Those to the person's addresses that wait go."),
  message_edits: changes("Earlier texts of the person's messages go, and names in mentions.", "editor_id"),
  message_expiries: keeps(NOBODY),
  message_flags: later(),
  message_uploads: keeps(NOBODY),
  messages: changes("Mentions get the neutral name. The person's own stay, or are deleted.", "sender_id"),
  migrations: keeps(NOBODY),
  missed_message_cursors: keeps(NOBODY),
  missed_messages: later(),
  muted_users: { deletes: "now", column: "user_id", columns: ["user_id", "muted_user_id"] },
  navigation_views: later(),
  old_read_states: later(),
  organization_invitations: keeps("It is the installation's, counts mails, and forgets an address in a day."),
  organization_logs: keeps(NOBODY),
  organizations: keeps(NOBODY),
  own_data_copies: changes("They end with their files, and the rows go within a week.", "user_id"),
  partial_uploads: changes("They go with their files.", "owner_id"),
  passkey_challenges: keeps(EXPIRES),
  passkeys: now(),
  pending_sign_ins: now(),
  playgrounds: keeps(NOBODY),
  presences: later(),
  profile_field_values: changes("All values go, and names in others' mentions, with events.", "user_id"),
  profile_fields: keeps(NOBODY),
  quota_usage: later(),
  reactions: keeps(BY_ID, "user_id"),
  read_states: later(),
  recovery_codes: now(),
  reminders: later(),
  saved_snippets: later(),
  scheduled_messages: { deletes: "later", column: "sender_id", columns: ["sender_id", "user_ids"] },
  search_cursors: keeps(NOBODY),
  search_outdated: keeps(NOBODY),
  search_vocabulary: keeps(INDEX),
  search_words: keeps(INDEX),
  secret_check: keeps(NOBODY),
  seen_onboarding_steps: later(),
  sessions: later(),
  sign_in_attempts: changes("The counts of the account go."),
  sign_in_networks: now(),
  sign_in_steps: keeps(EXPIRES),
  statistics_channel_days: keeps(NOBODY),
  statistics_cursors: keeps(NOBODY),
  statistics_days: keeps(NOBODY),
  submessages: changes(
    "Options, tasks and votes of the person stay, or go with their messages.",
    "sender_id",
  ),
  subscription_preferences: now(),
  subscriptions: keeps(BY_ID, "user_id"),
  topic_policies: later(),
  topic_read_states: later(),
  topics: keeps(NOBODY),
  totp_secrets: now(),
  upload_space: keeps(NOBODY),
  uploads: changes("Those that no message links go with their files.", "owner_id"),
  user_statuses: now(),
  users: changes("All but the ID, the role and the times of joining and leaving goes.", "bot_owner_id"),
  webhook_deliveries: keeps(BOTS, "bot_id"),
};

export interface Deletion {
  table: string;
  column: string;
}

/** The tables whose rows go at that time. */
export function deletionsOf(when: "now" | "later"): Deletion[] {
  return Object.entries(fates).flatMap(([table, fate]) =>
    "deletes" in fate && fate.deletes === when ? [{ table, column: fate.column }] : [],
  );
}

/** The columns with IDs of people that the table says something about. */
export function personColumnsOf(fate: Fate): readonly string[] {
  return fate.columns ?? ("deletes" in fate ? [fate.column] : []);
}
