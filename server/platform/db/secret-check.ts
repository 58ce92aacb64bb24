/**
 * A database belongs to one secret. It holds a value derived from that secret, which each start and each
 * command compares before it writes anything. Databases of older releases have no such value, so the stored
 * API keys are tried there.
 */

import { join } from "node:path";
import type pg from "pg";
import type { Config } from "../../config.ts";
import { ConfigError } from "../../setting-values.ts";
import { Keyring } from "../crypto/keyring.ts";
import { findPreparedSecret, usePreparedSecret } from "../crypto/prepared-secret.ts";
import { DEVELOPMENT_SECRET, findSecret, keptSecret, placeOfSecret } from "../crypto/secret.ts";
import type { FoundFault } from "../faults/catalogue.ts";
import type { Queryable } from "./database.ts";
import { findSecretCheck, insertSecretCheck } from "./stored-secret-check.ts";
import { type ClientOrConfig, withClient } from "./with-client.ts";

/** What a database shows of its secret. */
type Traces = { check: Buffer } | { keys: readonly Buffer[] };

/** Some keys of an older database may be under a secret that was lost: one that fits is enough. */
const TRIED_KEYS = 1000;
const RESET =
  "Restore it from your backup. If it is lost for good, `parley secret reset` gives everybody a new key.";

/**
 * Throws a ConfigError with a sentence for people if the secret of these settings is not the one of the
 * database, or is missing. To be called before the migrations. Resolves with false if nothing was stored
 * under a secret yet. Writes nothing, but for the end of a rotation whose process died after its commit.
 */
export async function checkSecret(config: Config, connection: ClientOrConfig): Promise<boolean> {
  const traces = await readTraces(connection);
  if (traces === undefined) return false;
  if (endRotation(config, traces)) return true;
  const secret = findSecret(config);
  if (secret === undefined && !fits(DEVELOPMENT_SECRET, traces)) {
    throw new ConfigError(
      "secret-lost",
      `The secret ${placeOfSecret(config)} is missing, but this database was made with one. ${RESET}`,
    );
  }
  if (secret === undefined || !fits(secret, traces)) throw new ConfigError(...explainOther(config, traces));
  return true;
}

/** Whether the file of the secret is the one that a rotation has prepared for this database. */
function endRotation({ secret, dataDir, isDevelopment, databaseUrl }: Config, traces: Traces): boolean {
  if (secret !== undefined || isDevelopment || databaseUrl !== undefined) return false;
  const [kept, prepared] = [keptSecret(dataDir), findPreparedSecret(dataDir)];
  if (prepared === undefined || !fits(prepared, traces)) return false;
  if (kept !== undefined && fits(kept, traces)) return false;
  usePreparedSecret(dataDir);
  return true;
}

/** Whether the database was made in development mode, whose secret is a constant. */
export async function isFromDevelopment(connection: ClientOrConfig): Promise<boolean> {
  const traces = await readTraces(connection);
  return traces !== undefined && fits(DEVELOPMENT_SECRET, traces);
}

/** Whether anything is stored under a secret, which also tells the mode. A server's first start stores it. */
export async function hasSecret(connection: ClientOrConfig): Promise<boolean> {
  return (await readTraces(connection)) !== undefined;
}

/** Stores the value, or compares it if another node has stored one. `checkSecret` has been called. */
export async function keepSecretCheck(database: Queryable, keyring: Keyring, config: Config): Promise<void> {
  const stored = await findSecretCheck(database);
  if (stored === undefined) await insertSecretCheck(database, keyring.check);
  const check = stored ?? (await findSecretCheck(database));
  if (check && !check.equals(keyring.check)) throw new ConfigError(...explainOther(config, { check }));
}

function explainOther(config: Config, traces: Traces): FoundFault {
  if (!config.isDevelopment && fits(DEVELOPMENT_SECRET, traces)) {
    return [
      "mode-differs",
      "The database was made in development mode, whose secret is a constant. Start it with PARLEY_ENV=development, or choose another directory with PARLEY_DATA_DIR.",
    ];
  }
  if (config.isDevelopment && config.secret === undefined && config.databaseUrl === undefined) {
    return [
      "mode-differs",
      "The database was made in production mode, so development mode can't use it. Set PARLEY_DATA_DIR to another directory.",
    ];
  }
  const sentence = `The secret ${placeOfSecret(config)} is not the one that this database was made with.`;
  // Somebody set the variable on a server that has its own file. A backup would not help.
  const kept = config.secret === undefined ? undefined : keptSecret(config.dataDir);
  if (kept !== undefined && fits(kept, traces)) {
    return [
      "secret-lost",
      `${sentence} That one is in ${join(config.dataDir, "secret")}: unset PARLEY_SECRET, or set it to the file's content.`,
    ];
  }
  return [
    "secret-lost",
    config.databaseUrl === undefined
      ? `${sentence} ${RESET}`
      : `${sentence} All servers on one database need the same secret. ${RESET}`,
  ];
}

function fits(secret: string, traces: Traces): boolean {
  const keyring = new Keyring(secret);
  return "check" in traces
    ? traces.check.equals(keyring.check)
    : traces.keys.some((key) => keyring.canDecrypt(key));
}

/** undefined: nothing was stored under a secret yet. */
async function readTraces(connection: ClientOrConfig): Promise<Traces | undefined> {
  return withClient(connection, tracesOf);
}

async function tracesOf(client: pg.ClientBase): Promise<Traces | undefined> {
  const { rows } = await client.query(
    "select to_regclass('secret_check') is not null as check, to_regclass('api_keys') is not null as keys",
  );
  const [has] = rows as [{ check: boolean; keys: boolean }];
  const read = async (statement: string) =>
    (await client.query<{ value: Buffer }>(statement)).rows.map(({ value }) => value);
  const [check] = has.check ? await read("select value from secret_check") : [];
  if (check) return { check };
  const keys = has.keys
    ? await read(`select key_encrypted as value from api_keys order by created_at desc limit ${TRIED_KEYS}`)
    : [];
  return keys.length > 0 ? { keys } : undefined;
}
