// An npm package can't contain symbolic links. So the package of the binaries lists them in a file, and its
// install script creates them. Parley is installed without scripts, and creates them at its start. Two
// processes may do so at once, and the package may belong to another user.

import { mkdirSync, readFileSync, readlinkSync, renameSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { errorCode, StartError } from "./start-error.ts";

interface Link {
  /** `source` is the existing file and `target` its second name, both relative to the package. */
  source: string;
  target: string;
}

/**
 * Creates the links of the package whose `native` directory is given. If the package can't be written, the
 * links are created in `spareDir`, and that directory is returned for the library search path.
 */
export function linkLibraries(native: string, spareDir: string): string | undefined {
  const root = path.dirname(native);
  const missing = readLinks(native).filter((link) => !resolves(path.join(root, link.target)));
  try {
    for (const { source, target } of missing) {
      const place = path.join(root, target);
      replaceLink(path.relative(path.dirname(place), path.join(root, source)), place);
    }
    return undefined;
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(errorCode(error) ?? "")) throw error;
  }
  try {
    mkdirSync(spareDir, { recursive: true, mode: 0o755 });
    for (const { source, target } of missing) {
      replaceLink(path.join(root, source), path.join(spareDir, path.basename(target)));
    }
    return spareDir;
  } catch (error) {
    throw new StartError(
      "postgres-failed",
      `The links to PostgreSQL's libraries can be created neither in ${path.join(native, "lib")} nor in ${spareDir}: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

function readLinks(native: string): Link[] {
  try {
    return JSON.parse(readFileSync(path.join(native, "pg-symlinks.json"), "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

function resolves(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Renames the new link over the old one, so that a program that is being loaded always finds one. */
function replaceLink(source: string, place: string): void {
  try {
    symlinkSync(source, place);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    if (readlinkSync(place) === source) return;
    const next = `${place}.${process.pid}`;
    symlinkSync(source, next);
    renameSync(next, place);
  }
}
