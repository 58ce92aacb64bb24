import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { Config } from "../../server/config.ts";
import { isSecretFileOpen, placeOfSecret } from "../../server/platform/crypto/secret.ts";
import type { Connection, Queryable } from "../../server/platform/db/database.ts";
import { ownSchema } from "../../server/platform/db/migrate.ts";
import { checkSecret } from "../../server/platform/db/secret-check.ts";
import { findFilesMark } from "../../server/platform/db/stored-files-mark.ts";
import { asQuery } from "../../server/platform/db/transaction.ts";
import { openFileStorage } from "../../server/platform/file-storage/open-storage.ts";
import { judgeClock } from "../../server/platform/health/clock-part.ts";
import { judgeJobs } from "../../server/platform/health/jobs-part.ts";
import { judgeMail } from "../../server/platform/health/mail-part.ts";
import { findTimes } from "../../server/platform/health/store.ts";
import { findLateJobs } from "../../server/platform/jobs/store.ts";
import { findWaitingMails } from "../../server/platform/mail/store.ts";
import { findNative, loadBinaries } from "../../server/platform/postgres/binaries.ts";
import { hasCluster } from "../../server/platform/postgres/cluster-files.ts";
import { startEmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import { describeFailure } from "../failure.ts";
import { checkDatabase } from "../installation/database-check.ts";
import { findDatabaseDoubts } from "../installation/database-faults.ts";
import { findRunning, withMode } from "../installation/installation.ts";
import { type Finding, failed, findingOf, passed, warned } from "./checks.ts";
import { checkSharedNames } from "./shared-names.ts";

const run = promisify(execFile);
const UNDEFINED_TABLE = "42P01";

/** Checks that the PostgreSQL that npm installed is there and its libraries load. */
export async function checkBinaries(): Promise<Finding> {
  let spare: string | undefined;
  try {
    // Takes the links to libraries when npm's folder can't be written.
    spare = mkdtempSync(path.join(os.tmpdir(), "parley-doctor-"));
    const native = findNative(`${process.platform}-${process.arch}`);
    const { postgres, env } = loadBinaries(native, spare);
    const { stdout } = await run(postgres, ["--version"], { env: { ...process.env, ...env } });
    return passed(`The bundled ${stdout.trim()} starts.`);
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    if (spare === undefined) return noTemporaryFiles(error);
    const [fault, sentence] = describeFailure(error);
    return failed(
      stderr === undefined ? fault : "postgres-failed",
      stderr?.trim() || sentence,
      "Run npm ci, or set DATABASE_URL to use another PostgreSQL.",
    );
  } finally {
    if (spare !== undefined) rmSync(spare, { recursive: true, force: true });
  }
}

function noTemporaryFiles(error: unknown): Finding {
  const { code } = error as NodeJS.ErrnoException;
  return failed(
    "temporary-unwritable",
    `There is no directory for temporary files: ${os.tmpdir()} can't be written (${code}).`,
    "Set TMPDIR to a directory that this user can write.",
  );
}

/** Checks the database, whether a server is using it or not, and the secret that encrypts its keys. */
export async function* checkInstallation(
  environment: NodeJS.ProcessEnv,
  config: Config,
): AsyncIterable<Finding> {
  let stop = async () => {};
  try {
    const { connection, text, doubts = [], ...rest } = await reach(config);
    stop = rest.stop ?? stop;
    yield passed(text);
    yield* doubts;
    if (connection) yield* checkContents(environment, config, connection);
  } catch (error) {
    yield failed(...describeFailure(error));
  } finally {
    await stop();
  }
}

interface Reached {
  text: string;
  doubts?: Finding[];
  connection?: Connection;
  stop?(): Promise<void>;
}

async function reach({ databaseUrl, dataDir }: Config): Promise<Reached> {
  if (databaseUrl !== undefined) {
    const doubts = findDatabaseDoubts(await checkDatabase(databaseUrl));
    return {
      text: "The database in DATABASE_URL answers.",
      connection: { connectionString: databaseUrl },
      doubts: doubts.map(({ fault, text, advice }) => warned(fault, text, advice)),
    };
  }
  const running = await findRunning(dataDir);
  if (running)
    return { text: "A server is running on the data directory; its database answers.", connection: running };
  if (!hasCluster(dataDir)) {
    return { text: "There is no database yet; the first start creates it." };
  }
  const startedAt = performance.now();
  const { connection, stop } = await startEmbeddedPostgres({ dataDir });
  const took = Math.round(performance.now() - startedAt);
  return { text: `No server is running; the database starts and answers (${took} ms).`, connection, stop };
}

async function* checkContents(
  environment: NodeJS.ProcessEnv,
  config: Config,
  connection: Connection,
): AsyncIterable<Finding> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    const schema = await checkSchema(client);
    yield schema;
    if (!schema.hasPassed) return;
    yield await checkStoredSecret(environment, config, connection);
    if (isSecretFileOpen(await withMode(environment, config, connection)))
      yield warned(
        "secret-open",
        `Other users of this machine can read ${path.join(config.dataDir, "secret")}.`,
        "Run chmod 600 on it, and on copies of it. The next start of the server does the first.",
      );
    if (await canFoldNames(client)) yield* checkSharedNames(client);
    if (!schema.isCurrent) return;
    yield* checkParts(client, config);
    yield* checkFilesMark(client, config);
  } finally {
    await client.end();
  }
}

