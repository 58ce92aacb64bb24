import type { Config } from "../../config.ts";
import { openFileStorage } from "../file-storage/open-storage.ts";
import { hasCluster } from "../postgres/cluster-files.ts";
import { StartError } from "../postgres/start-error.ts";

/**
 * A restore that brought back the files in PARLEY_FILES and not the database must not look like a first
 * start: its link would make a stranger the owner, and new files would get the names of old ones. Throws a
 * StartError then. A storage that can't be asked is told of by others.
 */
export async function checkFirstStart(
  config: Pick<Config, "dataDir" | "files" | "s3" | "isDevelopment">,
): Promise<void> {
  const { dataDir, files, s3, isDevelopment } = config;
  const place = s3 ? `The bucket in PARLEY_FILES` : files;
  // The files in the data directory itself are looked at there, and demos come and go.
  if (place === undefined || isDevelopment || hasCluster(dataDir)) return;
  if (!(await hasFile(config))) return;
  throw new StartError(
    "database-lost",
    `${place} has files of an installation, but ${dataDir} has no database. Restore the database into it from the same backup, or name an empty place in PARLEY_FILES for a new installation.`,
  );
}

async function hasFile(config: Pick<Config, "dataDir" | "files" | "s3">): Promise<boolean> {
  try {
    for await (const _ of openFileStorage(config).list()) return true;
  } catch {
    // It says itself what is the matter, when the server prepares it.
  }
  return false;
}
