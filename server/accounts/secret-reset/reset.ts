/**
 * For a secret that is lost for good. What was encrypted under it can't be read by anybody. So it is replaced
 * under the secret of today, or deleted. No server may run meanwhile: its memory would have the old keys.
 */

import { recordAudit } from "../../organization/audit-log/record.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { replaceSecretCheck } from "../../platform/db/stored-secret-check.ts";
import {
  type Account,
  deleteUnreadable,
  listKeyAccounts,
  listOrganizationIds,
  listTokenAccounts,
  replaceKeys,
  replaceTokens,
} from "./store.ts";

const secretReset = { action: "secret_reset" } as const;

/** Accounts in one statement. */
const BATCH = 1000;

/** Returns what was done, as numbers by their names. Each organization's audit log has an entry. */
export async function resetSecret(tx: Queryable, keyring: Keyring): Promise<Map<string, number>> {
  const accounts = await listKeyAccounts(tx);
  for (const batch of batchesOf(accounts))
    await replaceKeys(
      tx,
      batch,
      batch.map(() => newKey(keyring)),
    );
  const bots = await listTokenAccounts(tx);
  for (const batch of batchesOf(bots)) {
    await replaceTokens(
      tx,
      batch,
      batch.map(() => keyring.encrypt(keyring.newApiKey())),
    );
  }
  const deleted = await deleteUnreadable(tx);
  await replaceSecretCheck(tx, keyring.check);
  for (const organizationId of await listOrganizationIds(tx)) {
    await recordAudit({ query: (statement) => tx.query(statement), state: { organizationId } }, secretReset);
  }
  return new Map([
    ["API keys replaced", accounts.length],
    ["tokens of outgoing webhooks replaced", bots.length],
    ...deleted,
  ]);
}

function newKey(keyring: Keyring): { hash: Buffer; encrypted: Buffer } {
  const key = keyring.newApiKey();
  return { hash: keyring.hash(key), encrypted: keyring.encrypt(key) };
}

function batchesOf(accounts: readonly Account[]): Account[][] {
  const count = Math.ceil(accounts.length / BATCH);
  return Array.from({ length: count }, (_, index) => accounts.slice(index * BATCH, (index + 1) * BATCH));
}
