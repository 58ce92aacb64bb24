import { ApiError, errors } from "../../api/errors.ts";
import type { OrganizationId, UserId } from "../../api/ids.ts";
import { type Role, roles } from "../../api/roles.ts";
import { changesBetween } from "../organization/audit-log/changes.ts";
import { recordAudit } from "../organization/audit-log/record.ts";
import type { Keyring } from "../platform/crypto/keyring.ts";
import type { Queryable } from "../platform/db/database.ts";
import type { Change } from "../platform/log/change.ts";
import { patchOf } from "../platform/log/projection.ts";
import { endQueuesOf } from "../platform/queues/end-queues.ts";
import { isOnlyOwner } from "./access/access.ts";
import { upsertApiKey } from "./api-key-store.ts";
import { apiKeys } from "./api-keys.ts";
import { parseFreeEmail } from "./email/free-email.ts";
import { announceDeactivation, announceUser } from "./events.ts";
import { parseFreeName } from "./free-name.ts";
import { parseEmail, parseFullName } from "./names.ts";
import { initialUserSettings } from "./settings/user-setting.ts";
import { deactivateUsers, insertUser } from "./store.ts";
import { type User, users } from "./user.ts";

export interface NewUser {
  email: string;
  fullName: string;
  role: Role;
  passwordHash: string | null;
  botType?: number;
  botOwnerId?: UserId;
  /** The name of the files of an uploaded picture. */
  avatarFile?: string | undefined;
}

/**
 * Adds a person or bot with an API key, and announces the account to everyone. A person starts with the
 * organization's default settings. Throws `emailTaken` for an
 * email that is in use, and `nameTaken` for a name that is in use where the organization wants unique names.
 */
export async function createUser(tx: Change, keyring: Keyring, target: NewUser): Promise<User> {
  const email = parseFreeEmail(tx.state, target.email);
  const fullName = parseFreeName(tx.state, target.fullName);
  const user = await insertUser(tx, tx.state.organizationId, {
    email,
    fullName,
    role: target.role,
    passwordHash: target.passwordHash,
    botType: target.botType ?? null,
    botOwnerId: target.botOwnerId ?? null,
    avatarFile: target.avatarFile ?? null,
    settings: target.botType === undefined ? initialUserSettings(tx.state) : {},
  });
  announceUser(tx, user);
  await giveApiKey(tx, keyring, user.id);
  const { id, role, botType, botOwnerId } = user;
  const bot = botType === null ? undefined : { bot_type: botType, bot_owner_id: botOwnerId };
  const changes = changesBetween({}, { full_name: fullName, email, role, ...bot });
  await recordAudit(tx, { action: "user_created", targetId: id, changes });
  return user;
}

/**
 * Adds the owner whom an organization is created with, and an API key for them. It appends no event: it is
 * only for the transaction that adds the organization, before anyone can have loaded it.
 */
export async function createFirstOwner(
  tx: Queryable,
  keyring: Keyring,
  organizationId: OrganizationId,
  owner: { email: string; fullName: string; passwordHash: string | null },
): Promise<User> {
  const user = await insertUser(tx, organizationId, {
    email: parseEmail(owner.email),
    fullName: parseFullName(owner.fullName),
    role: roles.owner,
    passwordHash: owner.passwordHash,
    botType: null,
    botOwnerId: null,
  });
  const key = keyring.newApiKey();
  await upsertApiKey(tx, organizationId, user.id, {
    hash: keyring.hash(key),
    encrypted: keyring.encrypt(key),
  });
  return user;
}

/** Gives somebody else's account a new API key, on the command line, and returns it. */
export async function regenerateApiKey(tx: Change, keyring: Keyring, userId: UserId): Promise<string> {
  await recordAudit(tx, { action: "api_key_regenerated", targetId: userId });
  return giveApiKey(tx, keyring, userId);
}

/** Gives the user a new API key in place of the old one, and returns it. */
export async function giveApiKey(tx: Change, keyring: Keyring, userId: UserId): Promise<string> {
  const key = keyring.newApiKey();
  const hash = keyring.hash(key);
  await upsertApiKey(tx, tx.state.organizationId, userId, { hash, encrypted: keyring.encrypt(key) });
  tx.appendPatch(patchOf(apiKeys, { userId, hash: hash.toString("base64") }));
  return key;
}

/**
 * Deactivates an account and the bots that it owns, and announces each to everyone. Their API keys stop
 * working and their event queues end as soon as a node has applied the change. Throws
 * `cannotDeactivateLastUser` for the only owner.
 */
export async function deactivateUser(tx: Change, target: User): Promise<void> {
  if (target.isSystem) throw new ApiError(errors.noSuchUser);
  if (isOnlyOwner(tx.state, target)) {
    throw new ApiError(errors.cannotDeactivateLastUser, { entity: "organization owner", isLastOwner: true });
  }
  const all = [...tx.state.get(users).all()].filter((user) => user.isActive);
  const ended = all.filter((user) => user.id === target.id || user.botOwnerId === target.id);
  const ids = ended.map((user) => user.id);
  await deactivateUsers(tx, tx.state.organizationId, ids);
  await endQueuesOf(tx, ids);
  for (const user of ended) announceDeactivation(tx, user);
  const bots = ids.filter((id) => id !== target.id);
  const changes = changesBetween({ bot_ids: bots.length > 0 ? bots : undefined }, {});
  await recordAudit(tx, { action: "user_deactivated", targetId: target.id, changes });
}
