import { Type } from "typebox";
import { endpoint, optional } from "../endpoint.ts";
import { MAX_AUDIT_ENTRIES_A_CALL, MAX_AUDIT_LIST, MAX_AUDIT_TEXT_LENGTH } from "../limits.ts";

/** The kinds of things that an entry can be about, each with the id that `target_id` is. */
export const auditTargets = {
  organization: "`null`, since there is one",
  user: "a person's or a bot's ID",
  channel: "a channel's ID, or `null` if the call named several",
  channel_folder: "a folder's ID, or `null` for the order of all folders",
  default_channel_group: "the ID of a group of default channels",
  group: "a user group's ID",
  message: "a message's ID",
  profile_field: "the ID of a field of profiles, or `null` for the order of all fields",
  linkifier: "a linkifier's ID, or `null` for the order of all linkifiers",
  playground: "a playground's ID",
  custom_emoji: "a custom emoji's ID",
  domain: "the ID of a domain whose addresses may join",
  export: "an export's ID, or `null` for one on the command line",
  invitation: "an invitation's ID, or `null` if the call invited several addresses",
} as const;

export type AuditTarget = keyof typeof auditTargets;

interface AuditActionDeclaration {
  target: AuditTarget;
  description: string;
}

/**
 * Everything that the audit log records, in the order of the reference. What needs a role or a permission
 * beyond one's own things has a line here. docs/howto/add-an-audit-entry.md says how to add one.
 */
