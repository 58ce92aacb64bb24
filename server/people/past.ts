/**
 * Accounts of another chat, for an organization that nobody can load yet (`addUnopenedOrganization`). So they
 * make no events, no mails and no entries in the audit log.
 */
import type { OrganizationId, UserId } from "../../api/ids.ts";
import type { Role } from "../../api/roles.ts";
import type { Keyring } from "../platform/crypto/keyring.ts";
import type { Queryable } from "../platform/db/database.ts";
import { insertPastKeys, insertPastUsers, updatePastOwners } from "./past-store.ts";

/** Checked by `parseEmail` and `parseFullName`. No two have one address, ignoring case. */
export interface PastPerson {
  email: string;
  fullName: string;
  role: Role;
  /** null: a person. */
  botType: number | null;
  timezone: string;
  joinedAt: Date;
  isActive: boolean;
}

/** Adds accounts without passwords, each with an API key of its own. Returns their ids in the same order. */
export async function addPastPeople(
  tx: Queryable,
  keyring: Keyring,
  organizationId: OrganizationId,
  people: readonly PastPerson[],
): Promise<UserId[]> {
  const ids = await insertPastUsers(tx, organizationId, people);
  await addPastKeys(tx, keyring, organizationId, ids);
  return ids;
}

/** Gives each account a new API key. They have none yet. */
export async function addPastKeys(
  tx: Queryable,
  keyring: Keyring,
  organizationId: OrganizationId,
  ids: readonly UserId[],
): Promise<void> {
  const keys = ids.map((userId) => {
    const key = keyring.newApiKey();
    return { userId, hash: keyring.hash(key), encrypted: keyring.encrypt(key) };
  });
  await insertPastKeys(tx, organizationId, keys);
}

/** Gives bots their owners. */
export function setPastOwners(
  tx: Queryable,
  organizationId: OrganizationId,
  owned: readonly { botId: UserId; ownerId: UserId }[],
): Promise<void> {
  return updatePastOwners(tx, organizationId, owned);
}
