import { accessSync, chmodSync, constants, mkdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { errorCode, StartError } from "./start-error.ts";

/**
 * Makes sure that the data directory is there and ours to write, and returns its real path: two names of one
 * directory must meet at one lock. Made by root it can be passed, not listed, by the user who runs PostgreSQL.
 */
export function ensureDataDirectory(named: string): string {
  const dir = path.resolve(named);
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    mkdirSync(path.dirname(dir), { recursive: true });
    makeDirectory(dir, mode);
    if (!statSync(dir).isDirectory()) throw new StartError(`The data directory ${dir} is not a directory.`);
    accessSync(dir, constants.W_OK | constants.X_OK);
    return realpathSync(dir);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(explain(dir, error), { cause: error });
  }
}

/** Makes one directory with exactly this mode, whatever the umask; false when the name is taken. */
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
      return `The data directory ${dir} cannot be written by user id ${process.getuid?.()}: change its owner, or name another in PARLEY_DATA_DIR.`;
    case "EROFS":
      return `The data directory ${dir} is on a read-only file system: name another in PARLEY_DATA_DIR.`;
    case "ENOTDIR":
    case "EEXIST":
      return `The data directory ${dir} lies below something that is not a directory.`;
    default:
      return `The data directory ${dir} cannot be used: ${(error as Error).message}.`;
  }
}
