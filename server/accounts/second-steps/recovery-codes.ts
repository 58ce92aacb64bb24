import { randomInt } from "node:crypto";
import type { UserId } from "../../../api/ids.ts";
import { RECOVERY_CODES } from "../../../api/limits.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Change } from "../../platform/log/change.ts";
import { replaceRecoveryCodes } from "./store.ts";

/** Without letters and digits that look alike. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const LENGTH = 12;

/** Gives somebody new codes in place of all old ones. Only their keyed hashes are kept. */
export async function giveRecoveryCodes(tx: Change, keyring: Keyring, userId: UserId): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  const hashes = codes.map((code) => hashRecoveryCode(keyring, userId, code));
  await replaceRecoveryCodes(tx, tx.state.organizationId, userId, hashes);
  return codes;
}

function newCode(): string {
  const text = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
}

/** The same for all ways to type a code. */
export function hashRecoveryCode(keyring: Keyring, userId: UserId, code: string): Buffer {
  const letters = code.toLowerCase().replace(/[^a-z0-9]/g, "");
  return keyring.hash(`recovery code ${letters} of user ${userId}`);
}
