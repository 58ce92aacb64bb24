import { join } from "node:path";
import type { Config } from "../../config.ts";
import { DirectoryStorage, TEMPORARY_DIR } from "./directory-storage.ts";
import type { FileStorage } from "./file-storage.ts";
import { S3Storage } from "./s3-storage.ts";

type Place = Pick<Config, "files" | "s3" | "dataDir">;

/** The storage that PARLEY_FILES names. `prepare` says whether it can be used. */
export function openFileStorage(config: Place): FileStorage {
  const directory = filesDirectory(config);
  if (config.s3) return new S3Storage(config.s3, join(directory, TEMPORARY_DIR));
  return new DirectoryStorage(directory);
}

/** PARLEY_FILES, or `files` in the data directory. With S3 only unfinished files lie there. */
export function filesDirectory({ files, dataDir }: Pick<Config, "files" | "dataDir">): string {
  return files ?? join(dataDir, "files");
}