/** A database that the next start upgrades can't yet. */
async function canFoldNames(client: pg.Client): Promise<boolean> {
  return (await firstValue(client, "select to_regprocedure('fold_name(text)') as value")) !== null;
}

async function checkSchema(client: pg.Client): Promise<Finding & { isCurrent: boolean }> {
  const known = ownSchema();
  const newest = await firstValue(client, "select coalesce(max(id), 0)::int as value from migrations");
  return { ...judgeStoredSchema(newest as number | undefined, known), isCurrent: newest === known };
}

function judgeStoredSchema(newest: number | undefined, known: number): Finding {
  if (newest === undefined) return passed("The database is empty; the first start creates its tables.");
  if (newest === known) return passed(`The database has schema ${known}, which this Parley uses.`);
  if (newest < known)
    return passed(`The database has schema ${newest}; the next start upgrades it to ${known}.`);
  return failed(
    "database-newer",
    `The database was made by a newer Parley (schema ${newest}; this one knows up to ${known}).`,
    "Upgrade Parley, or restore a backup.",
  );
}

/** What a running server looks at itself, so that both say the same. */
async function* checkParts(client: pg.Client, { mail }: Pick<Config, "mail">): AsyncIterable<Finding> {
  const database = queryableOf(client);
  yield findingOf(judgeClock(Date.now(), await findTimes(database)));
  // The first start of a server makes the tables of jobs.
  if ((await firstValue(client, "select to_regclass('graphile_worker.jobs') as value")) !== null)
    yield findingOf(judgeJobs(await findLateJobs(database)));
  yield findingOf(judgeMail(mail !== undefined, await findWaitingMails(database)));
}

/** Whether the files are where the database's were. What holds files now is said by another check. */
async function* checkFilesMark(client: pg.Client, config: Config): AsyncIterable<Finding> {
  const mark = await findFilesMark(queryableOf(client));
  // A doctor changes nothing, so the first mark is left to a server.
  if (!mark?.isWritten) return;
  const files = openFileStorage(config);
  files.expectMark({ id: mark.id });
  const problem = await files.check();
  if (problem !== undefined)
    yield failed("files-elsewhere", problem, "docs/files.md says how to move files.");
}

function queryableOf(client: pg.Client): Queryable {
  return { query: async (statement) => (await client.query(asQuery(statement))).rows };
}

/** Checks that the secret of the server is the one of the database. */
async function checkStoredSecret(
  environment: NodeJS.ProcessEnv,
  given: Config,
  connection: Connection,
): Promise<Finding> {
  try {
    const config = await withMode(environment, given, connection);
    const isStored = await checkSecret(config, connection);
    return passed(
      isStored
        ? `The secret ${placeOfSecret(config)} is the one of the database.`
        : "Nothing is stored under a secret yet.",
    );
  } catch (error) {
    return failed(
      ...describeFailure(error),
      "Perhaps PARLEY_ENV or PARLEY_SECRET differs from the server's value.",
    );
  }
}

/** The first row's value; undefined if the table does not exist. */
async function firstValue(client: pg.Client, statement: string): Promise<unknown> {
  try {
    const { rows } = await client.query<{ value: unknown }>(statement);
    return rows[0]?.value;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}
