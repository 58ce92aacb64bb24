/**
 * Addresses under which everybody can load an upload for a minute. They are signed, and nothing of them is
 * stored.
 */
import { timingSafeEqual } from "node:crypto";
import type { OrganizationId } from "../../../api/ids.ts";
import { TEMPORARY_URL_SECONDS } from "../../../api/limits.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { UPLOADS_FOLDER } from "./path.ts";

const TOKEN = /^(\d{1,12})-([A-Za-z0-9_-]{43})$/;

export function temporaryUrl(keyring: Keyring, organizationId: OrganizationId, path: string): string {
  const endsAt = Math.floor(Date.now() / 1000) + TEMPORARY_URL_SECONDS;
  const signature = sign(keyring, organizationId, path, endsAt).toString("base64url");
  return `${UPLOADS_FOLDER}temporary/${endsAt}-${signature}/${path}`;
}

/** Whether a token was made here for this path and has not ended. */
export function isTemporaryToken(
  keyring: Keyring,
  organizationId: OrganizationId,
  path: string,
  token: string,
): boolean {
  const [, endsAt, signature] = TOKEN.exec(token) ?? [];
  if (signature === undefined) return false;
  const expected = sign(keyring, organizationId, path, Number(endsAt));
  return timingSafeEqual(Buffer.from(signature, "base64url"), expected) && Number(endsAt) * 1000 > Date.now();
}

function sign(keyring: Keyring, organizationId: OrganizationId, path: string, endsAt: number): Buffer {
  return keyring.hash(`temporary address of an upload: ${organizationId} ${endsAt} ${path}`);
}
