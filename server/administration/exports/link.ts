/**
 * The path of an export's file for one administrator. It is signed, and it ends. Nothing of it is stored, so
 * neither the database nor the log of events has a path that works.
 */
import { timingSafeEqual } from "node:crypto";
import type { OrganizationId } from "../../../api/ids.ts";
import { EXPORT_LINK_HOURS } from "../../../api/limits.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";

export const LINK_FOLDER = "/exports/";
const HOUR_SECONDS = 3600;
const TOKEN = /^(\d{1,15})-(\d{1,15})-(\d{1,12})-([A-Za-z0-9_-]{43})$/;

interface Link {
  exportId: number;
  userId: number;
}

export function exportLink(keyring: Keyring, organizationId: OrganizationId, link: Link): string {
  const endsAt = Math.floor(Date.now() / 1000) + EXPORT_LINK_HOURS * HOUR_SECONDS;
  const signature = sign(keyring, organizationId, link, endsAt).toString("base64url");
  return `${LINK_FOLDER}${link.exportId}-${link.userId}-${endsAt}-${signature}`;
}

/** What the last part of a link says; undefined if it was not made here, or has ended. */
export function readLink(keyring: Keyring, organizationId: OrganizationId, token: string): Link | undefined {
  const [, exportId, userId, endsAt, signature] = TOKEN.exec(token) ?? [];
  if (signature === undefined) return undefined;
  const link = { exportId: Number(exportId), userId: Number(userId) };
  const expected = sign(keyring, organizationId, link, Number(endsAt));
  if (!timingSafeEqual(Buffer.from(signature, "base64url"), expected)) return undefined;
  return Number(endsAt) * 1000 > Date.now() ? link : undefined;
}

function sign(keyring: Keyring, organizationId: OrganizationId, link: Link, endsAt: number): Buffer {
  return keyring.hash(`export file: ${organizationId} ${link.exportId} ${link.userId} ${endsAt}`);
}
