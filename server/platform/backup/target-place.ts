import type { Config } from "../../config.ts";
import type { S3Settings } from "../file-storage/s3-settings.ts";

/** A target as people have named it, with what opens it. */
export interface TargetPlace {
  /** The path of a directory, or s3://bucket/prefix. */
  place: string;
  /** undefined: it is not encrypted. */
  key: string | undefined;
  /** undefined: it is a directory. */
  s3: S3Settings | undefined;
}

/** The target in PARLEY_BACKUP. undefined: it is not set. */
export function targetPlaceOf({
  backup: place,
  backupKey: key,
  backupS3: s3,
}: Pick<Config, "backup" | "backupKey" | "backupS3">): TargetPlace | undefined {
  return place === undefined ? undefined : { place, key, s3 };
}
