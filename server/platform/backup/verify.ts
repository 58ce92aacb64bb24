/**
 * Proves a backup: restores it into a scratch directory, starts PostgreSQL on that, and reads everything.
 * Each page of the database has a checksum, and each file one in the backup's list.
 */
import { rmSync, statfsSync } from "node:fs";
import type { Config } from "../../config.ts";
import type { Queryable } from "../db/database.ts";
import { checkSecret } from "../db/secret-check.ts";
import type { FileStorage } from "../file-storage/file-storage.ts";
import { openFileStorage } from "../file-storage/open-storage.ts";
import { SUPERUSER } from "../postgres/cluster.ts";
import { startEmbeddedPostgres } from "../postgres/launcher.ts";
import { makeTemporaryDirectory } from "../postgres/throw-away.ts";
import { withConnection } from "./connection.ts";
import { type KeptFile, type Manifest, readList } from "./manifest.ts";
import { pieceNames } from "./pieces.ts";
import { restoreBackup } from "./restore.ts";
import { checkIndexes, countRows, findSchema, listHeads, listTables } from "./store.ts";
import { BackupError, type BackupTarget } from "./target.ts";

export interface Proof {
  tables: number;
  rows: number;
  indexes: number;
  files: number;
}

/**
 * Throws a BackupError with a sentence if the backup is not whole. `scratch`: the directory in which one
 * is made for the time of the trial.
 */
export async function verifyBackup(target: BackupTarget, backup: Manifest, scratch: string): Promise<Proof> {
  checkSpace(backup, scratch);
  const dataDir = makeTemporaryDirectory("parley-verify-", scratch);
  try {
    const place = { dataDir, files: undefined, s3: undefined };
    const files = openFileStorage(place);
    await restoreBackup(target, backup, { dataDir, files });
    const found = await checkDatabase(target, backup, dataDir);
    return { ...found, files: await compareFiles(target, backup, files) };
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The log that PostgreSQL writes while it recovers needs some room, too. */
const SPARE_BYTES = 200 * 1024 * 1024;

function checkSpace({ database, files }: Manifest, scratch: string): void {
  const { bavail, bsize } = statfsSync(scratch);
  const needed = database.bytes + files.bytes + SPARE_BYTES;
  if (bavail * bsize >= needed) return;
  const [free, wanted] = [bavail * bsize, needed].map((bytes) => Math.ceil(bytes / 1e6));
  throw new BackupError(
    "disk-full",
    `A trial needs ${wanted} MB in ${scratch}, which has ${free} MB free. Name a directory with more room by --scratch.`,
  );
}

async function checkDatabase(
  target: BackupTarget,
  backup: Manifest,
  dataDir: string,
): Promise<Omit<Proof, "files">> {
  const { connection, stop } = await startEmbeddedPostgres({ dataDir });
  try {
    await checkStoredSecret(backup, dataDir, connection);
    // Rows of all tables, and the extension, are for superusers.
    return await withConnection({ ...connection, user: SUPERUSER }, async (db) => {
      await compareLogs(target, backup, db);
      const tables = await listTables(db);
      let rows = 0;
      for (const table of tables) rows += await countRows(db, table);
      return { tables: tables.length, rows, indexes: await checkIndexes(db) };
    });
  } catch (error) {
    const { code = "" } = error as { code?: string };
    // Data corrupted, and index corrupted.
    if (!code.startsWith("XX")) throw error;
    throw new BackupError(
      "backup-damaged",
      `The database of the backup ${backup.id} is damaged: ${(error as Error).message}.`,
    );
  } finally {
    await stop();
  }
}

async function checkStoredSecret(
  { secret }: Manifest,
  dataDir: string,
  connection: Parameters<typeof checkSecret>[1],
): Promise<void> {
  if (secret.kind === "left out") return;
  const isDevelopment = secret.kind === "development";
  await checkSecret(
    { dataDir, isDevelopment, secret: undefined, databaseUrl: undefined } as Config,
    connection,
  );
}

/** Nothing that was acknowledged before the backup began may be missing. */
async function compareLogs(
  target: BackupTarget,
  { id, schema, heads }: Manifest,
  db: Queryable,
): Promise<void> {
  const found = await findSchema(db);
  if (found < schema)
    throw new BackupError(
      "backup-damaged",
      `The backup ${id} in ${target.name} has schema ${found}, and not ${schema}.`,
    );
  const restored = schema === 0 ? {} : await listHeads(db);
  for (const [organizationId, head] of Object.entries(heads)) {
    if ((restored[organizationId] ?? -1) >= head) continue;
    throw new BackupError(
      "backup-damaged",
      `The backup ${id} in ${target.name} lacks the newest entries of organization ${organizationId}.`,
    );
  }
}

async function compareFiles(target: BackupTarget, backup: Manifest, files: FileStorage): Promise<number> {
  let count = 0;
  for await (const { key, pieces } of readList<KeptFile>(target, backup.files)) {
    const opened = await files.open(key);
    const names = opened ? await pieceNames(target, opened.stream) : [];
    if (!opened || names.join() !== pieces.join())
      throw new BackupError(
        "backup-damaged",
        `The file ${key} of the backup ${backup.id} in ${target.name} is not what it was.`,
      );
    count++;
  }
  return count;
}
