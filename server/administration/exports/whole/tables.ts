/**
 * What a whole export has of each table, in an order in which rows come after those that they name. A test
 * compares the lists with the schema, so a new table or column is in no archive before somebody has thought
 * of it, and no secret ever is.
 */
import { type WholeTable, wholeTable } from "./columns.ts";

const CREDENTIAL = "It is a credential.";
const RESULT = "It follows from what is carried.";
const PASSING = "It is of the moment.";
const STEP = "A step of a sign-in that is under way.";
const INSTALLATION = "It belongs to the installation.";
const INDEX = "The index of words is made from the messages.";
const MAIL = "What is to be mailed, or was.";
const COUNTED = "The messages are counted again.";
const FROM_WHERE = "From where people sign in is their own.";

const hasMessage = `exists (select from messages m
  where m.organization_id = t.organization_id and m.id = t.message_id)`;

export const wholeTables: readonly WholeTable[] = [
  wholeTable("log_positions", "id:id position:position"),
  wholeTable(
    "users",
    `id:id email:text full_name:text role:smallint bot_type:smallint? bot_owner_id:~users? timezone:text
    last_active_at:time? avatar_version:int settings:json(user_settings) joined_at:time deactivated_at:time?
    is_system:bool can_change_emails:bool avatar_file:picture? erased_at:time?`,
    { leftOut: { password_hash: CREDENTIAL, password_mailed_at: CREDENTIAL } },
  ),
  wholeTable(
    "groups",
    `id:id name:text description:text system_role:smallint? creator_id:~users?
    settings:json(group_permissions) created_at:time deactivated_at:time?`,
  ),
  wholeTable("group_members", "group_id:>groups user_id:>users", { order: "t.group_id, t.user_id" }),
  wholeTable("group_subgroups", "group_id:>groups subgroup_id:>groups", {
    order: "t.group_id, t.subgroup_id",
  }),
  wholeTable(
    "group_intervals",
    `id:id group_id:~groups user_id:>users? subgroup_id:~groups? from_position_ref:>log_positions?
    to_position_ref:>log_positions?`,
  ),
  wholeTable("former_waiting_periods", "to_position_ref:>log_positions days:int", {
    order: "t.to_position_ref",
  }),
  wholeTable(
    "channel_folders",
    `id:id name:text description:markdown rendered_description:html creator_id:~users? sort_order:int
    created_at:time archived_at:time?`,
  ),
  wholeTable(
    "channels",
    `id:id name:text description:markdown rendered_description:html is_private:bool is_web_public:bool
    is_history_shared:bool is_default:bool topics_policy:text message_retention_days:int?
    folder_id:>channel_folders? creator_id:~users? group_settings:json(channel_permissions) created_at:time
    archived_at:time?`,
  ),
  wholeTable("default_channel_groups", "id:id name:text description:text"),
  wholeTable("default_channel_group_channels", "group_id:>default_channel_groups channel_id:>channels", {
    order: "t.group_id, t.channel_id",
  }),
  wholeTable("topics", "id:id channel_id:>channels name:text"),
  wholeTable("conversations", "id:id user_ids:>users[]"),
  wholeTable(
    "subscriptions",
    `channel_id:>channels user_id:>users from_position_ref:>log_positions to_position_ref:>log_positions?`,
    { order: "t.channel_id, t.user_id, t.from_position_ref" },
  ),
  wholeTable(
    "subscription_preferences",
    `user_id:>users channel_id:>channels color:text? is_muted:bool is_pinned:bool desktop_notifications:bool?
    audible_notifications:bool? push_notifications:bool? email_notifications:bool?
    wildcard_mentions_notify:bool?`,
    { order: "t.user_id, t.channel_id" },
  ),
  wholeTable(
    "profile_fields",
    `id:id type:smallint name:text hint:text field_data:text sort_order:int is_required:bool
    is_editable_by_user:bool is_in_summary:bool`,
  ),
  wholeTable(
    "profile_field_values",
    "user_id:>users field_id:>profile_fields value:markdown rendered_value:html?",
    {
      order: "t.user_id, t.field_id",
    },
  ),
  wholeTable("allowed_domains", "id:id domain:text allow_subdomains:bool"),
  wholeTable("linkifiers", "id:id pattern:text url_template:text sort_order:int"),
  wholeTable("playgrounds", "id:id name:text language:text url_template:text"),
  wholeTable(
    "custom_emoji",
    `id:id name:text file_name:emoji_file is_animated:bool author_id:~users? deactivated_at:time?`,
  ),
  wholeTable(
    "uploads",
    `id:id owner_id:>users path:path storage_key:key file_name:text content_type:text size:count
    created_at:time image:json(image)? unlinked_since:time?`,
  ),
  wholeTable(
    "messages",
    `id:id recipient_id:recipient topic_id:>topics? sender_id:>users client:text sent_at:time facts:int
    content:markdown rendered_content:html mentioned_group_ids:~groups[]? edited_at:time? moved_at:time?
    mentioned_group_positions:ints?`,
    {
      leftOut: {
        local_queue_id: "It tells a connection of its own message.",
        local_id: "It tells a connection of its own message.",
      },
    },
  ),
  wholeTable("message_uploads", "upload_id:>uploads message_id:>messages sent_at:time", {
    order: "t.upload_id, t.message_id",
    only: hasMessage,
  }),
  wholeTable("message_flags", "user_id:>users message_id:>messages flags:int", {
    order: "t.user_id, t.message_id",
    only: hasMessage,
  }),
  wholeTable(
    "reactions",
    "message_id:>messages id:id user_id:>users reaction_type:text emoji_code:text emoji_name:text",
    { order: "t.message_id, t.id", only: hasMessage },
  ),
  wholeTable("submessages", "message_id:>messages id:id sender_id:>users kind:text content:text", {
    order: "t.message_id, t.id",
    only: hasMessage,
  }),
  wholeTable(
    "message_edits",
    `message_id:>messages id:id editor_id:>users edited_at:time previous_content:markdown?
    previous_rendered_content:html? previous_topic:text? topic:text? previous_channel_id:~channels?
    channel_id:~channels? previous_topic_id:~topics?`,
    { order: "t.message_id, t.id", only: hasMessage },
  ),
  wholeTable("read_states", "user_id:>users recipient_id:recipient ranges:ranges marked_unread:ranges", {
    order: "t.user_id, t.recipient_id",
  }),
  wholeTable(
    "topic_read_states",
    `user_id:>users channel_id:>channels topic_id:~topics ranges:ranges gaps:ranges marked_unread:ranges`,
    { order: "t.user_id, t.channel_id, t.topic_id" },
  ),
  wholeTable("old_read_states", "user_id:>users channel_id:>channels", { order: "t.user_id, t.channel_id" }),
  wholeTable("topic_policies", "user_id:>users topic_id:>topics policy:smallint updated_at:time", {
    order: "t.user_id, t.topic_id",
  }),
  wholeTable("muted_users", "user_id:>users muted_user_id:>users muted_at:time ended_at:time?", {
    order: "t.user_id, t.muted_user_id",
  }),
  wholeTable("alert_words", "user_id:>users word:text", { order: "t.user_id, t.word" }),
  wholeTable("guest_contacts", "guest_id:>users user_id:>users", { order: "t.guest_id, t.user_id" }),
  wholeTable(
    "user_statuses",
    "user_id:>users status_text:text emoji_name:text emoji_code:text reaction_type:text",
    {
      order: "t.user_id",
    },
  ),
  wholeTable(
    "drafts",
    `id:id user_id:>users channel_id:~channels? user_ids:~users[]? topic:text content:markdown edited_at:time`,
  ),
  wholeTable("saved_snippets", "id:id user_id:>users title:text content:markdown created_at:time"),
  wholeTable(
    "scheduled_messages",
    `id:id sender_id:>users channel_id:~channels? topic:text? user_ids:~users[]? content:markdown
    rendered_content:html client:text read_by_sender:bool deliver_at:time is_failed:bool`,
  ),
  wholeTable(
    "reminders",
    `id:id user_id:>users message_id:~messages note:text content:markdown rendered_content:html
    deliver_at:time`,
  ),
  wholeTable("navigation_views", "id:id user_id:>users fragment:text is_pinned:bool name:text?"),
  wholeTable("seen_onboarding_steps", "user_id:>users name:text seen_at:time", {
    order: "t.user_id, t.name",
  }),
  wholeTable(
    "bots",
    `user_id:>users default_sending_channel_id:~channels? default_events_channel_id:~channels?
    default_all_public_channels:bool service_name:text? payload_url:text? interface:smallint`,
    {
      order: "t.user_id",
      leftOut: {
        config: "It holds the secrets of a bot's program.",
        token_encrypted: CREDENTIAL,
      },
    },
  ),
  wholeTable("bot_storage", "user_id:>users key:text value:text", { order: "t.user_id, t.key" }),
  wholeTable(
    "invitations",
    `id:id inviter_id:>users email:text? role:smallint channel_ids:~channels[] group_ids:~groups[]
    joins_default_channels:bool notifies_inviter:bool welcome_text:markdown? is_by_operator:bool
    invited_at:time expires_at:time?`,
    {
      only: "t.parent_id is null and t.email is not null and (t.expires_at is null or t.expires_at > now())",
      leftOut: {
        parent_id: "A step of somebody who is joining by a link.",
        token_hash: CREDENTIAL,
        encrypted_token: CREDENTIAL,
        reminded_at: "The import says that all were reminded: it mails nobody.",
        reminder_token_hash: CREDENTIAL,
      },
    },
  ),
  wholeTable(
    "audit_log",
    `id:id at:time actor_id:~users? action:text target_type:text target_id:count? changes:json(changes)
    client:text? network:text?`,
  ),
  wholeTable(
    "organizations",
    `name:text settings:json(organization_settings) created_at:time
    default_user_settings:json(default_user_settings) icon_file:picture? logo_file:picture?
    night_logo_file:picture?`,
    {
      order: "t.id",
      leftOut: {
        id: "The import gives it another.",
        host: "The import is told another. The head of the archive has it.",
        deactivated_at: "What is imported is active.",
      },
    },
  ),
];

