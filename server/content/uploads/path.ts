/**
 * Names of uploads: the path in their addresses, and the keys of their files. A path is looked up in the
 * database as a whole. No path of a request is ever made a path on a disk.
 */
import { randomBytes } from "node:crypto";
import type { OrganizationId } from "../../../api/ids.ts";

export const UPLOADS_FOLDER = "/user_uploads/";

/** In the address, which people copy. The whole name is kept beside it. */
const MAX_NAME = 100;
const MAX_ENDING = 20;
const NAMELESS = "file";

export interface UploadNames {
  path: string;
  storageKey: string;
}

/** A new path that nobody can guess, and the key of its file. */
export function newNames(organizationId: OrganizationId, fileName: string): UploadNames {
  const folder = randomBytes(1).toString("hex");
  const random = randomBytes(18).toString("base64url");
  return {
    path: `${organizationId}/${folder}/${random}/${addressName(fileName)}`,
    storageKey: `${organizationId}/uploads/${folder}/${random}`,
  };
}

/** The key of a small picture of an upload. */
export function thumbnailKey(organizationId: OrganizationId, storageKey: string, format: string): string {
  const random = storageKey.slice(storageKey.lastIndexOf("/") + 1);
  return `${organizationId}/thumbnails/${random}/${format}`;
}

/** Only letters and digits of English, `_`, `.` and `-`. So no program has to encode it in an address. */
export function addressName(fileName: string): string {
  const plain = fileName
    .normalize("NFKD")
    .replace(/\s+/g, "-")
    .replace(/[^A-Za-z0-9_.-]/g, "")
    .replace(/\.{2,}/g, ".")
    .replace(/^[.-]+|[.-]+$/g, "");
  const dot = plain.lastIndexOf(".");
  const hasEnding = dot > 0 && plain.length - dot <= MAX_ENDING;
  const ending = hasEnding ? plain.slice(dot) : "";
  const name = hasEnding ? plain.slice(0, dot) : plain;
  // A name in other letters may leave nothing but its ending.
  if (name === "") return NAMELESS;
  if (!hasEnding && /^[A-Za-z0-9]+$/.test(plain) && fileName.endsWith(`.${plain}`))
    return `${NAMELESS}.${plain}`;
  return name.slice(0, MAX_NAME - ending.length) + ending;
}

const PATH = /^\d{1,15}\/[0-9a-f]{2}\/[A-Za-z0-9_-]{24}\/[A-Za-z0-9_.-]{1,100}$/;

/** Whether an upload can have this path. */
export function isPath(text: string): boolean {
  return PATH.test(text);
}

/** The path that a link leads to, if it may be an upload's. In a text any character may be encoded. */
export function decodedPath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    return isPath(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}
