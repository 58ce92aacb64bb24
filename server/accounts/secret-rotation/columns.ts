/**
 * What a rotation of the secret does with each column that has something of it. Tests compare this with the
 * schema, with what carry.ts and store.ts do, and with the files that use the keyring.
 */

/**
 * `carried`: under the new secret the row says what it said before. `ends`: the row is deleted, since only a
 * hash was kept. `stays`: why nothing is done.
 */
export type Fate = { carried: true } | { ends: true } | { stays: string };

const carried: Fate = { carried: true };
const ends: Fate = { ends: true };
const stays = (why: string): Fate => ({ stays: why });

/** Columns of keys, hashes, codes and the like, by table and column, and of HTML with signed addresses. */
export const underSecret: Readonly<Record<string, Fate>> = {
  "api_keys.key_encrypted": carried,
  "api_keys.key_hash": carried,
  "asked_mails.address_hash": ends,
  "bots.token_encrypted": carried,
  "channel_folders.rendered_description": carried,
  "channels.rendered_description": carried,
  "erasures.encrypted": carried,
  "events.payload": carried,
  "events.state": stays("Patches of the hashes of keys. A server that starts reads the tables instead."),
  "external_images.digest": stays(
    "Kept pictures are found no more, are fetched again, and go within a week.",
  ),
  "invitations.encrypted_token": carried,
  "invitations.reminder_token_hash": stays("The link ends, and the invitation can be sent again."),
  "invitations.token_hash": carried,
  "known_devices.device_hash": ends,
  "mailed_codes.token_hash": ends,
  "mails.encrypted": carried,
  "message_edits.previous_rendered_content": carried,
  "messages.rendered_content": carried,
  "organization_invitations.token_hash": ends,
  "passkey_challenges.browser_hash": ends,
  "pending_sign_ins.token_hash": ends,
  "profile_field_values.rendered_value": carried,
  "recovery_codes.code_hash": ends,
  "reminders.rendered_content": carried,
  "scheduled_messages.rendered_content": carried,
  "secret_check.value": carried,
  "sessions.token_hash": ends,
  "sign_in_networks.network_hash": ends,
  "sign_in_steps.encrypted_data": ends,
  "sign_in_steps.token_hash": ends,
  "totp_secrets.secret": carried,
};

/** Columns whose name or type could make one think of the secret. */
export const notUnderSecret: Readonly<Record<string, string>> = {
  "device_tokens.token": "The name of a device at the service that pushes to it.",
  "external_pages.digest": "SHA-256 of the address.",
  "incoming_deliveries.digest": "SHA-256 of the request.",
  "mailed_codes.password_hash": "argon2id, with its own salt.",
  "passkeys.public_key": "The device's.",
  "pending_sign_ins.password_hash": "argon2id, with its own salt.",
  "users.password_hash": "argon2id, with its own salt.",
};
