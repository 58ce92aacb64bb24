import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { ConfigError } from "../../setting-values.ts";

export const DEVELOPMENT_SECRET = "parley-development";
const MIN_LENGTH = 16;

/**
 * The secret that protects stored API keys and tokens: PARLEY_SECRET, or a file in the data directory that is
 * created if there is none. Call `checkSecret` first: a database that has a secret must not get another.
 */
export function readSecret(config: Config): string {
  return findSecret(config) ?? createSecretFile(config.dataDir);
}

/**
 * undefined: there is no file yet. Nodes that share a database need the same secret. So PARLEY_SECRET is
 * required with DATABASE_URL in production; throws a ConfigError if it is missing.
 */
export function findSecret(config: Config): string | undefined {
  if (config.secret !== undefined) {
    checkLength(config.secret, "PARLEY_SECRET");
    return config.secret;
  }
  if (config.isDevelopment) return DEVELOPMENT_SECRET;
  if (config.databaseUrl) {
    throw new ConfigError(
      "secret-unset",
      "DATABASE_URL is set, so PARLEY_SECRET must be too: every server on this database needs the same one.",
    );
  }
  return readSecretFile(config.dataDir);
}

/** Throws a ConfigError for a secret that others could guess. `place` says where it is. */
export function checkLength(secret: string, place: string): void {
  if (secret.length >= MIN_LENGTH) return;
  throw new ConfigError(
    "secret-short",
    `${place} has fewer than ${MIN_LENGTH} characters. Use a long random text.`,
  );
}

export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Where the secret comes from, as a part of a sentence. */
export function placeOfSecret({ secret, dataDir, isDevelopment }: Config): string {
  if (secret !== undefined) return "in PARLEY_SECRET";
  return isDevelopment ? "of development mode" : `in ${join(dataDir, "secret")}`;
}

/** Whether other users of the machine may read the file with the secret, as after a restore without modes. */
export function isSecretFileOpen({ secret, isDevelopment, dataDir }: Config): boolean {
  if (secret !== undefined || isDevelopment) return false;
  const stat = statSync(join(dataDir, "secret"), { throwIfNoEntry: false });
  return stat !== undefined && (stat.mode & 0o077) !== 0;
}

/** Closes the file to other users, and returns a sentence if it was open. */
export function closeSecretFile(config: Config): string | undefined {
  if (!isSecretFileOpen(config)) return undefined;
  const path = join(config.dataDir, "secret");
  try {
    chmodSync(path, 0o600);
    return `Other users could read ${path}. It is closed to them now.`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `Other users can read ${path}, and it can't be closed to them (${code}).`;
  }
}

function createSecretFile(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  try {
    // Fails if the file exists, so that two starts can't each create a secret.
    writeFileSync(join(dataDir, "secret"), newSecret(), {
      mode: 0o600,
      flag: "wx",
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readSecretFile(dataDir) as string;
}

/** What the file has, for a server whose PARLEY_SECRET does not fit. undefined: nothing that can be read. */
export function keptSecret(dataDir: string): string | undefined {
  try {
    return readSecretFile(dataDir);
  } catch {
    return undefined;
  }
}

function readSecretFile(dataDir: string): string | undefined {
  const path = join(dataDir, "secret");
  let secret: string;
  try {
    secret = readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (secret.length < MIN_LENGTH)
    throw new ConfigError("secret-lost", `The secret in ${path} is damaged. Restore it from a backup.`);
  return secret;
}
