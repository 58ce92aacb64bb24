import { realpathSync } from "node:fs";
import path from "node:path";
import type { Config } from "../../config.ts";
import { filesDirectory } from "../file-storage/open-storage.ts";
import { DirectoryTarget } from "./directory-target.ts";
import { BackupError, type BackupTarget } from "./target.ts";

/**
 * The target that a person has named. Throws a BackupError with a sentence if it can't be one. `config`:
 * of the installation to back up, if there is one. What is in its own directories is lost with it.
 */
export function openTarget(place: string, config?: Pick<Config, "dataDir" | "files">): BackupTarget {
  if (/^[a-z0-9+.-]+:\/\//i.test(place)) {
    throw new BackupError(`'${place}' is not the path of a directory.`);
  }
  if (config) {
    for (const dir of [config.dataDir, filesDirectory(config)]) {
      if (isWithin(realPath(path.resolve(place)), realPath(dir)))
        throw new BackupError(
          `${path.resolve(place)} is inside ${dir}, which the backup is of. Name a directory elsewhere, best on another disk.`,
        );
    }
  }
  return new DirectoryTarget(place);
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}${path.sep}`);
}

/** Its parents count if it is not there yet. */
function realPath(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    const parent = path.dirname(place);
    return parent === place ? place : path.join(realPath(parent), path.basename(place));
  }
}
