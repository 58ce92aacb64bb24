/**
 * What a copy of a person's own data has of each table. The columns are listed one by one, so that a new
 * column is in no copy before somebody has thought of it, and no secret ever is.
 */

export interface OwnRows {
  /** The folder in the archive. */
  kind: string;
  table: string;
  /** The column with the person's ID. */
  person: string;
  /** A column whose values differ among the person's rows. They are read in its order. */
  key: string;
  keyType: "bigint" | "text" | "date";
  columns: readonly string[];
  /** A condition of the rows, in SQL. */
  only?: string;
}

const words = (text: string) => text.trim().split(/\s+/);

function of(kind: string, table: string, columns: string, options: Partial<OwnRows> = {}): OwnRows {
  return {
    kind,
    table,
    person: "user_id",
    key: "id",
    keyType: "bigint",
    columns: words(columns),
    ...options,
  };
}

export const ownRows: readonly OwnRows[] = [
  of(
    "account",
    "users",
    "id email full_name role timezone settings joined_at last_active_at deactivated_at",
    { person: "id" },
  ),
  of("former_addresses", "former_addresses", "address until", { key: "address", keyType: "text" }),
  of("profile", "profile_field_values", "field_id value", { key: "field_id" }),
  of("status", "user_statuses", "status_text emoji_name", { key: "user_id" }),
  of("presence", "presences", "last_active_at last_connected_at", { key: "user_id" }),
  of("active_days", "active_days", "day", { key: "day", keyType: "date" }),
  of("sessions", "sessions", "device network signed_in_by created_at last_used_at expires_at"),
  of("identities", "external_identities", "issuer subject provider_id created_at last_used_at"),
  of("passkeys", "passkeys", "name created_at last_used_at"),
  of("devices", "device_tokens", "kind app_id added_at"),
  of(
    "subscriptions",
    "subscription_preferences",
    "channel_id color is_muted is_pinned desktop_notifications email_notifications",
    {
      key: "channel_id",
    },
  ),
  of("topics", "topic_policies", "topic_id policy updated_at", { key: "topic_id" }),
  of("alert_words", "alert_words", "word", { key: "word", keyType: "text" }),
  of("muted_people", "muted_users", "muted_user_id muted_at ended_at", { key: "muted_user_id" }),
  of("drafts", "drafts", "id channel_id user_ids topic content edited_at"),
  of("snippets", "saved_snippets", "id title content created_at"),
  of("scheduled_messages", "scheduled_messages", "id channel_id topic user_ids content deliver_at", {
    person: "sender_id",
  }),
  of("reminders", "reminders", "id message_id note content deliver_at"),
  of("views", "navigation_views", "fragment is_pinned name"),
  of("invitations", "invitations", "email role invited_at expires_at", { person: "inviter_id" }),
  of("reactions", "reactions", "message_id emoji_name emoji_code reaction_type"),
  of("uploads", "uploads", "id path file_name content_type size created_at", { person: "owner_id" }),
  of("audit_log", "audit_log", "at action target_type target_id client network", { person: "actor_id" }),
  // Without the one who did it, whose affair that is.
  of("audit_log_about", "audit_log", "at action", { person: "target_id", only: "target_type = 'user'" }),
  of("stars", "message_flags", "message_id", { key: "message_id", only: "(flags & 1) <> 0" }),
];
