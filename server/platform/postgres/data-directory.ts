import { accessSync, chmodSync, constants, mkdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { errorCode, StartError } from "./start-error.ts";

/**
 * Creates the data directory if needed, checks that this process can write it, and returns its real path. Two
 * names of one directory must lead to one lock. If root creates it, other users may pass through it but not
 * list it, since another user runs PostgreSQL.
 */
export function ensureDataDirectory(named: string): string {
  const dir = path.resolve(named);
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    mkdirSync(path.dirname(dir), { recursive: true });
    makeDirectory(dir, mode);
    if (!statSync(dir).isDirectory())
      throw new StartError(
        `The data directory ${dir} is not a directory. Choose another with PARLEY_DATA_DIR.`,
      );
    accessSync(dir, constants.W_OK | constants.X_OK);
    return realpathSync(dir);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(explain(dir, error), { cause: error });
  }
}

/** Creates a directory with exactly this mode, whatever the umask; returns false if the name is taken. */
export function makeDirectory(dir: string, mode: number): boolean {
  try {
    mkdirSync(dir, { mode });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return false;
  }
  chmodSync(dir, mode);
  return true;
}

function explain(dir: string, error: unknown): string {
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
      return `The data directory ${dir} can't be written by user id ${process.getuid?.()}. Change its owner, or choose another directory with PARLEY_DATA_DIR.`;
    case "EROFS":
      return `The data directory ${dir} is on a read-only file system. Choose another with PARLEY_DATA_DIR.`;
    case "ENOTDIR":
    case "EEXIST":
      return `The data directory ${dir} is below something that is not a directory. Choose another with PARLEY_DATA_DIR.`;
    default:
      return `The data directory ${dir} can't be used: ${(error as Error).message}.`;
  }
}
