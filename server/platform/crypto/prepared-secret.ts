/**
 * The secret that replaces the one in the data directory. It is in a file of its own before the database
 * changes, and takes the other's place afterwards. Whenever the process dies in between, one of the two files
 * has the secret of the database.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const nameOf = (dataDir: string) => join(dataDir, "secret.new");

/** Writes it to the disk, in place of one that a rotation has left which did not end. */
export function prepareSecret(dataDir: string, secret: string): void {
  rmSync(nameOf(dataDir), { force: true });
  const file = openSync(nameOf(dataDir), "wx", 0o600);
  try {
    writeSync(file, secret);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncDirectory(dataDir);
}

export function findPreparedSecret(dataDir: string): string | undefined {
  try {
    return readFileSync(nameOf(dataDir), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Puts it in the place of the secret of before. Another process may have done so. */
export function usePreparedSecret(dataDir: string): void {
  try {
    renameSync(nameOf(dataDir), join(dataDir, "secret"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  syncDirectory(dataDir);
}

export function dropPreparedSecret(dataDir: string): void {
  rmSync(nameOf(dataDir), { force: true });
}

/** Otherwise a power cut could lose a new name. */
function syncDirectory(dataDir: string): void {
  const directory = openSync(dataDir, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
