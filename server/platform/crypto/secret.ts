import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "../../config.ts";

const DEVELOPMENT_SECRET = "parley-development";
const MIN_LENGTH = 16;

/**
 * The key under which API keys and tokens are stored: PARLEY_SECRET, or a file in the data directory that is made at the
 * first start. Nodes that share a database need the same one, so with DATABASE_URL it must be named in production.
 */
export function readSecret(config: Config): string {
  if (config.secret !== undefined) {
    if (config.secret.length < MIN_LENGTH) {
      throw new ConfigError(`PARLEY_SECRET has fewer than ${MIN_LENGTH} characters; use a long random text.`);
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
    // Fails if it exists, so two starts can't each make one.
    writeFileSync(path, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const secret = readFileSync(path, "utf8").trim();
  if (secret.length < MIN_LENGTH)
    throw new ConfigError(`The secret in ${path} is damaged; restore it from a backup.`);
  return secret;
}
