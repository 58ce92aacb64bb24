import { accessSync, chmodSync, constants, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import type { FoundFault } from "../faults/catalogue.ts";
import { errorCode, StartError } from "./start-error.ts";

/**
 * Creates the data directory if needed, checks that this process can write it, and returns its real path. Two
 * names of one directory must lead to one lock. Other users can't list it. If root creates it, they may pass
 * through it, since another user runs PostgreSQL. An existing directory gets the same mode.
 */
export function ensureDataDirectory(named: string): string {
  const dir = path.resolve(named);
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    mkdirSync(path.dirname(dir), { recursive: true });
    const isNew = makeDirectory(dir, mode);
    if (!statSync(dir).isDirectory())
      throw new StartError(
        "data-not-a-directory",
        `The data directory ${dir} is not a directory. Choose another with PARLEY_DATA_DIR.`,
      );
    accessSync(dir, constants.W_OK | constants.X_OK);
    if (!isNew) closeToOthers(dir, mode);
    return realpathSync(dir);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(...explain(dir, error), { cause: error });
  }
}

/**
 * Takes from other users what the mode does not give them. A directory that also has other files, such as
 * /tmp, keeps its mode. It is refused if others can write it: they could put a secret of theirs there.
 */
function closeToOthers(dir: string, mode: number): void {
  const stat = statSync(dir);
  const isOpen = (stat.mode & 0o077 & ~mode) !== 0;
  if (!isOpen) return;
  if (isForUs(dir, stat.mode) && canChangeMode(stat.uid)) chmodSync(dir, stat.mode & (0o700 | mode));
  else if ((stat.mode & 0o022) !== 0) {
    throw new StartError(
      "data-open",
      `The data directory ${dir} can be written by other users. Take that from them with chmod, or choose another with PARLEY_DATA_DIR, such as ${path.join(dir, "parley")}.`,
    );
  }
}

const STICKY = 0o1000;

/** Whether the directory is empty, or has what an earlier start put there. */
function isForUs(dir: string, mode: number): boolean {
  if ((mode & STICKY) !== 0) return false;
  const names = readdirSync(dir);
  return names.length === 0 || names.includes("postgres") || names.includes("secret");
}

function canChangeMode(ownerId: number): boolean {
  const ownId = process.getuid?.();
  return ownId === 0 || ownId === ownerId;
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

function explain(dir: string, error: unknown): FoundFault {
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
      return [
        "data-denied",
        `The data directory ${dir} can't be written by user id ${process.getuid?.()}. Run this command as its owner, change the owner, or choose another directory with PARLEY_DATA_DIR.`,
      ];
    case "EROFS":
      return [
        "data-unusable",
        `The data directory ${dir} is on a read-only file system. Choose another with PARLEY_DATA_DIR.`,
      ];
    case "ENOTDIR":
    case "EEXIST":
      return [
        "data-not-a-directory",
        `The data directory ${dir} is below something that is not a directory. Choose another with PARLEY_DATA_DIR.`,
      ];
    default:
      return ["data-unusable", `The data directory ${dir} can't be used: ${(error as Error).message}.`];
  }
}
