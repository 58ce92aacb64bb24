// A directory with a short path for sockets, whose paths must stay below 104 bytes however deep the data
// directory is. It has the same name at every start, so that no directories pile up. Every user can write to
// the directory for temporary files, so a name that another user has taken is left alone.

import { createHash } from "node:crypto";
import { chmodSync, lchownSync, lstatSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeDirectory } from "./data-directory.ts";
import type { Identity } from "./identity.ts";
import { errorCode } from "./start-error.ts";

export interface RuntimeDirectory {
  path: string;
  /** The directory of PostgreSQL's socket. A user who may enter it can connect as any role. */
  socketDir: string;
}

/**
 * Creates the directory, or reuses our own of an earlier start. If root creates it, other users may pass
 * through it, since PostgreSQL's user must reach `socketDir`. Only that user may enter `socketDir`.
 */
export function makeRuntimeDirectory(dataDir: string): RuntimeDirectory {
  const dir = makePrivateDirectory(dataDir);
  const socketDir = path.join(dir, "pg");
  makeDirectory(socketDir, 0o700);
  return { path: dir, socketDir };
}

/** Gives the socket directory to PostgreSQL's user, and removes what a crash left in it. */
export function openSocketDirectory({ socketDir }: RuntimeDirectory, owner?: Identity["owner"]): void {
  if (owner) lchownSync(socketDir, owner.uid, owner.gid);
  rmSync(path.join(socketDir, ".s.PGSQL.5432"), { force: true });
  rmSync(path.join(socketDir, ".s.PGSQL.5432.lock"), { force: true });
}

/** Removes the directory, unless it contains files of others. */
export function removeRuntimeDirectory(runtime: RuntimeDirectory): void {
  try {
    rmdirSync(runtime.socketDir);
    rmdirSync(runtime.path);
  } catch (error) {
    if (!["ENOTEMPTY", "ENOENT"].includes(errorCode(error) ?? "")) throw error;
  }
}

function makePrivateDirectory(dataDir: string): string {
  const uid = process.getuid?.() ?? 0;
  const mode = uid === 0 ? 0o711 : 0o700;
  const hash = createHash("sha256").update(`${uid}:${dataDir}`).digest("hex").slice(0, 16);
  const dir = path.join(shortTemporaryDirectory(), `parley-${hash}`);
  if (makeDirectory(dir, mode)) return dir;
  const stat = lstatSync(dir);
  const isOurs = stat.isDirectory() && stat.uid === uid && (stat.mode & 0o777) === mode;
  if (isOurs) return dir;
  const other = mkdtempSync(`${dir}-`);
  chmodSync(other, mode);
  return other;
}

/**
 * The directory for temporary files, or /tmp if its path is too long. (The user's own on macOS has 50 bytes.)
 */
export function shortTemporaryDirectory(): string {
  return Buffer.byteLength(os.tmpdir()) <= 60 ? os.tmpdir() : "/tmp";
}
