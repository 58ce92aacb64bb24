/**
 * A restore marks its data directory until it has ended. Nothing starts there meanwhile, or after a crash.
 */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCluster } from "./cluster-files.ts";
import { StartError } from "./start-error.ts";

const MARK = "restore-unfinished";
/** Only a server with a database makes it. platform/file-storage/place-mark.ts has more of it. */
const FILES_MARK = ".parley-files";

export function markRestore(dataDir: string, backup: string): void {
  writeFileSync(
    path.join(dataDir, MARK),
    `The backup ${backup} is being restored into this directory. If that was interrupted, delete all that is\nhere and restore again.\n`,
    { mode: 0o600 },
  );
}

export function unmarkRestore(dataDir: string): void {
  rmSync(path.join(dataDir, MARK));
}

/** Throws a StartError if the data directory is not a whole one. */
export function checkWhole(dataDir: string): void {
  if (existsSync(path.join(dataDir, MARK))) {
    throw new StartError(
      "restore-unfinished",
      `A restore into ${dataDir} is going on, or was interrupted. In the second case delete what is in it, and restore again.`,
    );
  }
  if (hasCluster(dataDir)) return;
  // A secret alone may have been put there before the first start, and gives nobody anything to take.
  const files = path.join(dataDir, "files");
  if (!existsSync(path.join(files, FILES_MARK)) && !hasFile(files)) return;
  throw new StartError(
    "database-lost",
    `${dataDir} has files of an installation, but no database. Restore the directory postgres from the same backup, set DATABASE_URL again if the database was elsewhere, or choose an empty directory with PARLEY_DATA_DIR.`,
  );
}

/**
 * Whether a person's or an organization's file is there. What is unfinished lies in a folder with a dot, and
 * deleted files leave empty folders.
 */
function hasFile(dir: string): boolean {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return false;
  return readdirSync(dir, { withFileTypes: true }).some((entry) => {
    if (entry.name.startsWith(".")) return false;
    return entry.isDirectory() ? hasFile(path.join(dir, entry.name)) : true;
  });
}
