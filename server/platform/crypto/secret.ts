import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "../../config.ts";

const DEVELOPMENT_SECRET = "parley-development";
const MIN_LENGTH = 16;

/**
 * The secret that protects stored API keys and tokens: PARLEY_SECRET, or a file in the data directory that
 * the first start creates. Nodes that share a database need the same secret. So PARLEY_SECRET is required
 * with DATABASE_URL in production; throws a ConfigError if it is missing.
 */
export function readSecret(config: Config): string {
  if (config.secret !== undefined) {
    if (config.secret.length < MIN_LENGTH) {
      throw new ConfigError(`PARLEY_SECRET has fewer than ${MIN_LENGTH} characters. Use a long random text.`);
    }
    return config.secret;
  }
  if (config.isDevelopment) return DEVELOPMENT_SECRET;
  if (config.databaseUrl) {
    throw new ConfigError(
      "DATABASE_URL is set, so PARLEY_SECRET must be too: every server on this database needs the same one.",
    );
  }
  return readSecretFile(config.dataDir);
}

function readSecretFile(dataDir: string): string {
  const path = join(dataDir, "secret");
  mkdirSync(dataDir, { recursive: true });
  try {
    // Fails if the file exists, so that two starts can't each create a secret.
    writeFileSync(path, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const secret = readFileSync(path, "utf8").trim();
  if (secret.length < MIN_LENGTH)
    throw new ConfigError(`The secret in ${path} is damaged. Restore it from a backup.`);
  return secret;
}
