import type { FilesMark } from "../file-storage/place-mark.ts";
import type { Database, Queryable } from "./database.ts";
import { keepStoredFilesMark, lockFilesMark, noteFilesMarkWritten } from "./stored-files-mark.ts";

/**
 * The mark that the place of the files must have. The first call for a database makes it. `namesFiles`:
 * whether rows of the database name files.
 */
export async function keepFilesMark(
  database: Database,
  namesFiles: (db: Queryable) => Promise<boolean>,
): Promise<FilesMark> {
  const { id, isWritten } = await keepStoredFilesMark(database);
  if (isWritten) return { id };
  return {
    id,
    // LOCK: the one row, so that two nodes with a place each don't both mark theirs.
    first: (look) =>
      database.transaction(
        async (tx) => {
          const isMarked = await lockFilesMark(tx);
          const finds = await look(!isMarked, () => namesFiles(tx));
          if (finds && !isMarked) await noteFilesMarkWritten(tx);
        },
        { lane: "background" },
      ),
  };
}
