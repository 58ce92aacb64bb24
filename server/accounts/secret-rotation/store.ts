/** The rows of all modules that have something of the secret. Each statement is for all organizations. */

import type { Queryable } from "../../platform/db/database.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import type { MailKind } from "../../platform/mail/mail.ts";
import type { CarriedTable, Values } from "./carry.ts";

/** Rows in one statement. A mail or a message may be large. */
const AT_ONCE = 200;

/** A row of a cursor, by which it is found again in its table or partition. */
export interface FoundRow extends Values {
  part: string;
  place: string;
}

/**
 * The rows as they were before, some at a time, whatever is written meanwhile. The names are those of the
 * list in this folder, and so safe in the text of the statement.
 */
export async function* readRows(
  tx: Queryable,
  { table, columns, reads, where }: CarriedTable,
): AsyncGenerator<FoundRow[]> {
  const names = Object.entries(columns).map(([name, type]) => (type === "jsonb" ? `${name}::text` : name));
  const read = ["organization_id", ...names, ...(reads === undefined ? [] : [reads])].join(", ");
  await tx.query(
    unnamed(`declare rows_under_secret no scroll cursor for
      select tableoid::text as part, ctid::text as place, ${read} from ${table} where ${where}`),
  );
  for (;;) {
    const rows = await tx.query<FoundRow>(unnamed(`fetch forward ${AT_ONCE} from rows_under_secret`));
    if (rows.length === 0) break;
    yield rows;
  }
  await tx.query(unnamed("close rows_under_secret"));
}

export async function updateRows(
  tx: Queryable,
  { table, columns }: CarriedTable,
  rows: readonly FoundRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.entries(columns);
  const values = names.map(([name]) => rows.map((row) => row[name]));
  const arrays = names.map(([, type], index) => `$${index + 3}::${type}[]`);
  await tx.query(
    new Sql(
      `update ${table} set ${names.map(([name]) => `${name} = n.${name}`).join(", ")}
       from unnest($1::text[]::oid[], $2::text[]::tid[], ${arrays.join(", ")})
         as n (part, place, ${names.map(([name]) => name).join(", ")})
       where ${table}.ctid = n.place and ${table}.tableoid = n.part`,
      [rows.map(({ part }) => part), rows.map(({ place }) => place), ...values],
      undefined,
    ),
  );
}

/** Mails whose links work once, and end. */
const WITH_LINKS: readonly MailKind[] = [
  ...(["invitation", "invitation reminder", "confirmation of an address"] as const),
  ...(["password reset", "sign-up", "new organization"] as const),
];

/** What is deleted: by the name that people read, or without one if nobody misses it. */
export const deletions: readonly { table: string; name?: string; statement: Sql }[] = [
  { table: "sessions", name: "sessions ended", statement: sql`delete from sessions` },
  { table: "recovery_codes", name: "recovery codes removed", statement: sql`delete from recovery_codes` },
  { table: "mailed_codes", name: "mailed links ended", statement: sql`delete from mailed_codes` },
  {
    table: "mails",
    name: "mails with such links deleted",
    statement: sql`delete from mails where kind = any(${WITH_LINKS})`,
  },
  {
    table: "organization_invitations",
    name: "invitations to make an organization ended",
    statement: sql`delete from organization_invitations where used_at is null`,
  },
  { table: "pending_sign_ins", statement: sql`delete from pending_sign_ins` },
  { table: "sign_in_steps", statement: sql`delete from sign_in_steps` },
  { table: "passkey_challenges", statement: sql`delete from passkey_challenges` },
  { table: "known_devices", statement: sql`delete from known_devices` },
  { table: "sign_in_networks", statement: sql`delete from sign_in_networks` },
  { table: "asked_mails", statement: sql`delete from asked_mails` },
];

/** Returns how many rows went. */
export async function deleteRows(tx: Queryable, statement: Sql): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`with gone as (${statement} returning 1) select count(*)::int as count from gone`,
  );
  return row?.count ?? 0;
}

/** The invitations that were mailed. Their links end, and they can be sent again. */
export async function countMailedInvitations(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from invitations where email is not null`,
  );
  return row?.count ?? 0;
}

function unnamed(text: string): Sql {
  return new Sql(text, [], undefined);
}
