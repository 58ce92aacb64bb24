/**
 * A restore marks its data directory until it has ended. Nothing starts there meanwhile, or after a crash.
 */
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StartError } from "./start-error.ts";

const MARK = "restore-unfinished";

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
      `A restore into ${dataDir} is going on, or was interrupted. In the second case delete what is in it, and restore again.`,
    );
  }
  if (existsSync(path.join(dataDir, "postgres"))) return;
  const rest = [
    ...(existsSync(path.join(dataDir, "secret")) ? ["secret"] : []),
    ...(hasFiles(path.join(dataDir, "files")) ? ["files"] : []),
  ];
  if (rest.length === 0) return;
  throw new StartError(
    `${dataDir} has ${rest.join(" and ")}, but no database, so it is a part of an installation. Restore the directory postgres from the same backup, or choose an empty directory with PARLEY_DATA_DIR.`,
  );
}

/**
 * Whether a person's or an organization's files are there. What is unfinished lies in a folder with a dot.
 */
function hasFiles(dir: string): boolean {
  return existsSync(dir) && readdirSync(dir).some((name) => !name.startsWith("."));
}
