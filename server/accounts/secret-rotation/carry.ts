/** How rows are brought from one secret to another. The names in the list are parts of statements. */

import { botAdded } from "../../../api/events/bots.ts";
import type { OrganizationId } from "../../../api/ids.ts";
import { FOLDER, signAgain } from "../../content/external-content/addresses.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";

export type Values = Readonly<Record<string, unknown>>;

export interface CarriedTable {
  table: string;
  /** The columns that change, with their types. */
  columns: Readonly<Record<string, "bytea" | "text" | "jsonb">>;
  /** Others that are read. */
  reads?: string;
  where: string;
  /** What people call the rows. Rows without a name are not counted. */
  name?: string;
  /** The new values; undefined: the row stays as it is. */
  carry(row: Values, secrets: Secrets): Values | undefined;
}

/** The secret of before and the new one. */
export class Secrets {
  readonly from: Keyring;
  readonly to: Keyring;
  /** Values that the secret of before does not fit. Nobody could read them, and nobody can now. */
  unreadable = 0;

  constructor(from: Keyring, to: Keyring) {
    this.from = from;
    this.to = to;
  }

  open(encrypted: Buffer): string | undefined {
    if (this.from.canDecrypt(encrypted)) return this.from.decrypt(encrypted);
    this.unreadable++;
    return undefined;
  }

  encryptAgain(encrypted: Buffer): Buffer | undefined {
    const text = this.open(encrypted);
    return text === undefined ? undefined : this.to.encrypt(text);
  }
}

const PICTURES = "texts with pictures of other hosts signed again";

/** In the order in which people read of them. */
export const carriedTables: readonly CarriedTable[] = [
  tokens("api_keys", { encrypted: "key_encrypted", hash: "key_hash" }, "API keys kept"),
  encrypted("bots", "token_encrypted", "tokens of outgoing webhooks kept"),
  encrypted("totp_secrets", "secret", "authenticator apps kept"),
  tokens("invitations", { encrypted: "encrypted_token", hash: "token_hash" }, "invitation links kept"),
  encrypted("mails", "encrypted", "mails that wait kept"),
  encrypted("erasures", "encrypted"),
  rendered("messages", "rendered_content"),
  rendered("message_edits", "previous_rendered_content"),
  rendered("channels", "rendered_description"),
  rendered("channel_folders", "rendered_description"),
  rendered("profile_field_values", "rendered_value"),
  rendered("reminders", "rendered_content"),
  rendered("scheduled_messages", "rendered_content"),
  {
    table: "events",
    columns: { payload: "jsonb" },
    reads: "type",
    where: `type = '${botAdded.type}' or payload::text like '%${FOLDER}%'`,
    carry: carryEvent,
  },
];

function encrypted(table: string, column: string, name?: string): CarriedTable {
  return {
    ...{ table, columns: { [column]: "bytea" }, where: `${column} is not null` },
    ...(name !== undefined && { name }),
    carry(row, secrets) {
      const value = secrets.encryptAgain(row[column] as Buffer);
      return value && { [column]: value };
    },
  };
}

/** What is kept both ways: encrypted, and by the hash by which it is found. */
function tokens(table: string, column: { encrypted: string; hash: string }, name: string): CarriedTable {
  return {
    ...{ table, name, where: `${column.encrypted} is not null` },
    columns: { [column.encrypted]: "bytea", [column.hash]: "bytea" },
    carry(row, secrets) {
      const token = secrets.open(row[column.encrypted] as Buffer);
      if (token === undefined) return undefined;
      return { [column.encrypted]: secrets.to.encrypt(token), [column.hash]: secrets.to.hash(token) };
    },
  };
}

function rendered(table: string, column: string): CarriedTable {
  return {
    ...{ table, columns: { [column]: "text" }, where: `${column} like '%${FOLDER}%'`, name: PICTURES },
    carry(row, secrets) {
      const before = row[column] as string;
      const html = signedAgain(row, before, secrets);
      return html === before ? undefined : { [column]: html };
    },
  };
}

/** What the log has of bots, for clients that have not read it yet: server/integrations/bots/events.ts. */
interface LoggedBot {
  details?: { apiKey: string; token: string | null };
}

function carryEvent(row: Values, secrets: Secrets): Values | undefined {
  const before = row.payload as string;
  if (row.type !== botAdded.type) {
    const payload = signedAgain(row, before, secrets);
    return payload === before ? undefined : { payload };
  }
  const { details, ...payload } = JSON.parse(before) as LoggedBot;
  if (!details) return undefined;
  const { apiKey, token } = details;
  const again = (text: string) =>
    secrets.encryptAgain(Buffer.from(text, "base64"))?.toString("base64") ?? text;
  const carried = { ...details, apiKey: again(apiKey), token: token === null ? null : again(token) };
  return { payload: JSON.stringify({ ...payload, details: carried }) };
}

function signedAgain(row: Values, html: string, { from, to }: Secrets): string {
  return signAgain(html, row.organization_id as OrganizationId, from, to);
}