export const auditActions = {
  organization_created: on("organization", "The organization was created."),
  organization_updated: on("organization", "Its name, settings or permissions were changed."),
  organization_picture_changed: on("organization", "Its icon or a logo was uploaded or removed."),
  organization_deactivated: on("organization", "The organization was deactivated on the command line."),
  organization_reactivated: on("organization", "The organization was reactivated on the command line."),
  default_user_settings_updated: on("organization", "The settings with which new people start were changed."),
  secret_reset: on(
    "organization",
    "The server's secret was replaced on the command line. All API keys were replaced too, and all sessions ended.",
  ),
  secret_rotated: on(
    "organization",
    "The server's secret was replaced on the command line by somebody who has the old one. API keys stayed, and all sessions ended.",
  ),
  audit_log_pruned: on("organization", "Old entries of this log were deleted on the command line."),
  mails_discarded: on(
    "organization",
    "Mails that had not been sent yet were thrown away by the operator of the server.",
  ),

  user_created: on("user", "An account was made."),
  user_renamed: on("user", "Somebody's name was changed by an administrator."),
  user_role_changed: on("user", "Somebody's role was changed."),
  user_email_changed: on("user", "Somebody's email address was changed, by them or by an administrator."),
  email_change_requested: on(
    "user",
    "Somebody asked for another email address. It becomes theirs when they open the link that is mailed there.",
  ),
  user_profile_changed: on("user", "An administrator filled in fields of somebody's profile."),
  user_status_changed: on("user", "Somebody's status was set by an administrator."),
  user_deactivated: on("user", "An account was deactivated, and the bots that it owns."),
  user_reactivated: on("user", "An account was activated again."),
  own_data_requested: on("user", "Somebody asked for a copy of their own data."),
  own_data_downloaded: on("user", "Somebody downloaded the copy of their own data."),
  own_data_exported: on("user", "A copy of somebody's own data was made on the command line."),
  user_erased: on(
    "user",
    "Everything that tells who somebody was is deleted. The account has a neutral name.",
  ),
  user_email_permission_changed: on("user", "It was decided whether an administrator can change addresses."),
  bot_updated: on("user", "A bot got another owner or picture, or its service or defaults were changed."),
  api_key_regenerated: on("user", "An API key was replaced by somebody else, or on the command line."),
  second_step_added: on("user", "Somebody added an authenticator app for signing in."),
  second_step_removed: on("user", "Somebody removed their authenticator app."),
  recovery_codes_replaced: on("user", "Somebody got new recovery codes."),
  passkey_added: on("user", "Somebody added a passkey."),
  passkey_removed: on("user", "Somebody removed a passkey."),
  second_steps_reset: on("user", "Somebody's second steps and passkeys were removed on the command line."),
  password_changed: on("user", "Somebody changed their password."),
  own_api_key_replaced: on("user", "Somebody replaced their own API key."),
  login_mails_silenced: on("user", "Somebody wants no more mails about sign-ins from new devices."),
  password_set_by_mail: on("user", "Somebody set another password by a mail. Their API key was replaced."),
  password_link_made: on("user", "A link for another password was made on the command line."),
  password_set_by_operator_link: on(
    "user",
    "Somebody set another password by a link that was made on the command line. Their API key was replaced.",
  ),
  sessions_ended: on("user", "Sessions of an account were ended on the command line."),
  sign_in_failed: on(
    "user",
    "Somebody tried to sign in to an account and had a wrong password, code or token. There is one entry for each network in ten minutes, and not for all of many.",
  ),
  sign_in_unlocked: on(
    "user",
    "The wrong passwords and codes for an account were forgotten on the command line, so its person can sign in again.",
  ),
  identity_connected: on("user", "Somebody connected an account at a sign-in provider."),
  identity_removed: on("user", "An account at a sign-in provider was disconnected from somebody's account."),
  api_key_shown: on("user", "An API key was read by somebody else, or on the command line."),

  channel_created: on("channel", "A channel was made."),
  channel_updated: on("channel", "A channel's properties or permissions were changed."),
  channel_archived: on("channel", "A channel was archived."),
  channel_unarchived: on("channel", "An archived channel was taken back into use."),
  subscribers_added: on("channel", "Somebody subscribed other people."),
  subscribers_removed: on("channel", "Somebody unsubscribed other people."),

  channel_folder_created: on("channel_folder", "A folder for channels was made."),
  channel_folder_updated: on("channel_folder", "A folder was changed, archived or taken back into use."),
  channel_folders_reordered: on("channel_folder", "The folders were put into another order."),

  default_channel_group_created: on("default_channel_group", "A group of default channels was made."),
  default_channel_group_updated: on("default_channel_group", "Its name, description or channels changed."),
  default_channel_group_removed: on("default_channel_group", "A group of default channels was removed."),

  group_created: on("group", "A user group was made."),
  group_updated: on("group", "A user group's properties or permissions were changed."),
  group_members_changed: on(
    "group",
    "A group's members were changed, other than by people who joined or left.",
  ),
  group_deactivated: on("group", "A user group was deactivated."),
  group_reactivated: on("group", "A deactivated user group was taken back into use."),
  group_deleted: on("group", "A user group was deleted."),

  message_deleted: on("message", "Somebody deleted another's message."),
  topic_deleted: on("channel", "Messages of a whole topic were deleted."),

  profile_field_created: on("profile_field", "A field of profiles was made."),
  profile_field_updated: on("profile_field", "A field of profiles was changed."),
  profile_field_deleted: on("profile_field", "A field of profiles was deleted, with everybody's values."),
  profile_fields_reordered: on("profile_field", "The fields of profiles were put into another order."),

  linkifier_created: on("linkifier", "A linkifier was made."),
  linkifier_updated: on("linkifier", "A linkifier was changed."),
  linkifier_removed: on("linkifier", "A linkifier was removed."),
  linkifiers_reordered: on("linkifier", "The linkifiers were put into another order."),

  playground_created: on("playground", "A playground for code was made."),
  playground_removed: on("playground", "A playground for code was removed."),

  custom_emoji_added: on("custom_emoji", "A custom emoji was added."),
  custom_emoji_deactivated: on("custom_emoji", "A custom emoji was taken out of use."),

  domain_added: on("domain", "A domain whose addresses may join was added."),
  domain_updated: on("domain", "Whether addresses of a domain's subdomains may join was changed."),
  domain_removed: on("domain", "A domain whose addresses may join was removed."),

  export_created: on("export", "An export of the organization's data was begun."),
  export_downloaded: on("export", "The file of an export was downloaded."),
  export_deleted: on("export", "The file of an export was deleted."),

  invitations_sent: on("invitation", "Addresses were invited."),
  invitation_resent: on("invitation", "The mail of an invitation was sent again."),
  invitation_link_created: on("invitation", "An invitation link for many people was made."),
  invitation_revoked: on("invitation", "An invitation or an invitation link was revoked."),
} as const satisfies Record<string, AuditActionDeclaration>;

