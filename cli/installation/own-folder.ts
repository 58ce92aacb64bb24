/**
 * The data directory of somebody who names none. It is `data` in the folder of the installation, where
 * `npm start` runs. Started elsewhere, as by a unit without WorkingDirectory, a server would begin empty and
 * show people a new organization, while their data lie untouched in the other folder.
 */
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "../../server/config.ts";
import { ConfigError } from "../../server/setting-values.ts";

type Place = Pick<Config, "dataDir" | "databaseUrl" | "files" | "s3">;

/** Throws a ConfigError if an installation would begin in a folder that nobody has chosen. */
export function checkChosenFolder(config: Place, environment: NodeJS.ProcessEnv): void {
  const problem = unchosenFolder(config, environment);
  if (problem !== undefined) throw new ConfigError("folder-not-chosen", problem);
}

/** The sentence about it. undefined: the folder is chosen, or nothing would lie in it. */
export function unchosenFolder(
  { dataDir, databaseUrl, files, s3 }: Place,
  environment: NodeJS.ProcessEnv,
  ownFolder = findOwnFolder(),
): string | undefined {
  const liesElsewhere = databaseUrl !== undefined && (files !== undefined || s3 !== undefined);
  if (environment.PARLEY_DATA_DIR?.trim() || liesElsewhere || existsSync(dataDir)) return undefined;
  if (ownFolder !== undefined && realpathSync(path.dirname(dataDir)) === ownFolder) return undefined;
  return `There is no data in ${dataDir}. Set PARLEY_DATA_DIR to the server's data directory, or to a new one for a new installation. Without it the program is to be started in its own folder${ownFolder === undefined ? "" : `, ${ownFolder}`}.`;
}

/**
 * The folder of the checkout or the release, also when this module runs from the compiled copy. In a bundle
 * its own folder is one that only the checkout has.
 */
export function findOwnFolder(moduleUrl: string = import.meta.url): string | undefined {
  let dir = path.dirname(fileURLToPath(moduleUrl));
  while (!existsSync(path.join(dir, "bin", "parley.js"))) {
    if (dir === path.dirname(dir)) return undefined;
    dir = path.dirname(dir);
  }
  return realpathSync(dir);
}