/** The tables of which a whole export has nothing, and why. */
export const tablesLeftOut: Readonly<Record<string, string>> = {
  active_days: PASSING,
  api_keys: CREDENTIAL,
  asked_mails: "It counts mails to addresses.",
  conversation_members: RESULT,
  device_tokens: "They lead to people's telephones, by way of the old server.",
  digests: MAIL,
  erasures: "They end before an export begins.",
  event_queues: "Connections of clients.",
  events: "The log of changes leads from state to state. The rows are the state.",
  exports: "It lists the exports themselves.",
  external_identities: "They let people in by accounts elsewhere, whose providers each server chooses.",
  external_images: "Copies of other hosts' pictures, which are fetched again.",
  external_pages: "What other hosts' pages say, which is fetched again.",
  files_mark: INSTALLATION,
  files_to_delete: "A list of work to be done.",
  former_addresses: MAIL,
  import_sources: "Names of things in another chat.",
  imports: "It says what the command line did.",
  incoming_deliveries: PASSING,
  invitation_days: PASSING,
  known_devices: FROM_WHERE,
  last_mail: INSTALLATION,
  log_timeline: INSTALLATION,
  mail_warnings: MAIL,
  mailed_codes: CREDENTIAL,
  mails: MAIL,
  message_expiries: "It belongs to a job of the server.",
  migrations: INSTALLATION,
  missed_message_cursors: MAIL,
  missed_messages: MAIL,
  organization_invitations: INSTALLATION,
  organization_logs: "The head of the archive has what is needed of it.",
  own_data_copies: "It lists copies that people made for themselves.",
  partial_uploads: "Files that are still being uploaded.",
  passkey_challenges: STEP,
  passkeys: "They are bound to the old host name.",
  pending_sign_ins: STEP,
  presences: PASSING,
  quota_usage: PASSING,
  recovery_codes: CREDENTIAL,
  search_cursors: INDEX,
  search_outdated: INDEX,
  search_vocabulary: INDEX,
  search_words: INDEX,
  secret_check: INSTALLATION,
  sessions: CREDENTIAL,
  sign_in_attempts: PASSING,
  sign_in_networks: FROM_WHERE,
  sign_in_steps: STEP,
  statistics_channel_days: COUNTED,
  statistics_cursors: COUNTED,
  statistics_days: COUNTED,
  totp_secrets: CREDENTIAL,
  upload_space: RESULT,
  webhook_deliveries: "Calls that are still to be made.",
};
