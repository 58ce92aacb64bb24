// A directory with a short path for PostgreSQL's socket. It has the same name at every start, so that no
// directories pile up. It lies in the data directory if the path is short enough: programs that clean /tmp do
// not come there, and commands find it whatever /tmp they see. Every user can write to the directory for
// temporary files, so a name that another user has taken is left alone.

import { createHash } from "node:crypto";
import { chmodSync, existsSync, lchownSync, lstatSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeDirectory } from "./data-directory.ts";
import type { Identity } from "./identity.ts";
import { errorCode, StartError } from "./start-error.ts";

export interface RuntimeDirectory {
  path: string;
  /** The directory of PostgreSQL's socket. A user who may enter it can connect as any role. */
  socketDir: string;
}

/** A socket's path has at most 107 bytes, on macOS 103. */
const MAX_SOCKET_PATH = 103;
/** `mkdtemp` may add so many bytes to the name. */
const SUFFIX_LENGTH = 7;
const SOCKET = ".s.PGSQL.5432";

/**
 * Creates the directory, or reuses our own of an earlier start. If root creates it, other users may pass
 * through it, since PostgreSQL's user must reach `socketDir`. Only that user may enter `socketDir`.
 */
export function makeRuntimeDirectory(dataDir: string): RuntimeDirectory {
  let failure: unknown;
  for (const place of placesFor(dataDir)) {
    try {
      const dir = makePrivateDirectory(place);
      const socketDir = path.join(dir, "pg");
      makeDirectory(socketDir, 0o700);
      return { path: dir, socketDir };
    } catch (error) {
      failure = error;
    }
  }
  throw noShortPlace(failure);
}

export function noShortPlace(failure: unknown): StartError {
  return new StartError(
    "socket-place",
    `There is no directory for the database's socket: ${(failure as Error).message}. Choose a data directory with a shorter path in PARLEY_DATA_DIR, or set TMPDIR.`,
    { cause: failure },
  );
}

/** Where the directory may be, the best place first. The last one is tried however long it is. */
export function placesFor(dataDir: string, environment: NodeJS.ProcessEnv = process.env): string[] {
  const uid = process.getuid?.() ?? 0;
  const hash = createHash("sha256").update(`${uid}:${dataDir}`).digest("hex").slice(0, 16);
  // systemd makes it for the unit, and may name several.
  const ofUnit = environment.RUNTIME_DIRECTORY?.split(":")[0];
  const ofUser = uid === 0 ? "/run" : `/run/user/${uid}`;
  const named = (dir: string) => path.join(dir, `parley-${hash}`);
  return [
    ...[...(ofUnit ? [named(ofUnit)] : []), path.join(dataDir, "run"), named(ofUser)].filter(isShort),
    named(shortTemporaryDirectory()),
  ];
}

function isShort(dir: string): boolean {
  return Buffer.byteLength(path.join(dir, "pg", SOCKET)) + SUFFIX_LENGTH <= MAX_SOCKET_PATH;
}

/**
 * Gives the socket directory to PostgreSQL's user, and removes what a crash left in it. Makes the directories
 * again if somebody has removed them since.
 */
export function openSocketDirectory(runtime: RuntimeDirectory, owner?: Identity["owner"]): void {
  const { socketDir } = runtime;
  if (!makeDirectory(runtime.path, modeOfOurs()) && !isOurs(runtime.path)) {
    throw new StartError("socket-place", `Another user has taken the name ${runtime.path}.`);
  }
  makeDirectory(socketDir, 0o700);
  if (owner) lchownSync(socketDir, owner.uid, owner.gid);
  rmSync(path.join(socketDir, SOCKET), { force: true });
  rmSync(path.join(socketDir, `${SOCKET}.lock`), { force: true });
}

/** Whether clients can find the socket. Nobody tells PostgreSQL when its directory is removed. */
export function hasSocket({ socketDir }: RuntimeDirectory): boolean {
  return existsSync(path.join(socketDir, SOCKET));
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

function makePrivateDirectory(dir: string): string {
  if (makeDirectory(dir, modeOfOurs()) || isOurs(dir)) return dir;
  const other = mkdtempSync(`${dir}-`);
  chmodSync(other, modeOfOurs());
  return other;
}

function modeOfOurs(): number {
  return process.getuid?.() === 0 ? 0o711 : 0o700;
}

function isOurs(dir: string): boolean {
  const stat = lstatSync(dir);
  return stat.isDirectory() && stat.uid === (process.getuid?.() ?? 0) && (stat.mode & 0o777) === modeOfOurs();
}

/**
 * The directory for temporary files, or /tmp if its path is too long. (The user's own on macOS has 50 bytes.)
 */
export function shortTemporaryDirectory(): string {
  return Buffer.byteLength(os.tmpdir()) <= 60 ? os.tmpdir() : "/tmp";
}
