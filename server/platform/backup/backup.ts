/**
 * A backup of a running installation with the embedded PostgreSQL: the database, the files and the secret
 * at one moment. Files are copied before the database and again after it. So each row has its file: a file
 * is stored before its row and deleted after it, and one that was deleted meanwhile was copied before.
 * Decision 64 says more.
 */
import { Readable } from "node:stream";
import type pg from "pg";
import { ownVersion } from "../../version.ts";
import type { Queryable } from "../db/database.ts";
import { findFilesMark, type StoredFilesMark } from "../db/stored-files-mark.ts";
import type { FileStorage } from "../file-storage/file-storage.ts";
import type { Connection } from "../postgres/ready.ts";
import { errorCode } from "../postgres/start-error.ts";
import { connectForReplication, copyCluster, identifySystem, type LogSpan } from "./base-backup.ts";
import { withConnection } from "./connection.ts";
import { FileCopier } from "./files.ts";
import { deleteOldBackups } from "./keep.ts";
import type { KeepRule } from "./keep-rule.ts";
import {
  BACKUPS_FOLDER,
  claimTarget,
  type DatabaseFile,
  type Manifest,
  newId,
  type StoredList,
  type StoredSecret,
  writeManifest,
} from "./manifest.ts";
import { PIECES_FOLDER, PieceWriter, type Written } from "./pieces.ts";
import { findArchiveSlot, findSchema, listHeads, SLOT_PREFIX, tryBackupLock } from "./store.ts";
import { BackupBusy, BackupError, type BackupTarget } from "./target.ts";

export interface BackupSource {
  /** The embedded PostgreSQL, which runs. */
  connection: Connection;
  files: FileStorage;
  secret: StoredSecret;
}

export interface MadeBackup {
  manifest: Omit<Manifest, "format">;
  /** What was new to the target. */
  written: Written;
  /** The ids of those that the rule did not keep. */
  deleted: string[];
}

/**
 * Makes a backup, and deletes those that the rule does not keep, if there is one. Throws a BackupError
 * with a sentence if that can't be done; then the target has the backups of before, and pieces that the
 * next one uses.
 */
export async function makeBackup(
  source: BackupSource,
  target: BackupTarget,
  keep?: KeepRule,
): Promise<MadeBackup> {
  try {
    return await withConnection(source.connection, async (db) => {
      if (!(await tryBackupLock(db)))
        throw new BackupBusy(
          "backup-busy",
          "Another backup of this installation is being made. Wait until it has ended.",
        );
      const mark = await checkFiles(source.files, db);
      await target.prepare();
      const made = await copyAll(source, target, db, mark);
      return { ...made, deleted: keep ? await deleteOldBackups(target, keep) : [] };
    });
  } catch (error) {
    throw explained(error);
  }
}

/** An empty mount point must not become a backup without files, which then takes the place of others. */
async function checkFiles(files: FileStorage, db: Queryable): Promise<StoredFilesMark | undefined> {
  const mark = await findFilesMark(db);
  if (!mark?.isWritten) return mark;
  files.expectMark({ id: mark.id });
  const problem = await files.check();
  if (problem !== undefined) throw new BackupError("files-elsewhere", `${problem} No backup was made.`);
  return mark;
}

async function copyAll(
  source: BackupSource,
  target: BackupTarget,
  db: Queryable,
  mark: StoredFilesMark | undefined,
): Promise<Omit<MadeBackup, "deleted">> {
  const replication = await connectForReplication(source.connection);
  try {
    const installation = await identifySystem(replication);
    await claimTarget(target, installation);
    // The archive of the log writes meanwhile, in its own folder.
    for (const folder of [PIECES_FOLDER, BACKUPS_FOLDER]) await target.deleteUnfinished(folder);
    const startedAt = new Date();
    const id = await newId(target, startedAt);
    const schema = await findSchema(db);
    const heads = schema === 0 ? {} : await listHeads(db);
    const slot = await findArchiveSlot(db);
    const pieces = new PieceWriter(target);
    const files = await FileCopier.open(source.files, target, pieces);
    await files.copyNew();
    const { database, span, postgres } = await copyDatabase(replication, pieces);
    const finishedAt = new Date();
    await files.copyNew();
    const manifest = {
      id,
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      installation,
      parley: ownVersion,
      schema,
      postgres,
      timeline: span.timeline,
      startLocation: span.start,
      endLocation: span.end,
      ...(slot && !slot.isLost && { log: slot.name.slice(SLOT_PREFIX.length) }),
      secret: source.secret,
      heads,
      ...(mark && { filesMark: mark.id }),
      database: await storeList(pieces, database),
      files: await storeList(pieces, files.copied),
    };
    await pieces.finish();
    await writeManifest(target, manifest);
    return { manifest, written: pieces.written };
  } finally {
    await replication.end().catch(() => {});
  }
}

async function copyDatabase(
  replication: pg.Client,
  pieces: PieceWriter,
): Promise<{ database: DatabaseFile[]; span: LogSpan; postgres: number }> {
  const database: DatabaseFile[] = [];
  let version = "";
  const span = await copyCluster(replication, async ({ name, isDirectory, mode, size, content }) => {
    const file = { name, mode, size };
    if (isDirectory) {
      database.push(file);
      return;
    }
    const kept = name === "PG_VERSION" ? noting(content, (text) => (version += text)) : content;
    database.push({ ...file, pieces: await pieces.add(kept) });
  });
  return { database, span, postgres: Number.parseInt(version, 10) };
}

async function* noting(content: AsyncIterable<Buffer>, note: (text: string) => void): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    note(chunk.toString("latin1"));
    yield chunk;
  }
}

async function storeList(
  pieces: PieceWriter,
  list: Iterable<{ size: number; pieces?: string[] }>,
): Promise<StoredList> {
  let [count, bytes] = [0, 0];
  function* lines() {
    for (const entry of list) {
      if (entry.pieces) count++;
      bytes += entry.size;
      yield Buffer.from(`${JSON.stringify(entry)}\n`);
    }
  }
  const names = await pieces.add(Readable.from(lines()));
  return { count, bytes, pieces: names };
}

/** The codes of a server that stops, and of a process that was killed. */
const ENDED = ["57P01", "57P02", "57P03", "ECONNRESET", "EPIPE"];
const LOG_REMOVED = "58P01";

function explained(error: unknown): unknown {
  if (error instanceof BackupError || !(error instanceof Error)) return error;
  const code = errorCode(error) ?? "";
  if (ENDED.includes(code) || error.message.startsWith("Connection terminated"))
    return new BackupError(
      "backup-broken-off",
      "The database was stopped while it was backed up. Run the backup again.",
      {
        cause: error,
      },
    );
  if (code === "55000" && error.message.includes("WAL level"))
    return new BackupError(
      "server-older",
      "The server that is running was started by an older Parley, whose database can't be copied while it runs. Restart it with this version, then run the backup again.",
      { cause: error },
    );
  if (code === LOG_REMOVED)
    return new BackupError(
      "backup-broken-off",
      "So much was written during the backup that PostgreSQL no longer had its log from the beginning. Run the backup again at a quieter time, or to a faster target.",
      { cause: error },
    );
  return error;
}