export type AuditAction = keyof typeof auditActions;

function on<T extends AuditTarget>(target: T, description: string) {
  return { target, description };
}

const actionNames = Object.keys(auditActions) as AuditAction[];
const targetNames = Object.keys(auditTargets) as AuditTarget[];

const actionTable = actionNames.map((name) => `\`${name}\`: ${auditActions[name].description}`).join(" ");
const targetTable = targetNames.map((name) => `For \`${name}\`, ${auditTargets[name]}.`).join(" ");

const entryId = Type.Integer({ minimum: 1 });

const entry = Type.Object({
  id: Type.Integer({ description: "The entry's ID. Newer entries have larger ones." }),
  at: Type.Integer({ description: "When it was done, in UNIX seconds." }),
  actor_id: Type.Union([Type.Integer(), Type.Null()], {
    description: "The account that did it; `null` for the server and its command line.",
  }),
  client: Type.Union([Type.String(), Type.Null()], {
    description: "The client program that asked for it; `null` if there was none.",
  }),
  action: Type.Enum(actionNames, { description: actionTable }),
  target_type: Type.Enum(targetNames, { description: "The kind of thing that was changed." }),
  target_id: Type.Union([Type.Integer(), Type.Null()], { description: `Which one: ${targetTable}` }),
  changes: Type.Record(
    Type.String(),
    Type.Object({
      old: Type.Optional(Type.Unknown({ description: "The value before; absent if there was none." })),
      new: Type.Optional(Type.Unknown({ description: "The value after; absent if there is none." })),
    }),
    {
      description: `The changed fields by name. Texts end with \`…\` after ${MAX_AUDIT_TEXT_LENGTH} characters. A list of more than ${MAX_AUDIT_LIST} values is shortened to \`{"count": …, "first": […]}\`. An email address that the caller may not see is left out, so its field is empty.`,
    },
  ),
});

export const getAuditLog = endpoint({
  name: "getAuditLog",
  subject: "Audit log",
  method: "GET",
  path: "/realm/audit_log",
  access: "owner",
  summary: "Get the audit log",
  description:
    "Returns what was changed in the organization by people who used a role or a permission for it, and on the server's command line. The newest entries come first.",
  parameters: {
    before_id: optional(entryId, {
      description: "Only entries with a smaller ID: the last one of the page before.",
    }),
    limit: optional(Type.Integer({ minimum: 1, maximum: MAX_AUDIT_ENTRIES_A_CALL }), {
      description: `The most entries to return: at most ${MAX_AUDIT_ENTRIES_A_CALL}, and 50 by default.`,
    }),
    actor_id: optional(entryId, { description: "Only what this account did." }),
    action: optional(Type.Enum(actionNames), { description: "Only entries of this action." }),
    target_type: optional(Type.Enum(targetNames), {
      description: "Only changes of this kind of thing.",
    }),
    target_id: optional(entryId, {
      description: "Only changes of the thing with this ID. Without `target_type` IDs of all kinds count.",
    }),
  },
  reply: {
    entries: Type.Array(entry, { description: "The entries, the newest first." }),
    found_oldest: Type.Boolean({ description: "Whether there is no older entry of those asked for." }),
  },
  errors: [],
  emits: [],
  example: {
    parameters: { limit: 1, action: "user_role_changed" },
    reply: {
      entries: [
        {
          id: 812,
          at: 1795352400,
          actor_id: 8,
          client: "website",
          action: "user_role_changed",
          target_type: "user",
          target_id: 11,
          changes: { role: { old: 400, new: 200 } },
        },
      ],
      found_oldest: false,
    },
  },
  sample: () => ({}),
});
