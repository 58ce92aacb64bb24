import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
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

/**
 * The same for a copy of an installation. Files outside of its data directory may be the original's too,
 * which still needs what the copy has deleted. So it keeps them all.
 */
export function openFilesOfCopy(config: Place): FileStorage {
  const storage = openFileStorage(config);
  const hasOwn = !config.s3 && isWithin(filesDirectory(config), config.dataDir);
  return hasOwn ? storage : keepingAll(storage);
}

function keepingAll(storage: FileStorage): FileStorage {
  return {
    mark: storage.mark,
    expectMark: (mark) => storage.expectMark(mark),
    prepare: () => storage.prepare(),
    check: () => storage.check(),
    temporaryPath: () => storage.temporaryPath(),
    partialPath: (name) => storage.partialPath(name),
    put: (key, source) => storage.put(key, source),
    open: (key, range) => storage.open(key, range),
    size: (key) => storage.size(key),
    delete: async () => {},
    list: () => storage.list(),
  };
}

/** A link in the data directory, which a copy of it has too, can lead out of it. */
function isWithin(directory: string, dataDir: string): boolean {
  return `${realPath(resolve(directory))}${sep}`.startsWith(`${realPath(resolve(dataDir))}${sep}`);
}

/** Also of a directory that is not there yet. */
function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    const parent = dirname(directory);
    return parent === directory ? directory : join(realPath(parent), basename(directory));
  }
}

/**
 * Whether nobody named a place of files, though other servers may use the database too. Each then has a
 * directory of its own, and none sees what the others store.
 */
export function needsSharedFiles({
  databaseUrl,
  files,
  s3,
}: Pick<Config, "databaseUrl" | "files" | "s3">): boolean {
  return databaseUrl !== undefined && files === undefined && s3 === undefined;
}

/** PARLEY_FILES, or `files` in the data directory. With S3 only unfinished files lie there. */
export function filesDirectory({ files, dataDir }: Pick<Config, "files" | "dataDir">): string {
  return files ?? join(dataDir, "files");
}
