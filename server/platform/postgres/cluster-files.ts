/**
 * What the directory of the embedded database must have before PostgreSQL is started on it. PostgreSQL's own
 * words name a file and not what to do.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import path from "node:path";
import type { FoundFault } from "../faults/catalogue.ts";
import { errorCode, StartError } from "./start-error.ts";

/** Whether the data directory has a database. One that is empty, as where a disk is missing, is none. */
export function hasCluster(dataDir: string): boolean {
  try {
    return readdirSync(path.join(dataDir, "postgres")).length > 0;
  } catch (error) {
    // Something is there. The start that opens it says what is the matter.
    return errorCode(error) !== "ENOENT" && !isBelowFile(dataDir, error);
  }
}

function isBelowFile(dataDir: string, error: unknown): boolean {
  return errorCode(error) === "ENOTDIR" && !statSync(dataDir, { throwIfNoEntry: false })?.isDirectory();
}

/** What each PostgreSQL since version 10 has. It looks at their contents itself. */
const DIRECTORIES = [
  ...[
    "base",
    "global",
    "pg_commit_ts",
    "pg_dynshmem",
    "pg_logical",
    "pg_multixact",
    "pg_notify",
    "pg_replslot",
  ],
  ...["pg_serial", "pg_snapshots", "pg_stat", "pg_subtrans", "pg_tblspc", "pg_twophase", "pg_wal", "pg_xact"],
];
const FILES = ["postgresql.conf", "pg_hba.conf"];
const CONTROL_FILE = path.join("global", "pg_control");
const CONTROL_BYTES = 8192;

/** Throws a StartError if PostgreSQL `major` can't serve what is there. */
export function checkClusterFiles(clusterDir: string, major: number): void {
  checkVersion(clusterDir, major);
  const control = statOf(clusterDir, CONTROL_FILE);
  const missing = [
    ...DIRECTORIES.filter((name) => !statOf(clusterDir, name)?.isDirectory()),
    ...FILES.filter((name) => !statOf(clusterDir, name)?.isFile()),
    ...(control?.isFile() ? [] : [CONTROL_FILE]),
  ];
  if (missing.length > 0) throw new StartError(...damaged(clusterDir, `${listed(missing)} missing there`));
  // PostgreSQL ends by SIGABRT, as if somebody had killed it.
  if ((control?.size ?? 0) < CONTROL_BYTES)
    throw new StartError(...damaged(clusterDir, `${CONTROL_FILE} is cut off`));
}

/** `missing`: one or more. */
function listed(missing: readonly string[]): string {
  const [first = "", ...others] = missing;
  if (others.length === 0) return `${first} is`;
  return `${first} and ${others.length} more ${others.length === 1 ? "part" : "parts"} are`;
}

function damaged(clusterDir: string, what: string): FoundFault {
  return [
    "database-damaged",
    `The database in ${clusterDir} is damaged: ${what}. Keep a copy of it, and restore the newest backup into a new directory.`,
  ];
}

/** undefined: it is not there, or this user may not look, which PostgreSQL's own user may. */
function statOf(clusterDir: string, name: string) {
  try {
    return statSync(path.join(clusterDir, name), { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR" || errorCode(error) === "ELOOP") return undefined;
    throw error;
  }
}

function checkVersion(clusterDir: string, major: number): void {
  const found = readVersion(clusterDir);
  if (found === undefined) {
    if (statOf(clusterDir, "base") || statOf(clusterDir, CONTROL_FILE))
      throw new StartError(...damaged(clusterDir, "PG_VERSION is missing there"));
    throw new StartError(
      "database-damaged",
      `The directory ${clusterDir} contains something that is not a PostgreSQL database. Choose another directory with PARLEY_DATA_DIR.`,
    );
  }
  if (!/^\d{1,3}(\.\d{1,3})?$/.test(found))
    throw new StartError(...damaged(clusterDir, "PG_VERSION names no version"));
  if (found !== String(major)) {
    throw new StartError(
      "database-version",
      `The database in ${clusterDir} was made by PostgreSQL ${found}, but this Parley includes PostgreSQL ${major}. Restore a backup into a new data directory.`,
    );
  }
}

function readVersion(clusterDir: string): string | undefined {
  try {
    return readFileSync(path.join(clusterDir, "PG_VERSION"), "utf8").trim();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    if (errorCode(error) === "EISDIR") return "";
    throw error;
  }
}

/** PostgreSQL takes no directory that others can enter. The group may read it. */
const TOO_OPEN = 0o027;

/** Closes the directory to other users, as after a careless copy. What can't be closed PostgreSQL refuses. */
export function closeCluster(clusterDir: string): void {
  // The owner of the data directory could lead root to a directory of somebody else by a link.
  const noLink = process.getuid?.() === 0 ? constants.O_NOFOLLOW : 0;
  let fd: number;
  try {
    fd = openSync(clusterDir, constants.O_RDONLY | constants.O_DIRECTORY | noLink);
  } catch (error) {
    if (["ELOOP", "ENOTDIR"].includes(errorCode(error) ?? "")) return;
    throw error;
  }
  try {
    if ((fstatSync(fd).mode & TOO_OPEN) !== 0) fchmodSync(fd, 0o700);
  } catch (error) {
    if (errorCode(error) !== "EPERM") throw error;
  } finally {
    closeSync(fd);
  }
}

const DAMAGES: [words: RegExp, what: string][] = [
  [
    /could not locate (a valid|required) checkpoint record|invalid (primary )?checkpoint/,
    "its log in pg_wal lacks the last checkpoint",
  ],
  [
    /incorrect checksum in control file|control file contains invalid|database files are incompatible/,
    "global/pg_control is not what PostgreSQL has written",
  ],
  [
    /could not find the database system|is not a valid data directory|database "template1" does not exist/,
    "it is not whole",
  ],
  [
    /could not (open|access|read|stat) (file|directory) "([^"]*\/)?(PG_VERSION|base|global|pg_[a-z]+)\b/,
    "a file is missing or can't be read",
  ],
  [
    /invalid page in block|could not read block|checksum verification failed|could not access status of transaction/,
    "a part of it can't be read",
  ],
];

/** What PostgreSQL's last words mean, if they are about its files. */
export function explainLastWords(clusterDir: string, words: string): FoundFault | undefined {
  if (words.includes("No space left on device"))
    return [
      "disk-full",
      `The disk under the database in ${clusterDir} is full. Free some space, then try again.`,
    ];
  if (/has invalid permissions|Permissions should be u=rwx/.test(words))
    return [
      "data-denied",
      `Other users can enter the database in ${clusterDir}, which PostgreSQL refuses. Run chmod 700 on the directory.`,
    ];
  if (words.includes("Permission denied"))
    return [
      "data-denied",
      `PostgreSQL may not read a file of the database in ${clusterDir} (it says: ${words}). Run chmod -R u+rwX on the directory.`,
    ];
  const [, what] = DAMAGES.find(([pattern]) => pattern.test(words)) ?? [];
  if (what === undefined) return undefined;
  return damaged(clusterDir, `${what} (PostgreSQL says: ${words})`);
}
