/** What accounts sign in with: their passwords and API keys, as the rows have them. */

import type { UserId } from "../../api/ids.ts";
import { recordAudit } from "../organization/audit-log/record.ts";
import type { Keyring } from "../platform/crypto/keyring.ts";
import { isPassword, type PasswordCheck } from "../platform/crypto/passwords.ts";
import type { Change } from "../platform/log/change.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { findEncryptedApiKey, listEncryptedApiKeys, listKeyDates } from "./api-key-store.ts";
import { findPasswordHash, findPasswordMailedAt, lockUser, updatePasswordHash } from "./store.ts";
import { users } from "./user.ts";

/**
 * The stored hash of the user's password, if this is the password. Takes as long for an unknown id, and for a
 * user without a password, as for a wrong password.
 */
export async function matchPassword(
  state: OrganizationState,
  userId: UserId,
  password: string,
  turn: PasswordCheck,
): Promise<string | undefined> {
  const hash = (await findPasswordHash(state.database, state.organizationId, userId)) ?? null;
  const isRight = await isPassword(hash, password, turn);
  return isRight && hash !== null ? hash : undefined;
}

/** null for an account without a password. */
export async function readPasswordHash(tx: Change, userId: UserId): Promise<string | null> {
  return (await findPasswordHash(tx, tx.state.organizationId, userId)) ?? null;
}

/** The same outside a change, for somebody who signs in without the password. */
export async function presentPasswordHash(
  { database, organizationId }: OrganizationState,
  userId: UserId,
): Promise<string | null> {
  return (await findPasswordHash(database, organizationId, userId)) ?? null;
}

/**
 * A sign-in locks the account's row, shared. So after this it is seen in the change, or sees the change.
 * LOCK: the account's row.
 */
export function lockAccount(tx: Change, userId: UserId): Promise<void> {
  return lockUser(tx, tx.state.organizationId, userId);
}

/**
 * Replaces the hash of a password, if it still is the expected one. Returns false otherwise, and for a
 * deactivated account. The caller ends the account's sessions.
 */
export function replacePassword(
  tx: Change,
  userId: UserId,
  { from, to, isByMail = false }: { from: string | null; to: string; isByMail?: boolean },
): Promise<boolean> {
  return updatePasswordHash(tx, tx.state.organizationId, userId, { from, to, isByMail });
}

/** When somebody last set the password by a link in a mail. */
export function passwordMailedAt(
  { database, organizationId }: OrganizationState,
  userId: UserId,
): Promise<Date | null> {
  return findPasswordMailedAt(database, organizationId, userId);
}

export async function readApiKey(
  state: OrganizationState,
  keyring: Keyring,
  userId: UserId,
): Promise<string> {
  return decryptKey(keyring, userId, await findEncryptedApiKey(state.database, state.organizationId, userId));
}

/** Reads somebody else's API key: a bot's, or any on the command line. */
export async function showApiKey(tx: Change, keyring: Keyring, userId: UserId): Promise<string> {
  await recordAudit(tx, { action: "api_key_shown", targetId: userId });
  return decryptKey(keyring, userId, await findEncryptedApiKey(tx, tx.state.organizationId, userId));
}

/** The active bots of somebody, and since when each has its key: the newest first. */
export async function listKeysOfBots(
  tx: Change,
  ownerId: UserId,
): Promise<{ fullName: string; email: string; since: Date }[]> {
  const { byId } = tx.state.get(users);
  const bots = [...byId.values()].filter((user) => user.botOwnerId === ownerId && user.isActive);
  const ids = bots.map(({ id }) => id);
  return (await listKeyDates(tx, tx.state.organizationId, ids)).flatMap(({ userId, since }) => {
    const bot = byId.get(userId);
    return bot ? [{ fullName: bot.fullName, email: bot.email, since }] : [];
  });
}

/** The keys of some accounts, still encrypted: for a list of which most entries are never shown. */
export const listSealedApiKeys = listEncryptedApiKeys;

function decryptKey(keyring: Keyring, userId: UserId, encrypted: Buffer | undefined): string {
  if (!encrypted) throw new Error(`user ${userId} has no API key`);
  return keyring.decrypt(encrypted);
}
