/**
 * Addresses under which everybody can load an upload for a minute. They are signed, and nothing of them is
 * stored. Each ends with the session or API key that asked for it, and with that person's right to read.
 */
import { timingSafeEqual } from "node:crypto";
import type { OrganizationId } from "../../../api/ids.ts";
import { TEMPORARY_URL_SECONDS } from "../../../api/limits.ts";
import { type User, users } from "../../people/user.ts";
import type { CredentialHashes, Viewer } from "../../people/viewer/viewer.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { UPLOADS_FOLDER } from "./path.ts";

const TOKEN = /^(\d{1,12})-(\d{1,15})-(\d{1,15})-([A-Za-z0-9_-]{43})$/;

interface Given {
  endsAt: number;
  userId: number;
  /** 0: it was asked for with the API key. */
  sessionId: number;
}

export function temporaryUrl(
  keyring: Keyring,
  { state: { organizationId }, user, credential }: Viewer,
  path: string,
): string {
  const endsAt = Math.floor(Date.now() / 1000) + TEMPORARY_URL_SECONDS;
  const sessionId = credential?.kind === "session" ? credential.id : 0;
  const given = { endsAt, userId: user.id, sessionId };
  const signature = sign(keyring, organizationId, path, given, credential?.hash ?? "").toString("base64url");
  return `${UPLOADS_FOLDER}temporary/${endsAt}-${user.id}-${sessionId}-${signature}/${path}`;
}

/**
 * The person who asked for this token and path. undefined: it was not made here, has ended, or its session or
 * key has.
 */
export function findTemporaryReader(
  { keyring, credentialHash }: { keyring: Keyring; credentialHash: CredentialHashes },
  state: OrganizationState,
  path: string,
  token: string,
): User | undefined {
  const [, endsAt, userId, sessionId, signature] = TOKEN.exec(token) ?? [];
  if (signature === undefined || Number(endsAt) * 1000 <= Date.now()) return undefined;
  const given = { endsAt: Number(endsAt), userId: Number(userId), sessionId: Number(sessionId) };
  const user = state.get(users).find(given.userId);
  const hash = user && credentialHash(state, user.id, given.sessionId);
  if (hash === undefined) return undefined;
  const expected = sign(keyring, state.organizationId, path, given, hash);
  return timingSafeEqual(Buffer.from(signature, "base64url"), expected) ? user : undefined;
}

function sign(
  keyring: Keyring,
  organizationId: OrganizationId,
  path: string,
  { endsAt, userId, sessionId }: Given,
  hash: string,
): Buffer {
  const named = `${organizationId} ${endsAt} ${userId} ${sessionId} ${hash} ${path}`;
  return keyring.hash(`temporary address of an upload: ${named}`);
}
