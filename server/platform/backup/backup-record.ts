/**
 * What a server knows of its backups, in a small file of the data directory. All processes of the server read
 * it, and `parley doctor` too: the target itself may be slow or away. A restored directory has none.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../postgres/start-error.ts";
import type { Manifest } from "./manifest.ts";

/** All times as in 2026-11-28T08:30:00.000Z. */
export interface BackupRecord {
  /** The target as people named it. */
  target: string;
  /** Since when this server has looked after the target. */
  since: string;
  /** The newest backup there, also one that people made by hand. */
  newest?: RecordedBackup;
  /** How many tries have failed since. */
  failures: number;
  failure?: { at: string; sentence: string };
}

export interface RecordedBackup extends Pick<Manifest, "id" | "startedAt" | "finishedAt"> {
  /** The database and the files together, before compression. */
  bytes: number;
}

/** Backups that are missed twice are missed by more than chance. */
const OLD_PERIODS = 2;

const NAME = "backups.json";

/** undefined: no server has looked after a target yet, or the file is damaged and will be written again. */
export async function readBackupRecord(dataDir: string): Promise<BackupRecord | undefined> {
  try {
    return JSON.parse(await readFile(path.join(dataDir, NAME), "utf8")) as BackupRecord;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

export async function writeBackupRecord(dataDir: string, record: BackupRecord): Promise<void> {
  const place = path.join(dataDir, NAME);
  await writeFile(`${place}.part`, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${place}.part`, place);
}

export function recordedBackup({ id, startedAt, finishedAt, database, files }: Manifest): RecordedBackup {
  return { id, startedAt, finishedAt, bytes: database.bytes + files.bytes };
}

/** Whether the newest backup is older than two periods, or none was made for as long. */
export function isBackupOld({ newest, since }: BackupRecord, now: Date, periodMs: number): boolean {
  return now.getTime() - Date.parse(newest?.finishedAt ?? since) > OLD_PERIODS * periodMs;
}
