import {
  EXPORT_FILE_DAYS,
  MAX_STATISTICS_DAYS,
  SESSION_IDLE_DAYS,
  UNLINKED_UPLOAD_DAYS,
} from "../../api/limits.ts";

/** For how many days the company of the test keeps the messages of one of its channels. */
export const RETENTION_DAYS = 30;
/** A job that is due each hour has an hour, and those of each day have a day. */
const HOUR = 1 / 24;
const DAY = 1;

/** What a deactivated organization has waits until it is active again. */
const ofActive = (since: string) =>
  `case when organization_id in (select id from organizations where deactivated_at is null) then ${since} end`;

export interface Rule {
  /** In SQL: when the time of a row begins; null: it does not run. A name with a schema stays as it is. */
  since: string;
  /** How long a row may be there after that, in days: the declared time, and one period of its job. */
  days: number;
  table?: string;
}

/**
 * The rows that end by themselves, and when they must be gone. Each table of `kept` that names a job is here,
 * and those of which it says in words what ends their rows.
 */
export const rules: Readonly<Record<string, Rule>> = {
  // Days are whole ones, so a day ends up to a day after it began.
  active_days: { since: "day::timestamptz", days: 36 + DAY + DAY },
  asked_mails: { since: "last_at", days: 1 + HOUR },
  event_queues: { since: "last_seen_at", days: 7 + HOUR },
  events: { since: "written_on::timestamptz", days: 9 + HOUR },
  export_files: {
    since: "case when file_key is not null then coalesce(ended_at, requested_at) end",
    days: EXPORT_FILE_DAYS + HOUR,
    table: "exports",
  },
  external_images: { since: "fetched_at", days: 7 + HOUR },
  external_pages: { since: "expires_at", days: HOUR },
  files_to_delete: { since: "due_at", days: HOUR },
  former_addresses: { since: "until", days: HOUR },
  incoming_deliveries: { since: "received_at", days: 1 + HOUR },
  invitations: { since: "expires_at", days: HOUR },
  mailed_codes: { since: "expires_at", days: HOUR },
  mails: { since: "queued_at", days: 7 + DAY },
  // Those of the channel that has a limit. One day of grace comes before a deletion.
  messages: {
    since: `case when recipient_id in (
      select id from channels where message_retention_days = ${RETENTION_DAYS}) then sent_at end`,
    days: RETENTION_DAYS + DAY + HOUR,
  },
  missed_messages: { since: "sent_at", days: 1 + HOUR },
  old_read_states: { since: "now()", days: -1 },
  organization_invitations: { since: "created_at", days: 1 + HOUR },
  own_data_copies: { since: "coalesce(ended_at, requested_at)", days: EXPORT_FILE_DAYS + HOUR },
  partial_uploads: { since: "created_at", days: 1 + HOUR },
  passkey_challenges: { since: "expires_at", days: HOUR },
  pending_sign_ins: { since: "expires_at", days: HOUR },
  reminders: { since: ofActive("deliver_at"), days: HOUR },
  scheduled_messages: { since: ofActive("case when not is_failed then deliver_at end"), days: HOUR },
  search_outdated: { since: "now()", days: -1 },
  sessions: { since: "last_used_at", days: SESSION_IDLE_DAYS + HOUR },
  sign_in_attempts: { since: "window_started_at", days: HOUR + HOUR },
  sign_in_steps: { since: "expires_at", days: HOUR },
  statistics_channel_days: { since: "day::timestamptz", days: MAX_STATISTICS_DAYS + DAY + DAY },
  uploads: { since: ofActive("unlinked_since"), days: UNLINKED_UPLOAD_DAYS + HOUR },
  webhook_deliveries: { since: "created_at", days: 2 + HOUR },
  // Not of a module: jobs that have failed for good, and those that should have run.
  failed_jobs: {
    since: "case when attempts >= max_attempts then updated_at end",
    days: 30 + DAY,
    table: "graphile_worker._private_jobs",
  },
  waiting_jobs: {
    since: "case when attempts < max_attempts then created_at end",
    days: 3,
    table: "graphile_worker._private_jobs",
  },
};

/** Rows that are there for a moment of a job only, or after an upgrade. */
export const momentary: ReadonlySet<string> = new Set([
  "files_to_delete",
  "old_read_states",
  "search_outdated",
]);
