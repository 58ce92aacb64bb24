import type { Config } from "../server/config.ts";
import { readSecret } from "../server/platform/crypto/secret.ts";
import { checkDatabase } from "./database-check.ts";

/** What can be found wrong with the settings before anything is started or written. */
export async function checkBeforeStart(config: Config): Promise<void> {
  // Otherwise it lies in a file, which this would make.
  if (config.secret !== undefined || config.databaseUrl !== undefined) readSecret(config);
  if (config.databaseUrl !== undefined) await checkDatabase(config.databaseUrl);
}
