/**
 * Another secret in place of one that is known. What is kept encrypted or signed is brought under the new
 * one, and what is kept by its hash alone ends. No server may run meanwhile: its memory has the old keys.
 */
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { replaceSecretCheck } from "../../platform/db/stored-secret-check.ts";
import { listOrganizationIds } from "../secret-reset/store.ts";
import { type CarriedTable, carriedTables, Secrets } from "./carry.ts";
import {
  countMailedInvitations,
  deleteRows,
  deletions,
  type FoundRow,
  readRows,
  updateRows,
} from "./store.ts";

const secretRotated = { action: "secret_rotated" } as const;

/** Returns what was done, as numbers by their names. Each organization's audit log has an entry. */
export async function rotateSecret(tx: Queryable, from: Keyring, to: Keyring): Promise<Map<string, number>> {
  const ended = new Map<string, number>();
  for (const { name, statement } of deletions) add(ended, name, await deleteRows(tx, statement));
  const secrets = new Secrets(from, to);
  const kept = new Map<string, number>();
  for (const table of carriedTables) add(kept, table.name, await carryTable(tx, table, secrets));
  add(ended, "mailed invitations to send again", await countMailedInvitations(tx));
  await replaceSecretCheck(tx, to.check);
  for (const organizationId of await listOrganizationIds(tx)) {
    await recordAudit(
      { query: (statement) => tx.query(statement), state: { organizationId } },
      secretRotated,
    );
  }
  if (secrets.unreadable > 0) add(ended, "values left that could not be read before", secrets.unreadable);
  return new Map([...kept, ...ended]);
}

async function carryTable(tx: Queryable, table: CarriedTable, secrets: Secrets): Promise<number> {
  let count = 0;
  for await (const rows of readRows(tx, table)) {
    const changed = rows.flatMap((row): FoundRow[] => {
      const values = table.carry(row, secrets);
      return values ? [{ ...row, ...values }] : [];
    });
    await updateRows(tx, table, changed);
    count += changed.length;
  }
  return count;
}

function add(counts: Map<string, number>, name: string | undefined, count: number): void {
  if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + count);
}
