import type { Config } from "../server/config.ts";
import { readSecret } from "../server/platform/crypto/secret.ts";
import { checkDatabase } from "./database-check.ts";

/** Finds mistakes in the settings before anything is started or written. */
export async function checkBeforeStart(config: Config): Promise<void> {
  // Otherwise the secret is in a file, which reading it would create.
  if (config.secret !== undefined || config.databaseUrl !== undefined) readSecret(config);
  if (config.databaseUrl !== undefined) await checkDatabase(config.databaseUrl);
}
