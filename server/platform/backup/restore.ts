/**
 * Restores a backup into an empty data directory. A file marks the directory until all is there and
 * PostgreSQL has started on it, so that half a restore is never taken for an installation.
 */
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { mkdir, open, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ownSchema } from "../db/migrate.ts";
import { findFilesMark, type StoredFilesMark } from "../db/stored-files-mark.ts";
import type { FileStorage } from "../file-storage/file-storage.ts";
import { findMajor, findNative } from "../postgres/binaries.ts";
import { ensureDataDirectory } from "../postgres/data-directory.ts";
import { startEmbeddedPostgres } from "../postgres/launcher.ts";
import { findLockHolder } from "../postgres/lock.ts";
import { errorCode } from "../postgres/start-error.ts";
import { markRestore, unmarkRestore } from "../postgres/unfinished-restore.ts";
import { withConnection } from "./connection.ts";
import { markCopy } from "./copy-mark.ts";
import { LOST_AND_FOUND } from "./directory-target.ts";
import { parseLocation, readUntil, writeSegments } from "./log-chunks.ts";
import {
  type DatabaseFile,
  type KeptFile,
  listBackups,
  type Manifest,
  readList,
  type StoredList,
} from "./manifest.ts";
import { readPieces } from "./pieces.ts";
import { BackupError, type BackupTarget } from "./target.ts";

export interface RestorePlace {
  dataDir: string;
  /** Where the files go: below the data directory, or where PARLEY_FILES says. */
  files: FileStorage;
  /** To run beside the original. */
  isCopy?: boolean;
  /**
   * `backup`: as it was when the backup ended. `newest`, or a moment: the archived log is followed from
   * there. By default `backup`.
   */
  until?: "backup" | "newest" | Date;
}

/**
 * Throws a BackupError with a sentence if the backup is damaged, or the directory in use. The server starts
 * on nothing that was written then.
 */
export async function restoreBackup(
  target: BackupTarget,
  backup: Manifest,
  { dataDir: named, files, isCopy = false, until = "backup" }: RestorePlace,
): Promise<void> {
  if ((await findLockHolder(named)) !== undefined)
    throw new BackupError(
      "data-in-use",
      `A server or a command is running on ${named}, so nothing is restored there. Name an empty or a new directory.`,
    );
  checkEmpty(named);
  checkVersions(backup);
  await checkMark(files, backup.filesMark);
  if (until instanceof Date) await checkReach(target, backup, until);
  const dataDir = ensureDataDirectory(named);
  markRestore(dataDir, backup.id);
  if (isCopy) markCopy(dataDir, `restored from the backup ${backup.id}`);
  await restoreDatabase(target, backup, path.join(dataDir, "postgres"));
  const isWhole =
    until === "backup" || (await restoreLog(target, backup, path.join(dataDir, "postgres", "pg_wal")));
  if (until === "newest" && !isWhole)
    throw new BackupError(
      "backup-log",
      `The archived log in ${target.name} lacks a part after the backup ${backup.id}. Name a moment before that with --at, or restore the backup alone with --backup ${backup.id}.`,
    );
  await restoreSecret(backup, dataDir);
  await files.prepare();
  await restoreFiles(target, backup.files, files);
  // What was uploaded between the backup and the moment is in later backups.
  if (until !== "backup")
    for (const later of await listLater(target, backup)) await restoreFiles(target, later.files, files);
  const recovered = await recover(dataDir, until, isWhole);
  if (!recovered)
    throw new BackupError(
      "backup-log",
      `The archived log in ${target.name} lacks a part after the backup ${backup.id}, and what was committed then belongs to the moment that was named. Name an earlier one.`,
    );
  if (recovered.mark) await markFiles(files, recovered.mark.id);
  unmarkRestore(dataDir);
}

/**
 * Throws a BackupError if the place has files of another installation. `id`: undefined if the backup does
 * not know its own.
 */
async function checkMark({ mark }: FileStorage, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const found = await mark.read();
  if (found !== undefined && found !== id)
    throw new BackupError(
      "files-elsewhere",
      `${mark.placeName} has files of another installation. Name another place in PARLEY_FILES.`,
    );
}

/** The place of the files becomes the one that the restored database expects. */
async function markFiles(files: FileStorage, id: string): Promise<void> {
  await checkMark(files, id);
  await files.mark.write(id);
}

/** Throws a BackupError if this program can't start on what the backup has. */
function checkVersions({ id, parley, schema, postgres }: Manifest): void {
  const own = findMajor(findNative(`${process.platform}-${process.arch}`));
  if (schema > ownSchema()) {
    throw new BackupError(
      "backup-newer",
      `The backup ${id} was made by a newer Parley (${parley}, schema ${schema}; this one knows up to ${ownSchema()}). Restore it with that version.`,
    );
  }
  if (postgres !== own) {
    throw new BackupError(
      "backup-newer",
      `The backup ${id} is of PostgreSQL ${postgres}, but this Parley includes PostgreSQL ${own}. Restore it with Parley ${parley}.`,
    );
  }
}

/** Throws a BackupError if the log can't be followed from the backup to that moment. */
async function checkReach(target: BackupTarget, backup: Manifest, at: Date): Promise<void> {
  if (at < new Date(backup.finishedAt))
    throw new BackupError(
      "backup-missing",
      `The backup ${backup.id} shows a later moment than ${at.toISOString()}.`,
    );
  const until = backup.log === undefined ? undefined : await readUntil(target, backup.log);
  if (until && at <= until.at) return;
  throw new BackupError(
    "backup-missing",
    until
      ? `The archived log after the backup ${backup.id} ends at ${until.at.toISOString()}, before ${at.toISOString()}.`
      : `No log was archived after the backup ${backup.id} of ${backup.finishedAt}, so ${at.toISOString()} can't be restored.`,
  );
}

