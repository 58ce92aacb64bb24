import type { Config } from "../../config.ts";
import { findSecret } from "../crypto/secret.ts";
import type { Connection } from "../db/database.ts";
import { checkSecret } from "../db/secret-check.ts";
import type { StoredSecret } from "./manifest.ts";

/**
 * What a backup has of the secret. Throws a ConfigError if it is not the database's: that would make a backup
 * that nobody can use.
 */
export async function storedSecretOf(config: Config, connection: Connection): Promise<StoredSecret> {
  await checkSecret(config, connection);
  if (config.isDevelopment && config.secret === undefined) return { kind: "development" };
  const value = findSecret(config);
  return value === undefined ? { kind: "left out" } : { kind: "included", value };
}
