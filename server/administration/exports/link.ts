/**
 * The path of an export's file for one administrator, or of a copy of somebody's own data for them. It is
 * signed, and it ends, also with the session or the API key that asked for it. Nothing of it is stored, so
 * neither the database nor the log of events has a path that works.
 */
import { timingSafeEqual } from "node:crypto";
import type { UserId } from "../../../api/ids.ts";
import { EXPORT_LINK_HOURS } from "../../../api/limits.ts";
import { credentialHash } from "../../accounts/sessions/credential-hash.ts";
import { users } from "../../people/user.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/** Links to one kind of files. No link is good for another kind. */
export interface LinkKind {
  folder: string;
  /** What the signature is for. */
  purpose: string;
}

export const exportLinks: LinkKind = { folder: "/exports/", purpose: "export file" };
export const ownDataLinks: LinkKind = { folder: "/own-data/", purpose: "own data" };

const HOUR_SECONDS = 3600;
const TOKEN = /^(\d{1,15})-(\d{1,15})-(\d{1,15})-(\d{1,12})-([A-Za-z0-9_-]{43})$/;

export interface Link {
  exportId: number;
  userId: UserId;
  /** The session that asked for it. 0: the API key did. */
  sessionId: number;
}

export function exportLink(
  keyring: Keyring,
  state: OrganizationState,
  link: Link,
  kind: LinkKind = exportLinks,
): string {
  const { exportId, userId, sessionId } = link;
  const endsAt = Math.floor(Date.now() / 1000) + EXPORT_LINK_HOURS * HOUR_SECONDS;
  const hash = credentialHash(state, userId, sessionId) ?? "";
  const signature = sign(keyring, state, link, { kind, endsAt, hash }).toString("base64url");
  return `${kind.folder}${exportId}-${userId}-${sessionId}-${endsAt}-${signature}`;
}

/** What the last part of a link says; undefined if it was not made here, or has ended. */
export function readLink(
  keyring: Keyring,
  state: OrganizationState,
  token: string,
  kind: LinkKind = exportLinks,
): Link | undefined {
  const [, exportId, userId, sessionId, endsAt, signature] = TOKEN.exec(token) ?? [];
  const user = state.get(users).find(Number(userId));
  if (signature === undefined || !user) return undefined;
  const link = { exportId: Number(exportId), userId: user.id, sessionId: Number(sessionId) };
  const hash = credentialHash(state, user.id, link.sessionId);
  if (hash === undefined) return undefined;
  const expected = sign(keyring, state, link, { kind, endsAt: Number(endsAt), hash });
  if (!timingSafeEqual(Buffer.from(signature, "base64url"), expected)) return undefined;
  return Number(endsAt) * 1000 > Date.now() ? link : undefined;
}

function sign(
  keyring: Keyring,
  { organizationId }: OrganizationState,
  { exportId, userId, sessionId }: Link,
  { kind, endsAt, hash }: { kind: LinkKind; endsAt: number; hash: string },
): Buffer {
  return keyring.hash(
    `${kind.purpose}: ${organizationId} ${exportId} ${userId} ${sessionId} ${endsAt} ${hash}`,
  );
}