/** Resolves with whether nothing is missing up to the place that the archive has noted. */
async function restoreLog(
  target: BackupTarget,
  { log, timeline, endLocation }: Manifest,
  logDir: string,
): Promise<boolean> {
  if (log === undefined) return true;
  const from = parseLocation(endLocation);
  const covered = await writeSegments(target, { stream: log, timeline, from, logDir });
  return covered >= ((await readUntil(target, log))?.location ?? from);
}

/** A file that is in the way could be the only copy of something. */
function checkEmpty(dataDir: string): void {
  let names: string[];
  try {
    names = readdirSync(dataDir).filter((name) => name !== LOST_AND_FOUND);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    if (errorCode(error) === "ENOTDIR")
      throw new BackupError("data-not-a-directory", `${dataDir} is not a directory.`);
    if (errorCode(error) === "EACCES")
      throw new BackupError("data-denied", `${dataDir} can't be read by this user.`);
    throw error;
  }
  if (names.length > 0)
    throw new BackupError(
      "restore-place",
      `${dataDir} is not empty. A restore needs an empty or a new directory, so move what is there, or name another one.`,
    );
}

async function restoreDatabase(target: BackupTarget, backup: Manifest, clusterDir: string): Promise<void> {
  mkdirSync(clusterDir, { mode: 0o700 });
  chmodSync(clusterDir, 0o700);
  for await (const file of readList<DatabaseFile>(target, backup.database)) {
    const place = path.join(clusterDir, file.name);
    if (!place.startsWith(`${clusterDir}${path.sep}`))
      throw new BackupError(
        "backup-damaged",
        `The backup ${backup.id} names a place outside of the data directory, so it is damaged.`,
      );
    if (file.pieces === undefined) await mkdir(place, { recursive: true, mode: 0o700 });
    else await writePieces(target, place, file.size, file.pieces);
  }
  // PostgreSQL brings the copy to its consistent moment, and begins a new timeline there.
  await writeFile(path.join(clusterDir, "recovery.signal"), "", { mode: 0o600 });
}

async function writePieces(
  target: BackupTarget,
  place: string,
  size: number,
  pieces: readonly string[],
): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
  const file = await open(place, "wx", 0o600);
  try {
    let written = 0;
    for await (const piece of readPieces(target, pieces)) {
      await file.writeFile(piece);
      written += piece.length;
    }
    if (written !== size)
      throw new BackupError("backup-damaged", `${target.name} has another size for a file than its list.`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function restoreSecret({ secret }: Manifest, dataDir: string): Promise<void> {
  if (secret.kind !== "included") return;
  await writeFile(path.join(dataDir, "secret"), secret.value, { mode: 0o600, flag: "wx" });
}

async function listLater(target: BackupTarget, { finishedAt }: Manifest): Promise<Manifest[]> {
  return (await listBackups(target)).filter((backup) => backup.finishedAt > finishedAt);
}

/** A bucket or a directory outside may have survived. What it has is not written again. */
async function restoreFiles(target: BackupTarget, list: StoredList, files: FileStorage): Promise<void> {
  for await (const { key, size, pieces } of readList<KeptFile>(target, list)) {
    if ((await files.size(key)) === size) continue;
    const contentType = "application/octet-stream";
    const written = await files.temporaryPath();
    try {
      await writePieces(target, written, size, pieces);
      await files.put(key, { path: written, contentType });
    } finally {
      await rm(written, { force: true });
    }
  }
}

const RECOVERY_MS = 24 * 3600 * 1000;

const ENDED_EARLY = "recovery ended before configured recovery target was reached";

/**
 * Replays the log to its end or to the moment, then stops. The next start is a usual one. `isWhole`: nothing
 * of the log is missing. Resolves with the mark of the restored database's files, if it has one, and with
 * undefined if the log ended before the moment for want of a part.
 */
async function recover(
  dataDir: string,
  until: "backup" | "newest" | Date,
  isWhole: boolean,
): Promise<Recovered | undefined> {
  const target: Record<string, string> = until instanceof Date ? { recovery_target_time: timeOf(until) } : {};
  try {
    return await replay(dataDir, target);
  } catch (error) {
    if (!(until instanceof Date && error instanceof Error && error.message.includes(ENDED_EARLY)))
      throw error;
    if (!isWhole) return undefined;
    // Nothing was committed between the moment and the end of the log, which is known to be later.
    return await replay(dataDir, {});
  }
}

interface Recovered {
  mark: StoredFilesMark | undefined;
}

async function replay(dataDir: string, target: Record<string, string>): Promise<Recovered> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    isRestoring: true,
    readyTimeoutMs: RECOVERY_MS,
    settings: {
      ...target,
      // The log is in its place already. Without a command PostgreSQL would refuse to begin.
      restore_command: "false",
      recovery_target_timeline: "latest",
      recovery_target_action: "promote",
      // Else it would look ready while it still replays.
      hot_standby: "off",
    },
  });
  try {
    return { mark: await withConnection(postgres.connection, findFilesMark) };
  } finally {
    await postgres.stop(60_000);
  }
}

/** PostgreSQL takes an offset, and no Z. */
function timeOf(moment: Date): string {
  return moment.toISOString().replace("T", " ").replace("Z", "+00");
}
