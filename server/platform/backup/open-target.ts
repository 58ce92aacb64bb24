import { realpathSync } from "node:fs";
import path from "node:path";
import type { Config } from "../../config.ts";
import { filesDirectory } from "../file-storage/open-storage.ts";
import { DirectoryTarget } from "./directory-target.ts";
import { Seal } from "./seal.ts";
import { SealedTarget } from "./sealed-target.ts";
import { BackupError, type BackupTarget } from "./target.ts";

/**
 * The target that a person has named, and its key. Throws a BackupError with a sentence if it can't be one.
 * `own`: the directories of the installation to back up, if there is one. What is there is lost with it.
 */
export function openTarget(
  place: string,
  key: string | undefined,
  own?: Pick<Config, "dataDir" | "files">,
): BackupTarget {
  if (/^[a-z0-9+.-]+:\/\//i.test(place)) {
    throw new BackupError(`'${place}' is not the path of a directory.`);
  }
  if (own) {
    for (const dir of [own.dataDir, filesDirectory(own)]) {
      if (isWithin(realPath(path.resolve(place)), realPath(dir)))
        throw new BackupError(
          `${path.resolve(place)} is inside ${dir}, which the backup is of. Name a directory elsewhere, best on another disk.`,
        );
    }
  }
  const target = new DirectoryTarget(place);
  return key === undefined ? target : new SealedTarget(target, new Seal(key));
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
