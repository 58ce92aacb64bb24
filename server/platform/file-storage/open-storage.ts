import { join } from "node:path";
import type { Config } from "../../config.ts";
import { DirectoryStorage } from "./directory-storage.ts";
import type { FileStorage } from "./file-storage.ts";

/** Opens the storage that PARLEY_FILES names. Throws a ConfigError if it can't be used. */
export function openFileStorage(config: Config): FileStorage {
  return new DirectoryStorage(filesDirectory(config));
}

/** PARLEY_FILES, or `files` in the data directory. */
export function filesDirectory({ files, dataDir }: Pick<Config, "files" | "dataDir">): string {
  return files ?? join(dataDir, "files");
}
