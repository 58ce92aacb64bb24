import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** What the database knows of the mark in the place of the files. */
export interface StoredFilesMark {
  id: string;
  /** Whether the place has got its copy. */
  isWritten: boolean;
}

/** undefined: the database is of an older release, or no server has started on it yet. */
export async function findFilesMark(db: Queryable): Promise<StoredFilesMark | undefined> {
  const [has] = await db.query<{ hasTable: boolean }>(
    sql`select to_regclass('files_mark') is not null as "hasTable"`,
  );
  return has?.hasTable ? readFilesMark(db) : undefined;
}

/** The first call makes the id. */
export async function keepStoredFilesMark(db: Queryable): Promise<StoredFilesMark> {
  const found = await readFilesMark(db);
  if (found) return found;
  await db.query(sql`insert into files_mark default values on conflict do nothing`);
  return (await readFilesMark(db)) as StoredFilesMark;
}

/** LOCK: the row, to the end of the transaction. Resolves with whether a place has got its copy. */
export async function lockFilesMark(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ isWritten: boolean }>(
    sql`select is_written as "isWritten" from files_mark for update`,
  );
  return row?.isWritten ?? false;
}

export async function noteFilesMarkWritten(db: Queryable): Promise<void> {
  await db.query(sql`update files_mark set is_written = true where not is_written`);
}

async function readFilesMark(db: Queryable): Promise<StoredFilesMark | undefined> {
  const [row] = await db.query<StoredFilesMark>(sql`select id, is_written as "isWritten" from files_mark`);
  return row;
}
