/**
 * Everything of an organization, as rows of its tables, for the import into another server. All rows are of
 * one moment: what refers to each other in the database does so in the archive.
 */
import type { OrganizationId } from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { FileStorage } from "../../../platform/file-storage/file-storage.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { readHeads } from "../../../platform/log/store.ts";
import { type Archive, RecordFiles } from "../archive.ts";
import type { WholeTable } from "./columns.ts";
import { filesOfRow } from "./files.ts";
import {
  allowLongTransaction,
  beginningOf,
  closeRows,
  countRows,
  fetchRows,
  findErasure,
  lastMigration,
  openRows,
} from "./store.ts";
import { wholeTables } from "./tables.ts";

/** Texts of messages may have a megabyte each. */
const ROWS_AT_ONCE = 200;
const ALL_PERCENT = 100;

export interface WholeHead {
  /** The newest migration of the database: the form of the rows. */
  schema: number;
  /** The head of the log: no message and no position is larger. */
  logHead: number;
}

interface WholeRequest {
  signal?: AbortSignal | undefined;
  onProgress?(percent: number): void | Promise<void>;
  /** Called before the first row. */
  onHead(head: WholeHead): Promise<void>;
}

/** A person's data is being erased. What is left of it must not get into an archive. */
export class ErasureUnderWay extends Error {}

/**
 * Throws an ErasureUnderWay if somebody's data is being erased, or was since then. Rows are of one moment, so
 * an erasure that begins later does not show in them.
 */
export async function checkErasures(
  tx: Queryable,
  organizationId: OrganizationId,
  since: Date,
): Promise<void> {
  if ((await findErasure(tx, organizationId, since)) !== undefined) {
    throw new ErasureUnderWay("Somebody's data is being erased. Export when that has ended.");
  }
}

/**
 * Adds all rows. Returns how many there are of each kind, the keys of the files that they name, and of when
 * they are. Throws an ErasureUnderWay.
 */
export async function writeRows(
  state: OrganizationState,
  archive: Archive,
  { signal, onProgress, onHead }: WholeRequest,
): Promise<{ counts: Record<string, number>; files: string[]; readAt: Date }> {
  const { database, organizationId } = state;
  return database.transaction(
    async (tx) => {
      await allowLongTransaction(tx);
      const readAt = await beginningOf(tx);
      await checkErasures(tx, organizationId, readAt);
      const { head: logHead } = await readHeads(tx, organizationId);
      await onHead({ schema: await lastMigration(tx), logHead });
      const sizes = new Map<WholeTable, number>();
      for (const table of wholeTables) sizes.set(table, await countRows(tx, table, organizationId));
      const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      const counts: Record<string, number> = {};
      const files: string[] = [];
      let done = 0;
      for (const table of wholeTables) {
        if (sizes.get(table) === 0) continue;
        const kind = `tables/${table.name}`;
        const written = new RecordFiles(archive, kind);
        await openRows(tx, table, organizationId);
        for (;;) {
          signal?.throwIfAborted();
          const rows = await fetchRows(tx, ROWS_AT_ONCE);
          for (const row of rows) {
            await written.add(row);
            files.push(...filesOfRow(table, row));
          }
          done += rows.length;
          await onProgress?.(Math.floor((ALL_PERCENT * done) / total));
          if (rows.length < ROWS_AT_ONCE) break;
        }
        await closeRows(tx);
        await written.end();
        counts[kind] = written.count;
      }
      return { counts, files, readAt };
    },
    { isolation: "repeatable read", lane: "background" },
  );
}

/** Adds the files of these keys, and records of them. Returns how many of them the storage has. */
export async function writeStoredFiles(
  archive: Archive,
  storage: FileStorage,
  state: OrganizationState,
  { keys, signal }: { keys: readonly string[]; signal: AbortSignal | undefined },
): Promise<{ files: number; lost: number }> {
  const records = new RecordFiles(archive, "stored_files");
  let lost = 0;
  for (const name of new Set(keys)) {
    signal?.throwIfAborted();
    const opened = await storage.open(`${state.organizationId}/${name}`);
    if (!opened) {
      lost++;
      continue;
    }
    const sha256 = await archive.addFile(`files/${name}`, opened.size, opened.stream);
    await records.add({ name, size: opened.size, sha256 });
  }
  await records.end();
  return { files: records.count, lost };
}
