import { realpathSync } from "node:fs";
import path from "node:path";
import type { Config } from "../../config.ts";
import { filesDirectory } from "../file-storage/open-storage.ts";
import { describeS3, type S3Settings } from "../file-storage/s3-settings.ts";
import { DirectoryTarget } from "./directory-target.ts";
import { S3Target } from "./s3-target.ts";
import { Seal } from "./seal.ts";
import { SealedTarget } from "./sealed-target.ts";
import { BackupError, type BackupTarget } from "./target.ts";
import type { TargetPlace } from "./target-place.ts";

/**
 * The target that a person has named. Throws a BackupError with a sentence if it can't be one. `own`: where
 * the installation to back up has its data, if there is one. What is there is lost with it.
 */
export function openTarget(
  { place, key, s3 }: TargetPlace,
  own?: Pick<Config, "dataDir" | "files" | "s3">,
): BackupTarget {
  const target = s3 ? openBucket(s3, own?.s3) : openDirectory(place, own);
  return key === undefined ? target : new SealedTarget(target, new Seal(key));
}

function openDirectory(place: string, own?: Pick<Config, "dataDir" | "files">): BackupTarget {
  if (/^[a-z0-9+.-]+:\/\//i.test(place)) {
    throw new BackupError(
      "setting-wrong",
      `'${place}' is not the path of a directory, and does not have the form s3://bucket/prefix.`,
    );
  }
  if (own) {
    for (const dir of [own.dataDir, filesDirectory(own)]) {
      if (isWithin(realPath(path.resolve(place)), realPath(dir)))
        throw new BackupError(
          "backup-place",
          `${path.resolve(place)} is inside ${dir}, which the backup is of. Name a directory elsewhere, best on another disk.`,
        );
    }
  }
  return new DirectoryTarget(place);
}

/** Files and backups in one place would be listed as each other. */
function openBucket(s3: S3Settings, files: S3Settings | undefined): BackupTarget {
  const isOfFiles =
    files?.bucket === s3.bucket &&
    files.endpoint === s3.endpoint &&
    (files.prefix === "" || `${s3.prefix}/`.startsWith(`${files.prefix}/`));
  if (isOfFiles)
    throw new BackupError(
      "backup-place",
      `${describeS3(s3)} is inside ${describeS3(files)}, which the backup is of. Name another bucket or prefix.`,
    );
  return new S3Target(s3);
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
