// One embedded PostgreSQL for a whole run of the tests, with a template database that is migrated once. A
// test file takes its own copy of the template, or of a template that was filled once more. The run's process
// starts and stops the server (vitest's globalSetup); the tests' processes get its address through vitest.

import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { Database } from "../../server/platform/db/database.ts";
import { migrate } from "../../server/platform/db/migrate.ts";
import { prepareJobs } from "../../server/platform/jobs/prepare.ts";
import type { EmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import { startThrowAwayPostgres } from "../../server/platform/postgres/throw-away.ts";

type Connection = EmbeddedPostgres["connection"];

export interface TestDatabase {
  connection: Connection;
  /** Removes the database and ends sessions that are still open. */
  drop(): Promise<void>;
}

declare module "vitest" {
  interface ProvidedContext {
    postgres: { superuser: Connection; owner: string };
  }
}

const TEMPLATE = "parley_template";

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startThrowAwayPostgres();
  const { superuser, connection } = postgres;
  try {
    await run(superuser, `create database ${TEMPLATE} owner ${connection.user} strategy file_copy`);
    await migrate({ ...connection, database: TEMPLATE });
    const template = await Database.open({ ...connection, database: TEMPLATE }, { pipelines: 1 });
    await prepareJobs(template).finally(() => template.close());
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  project.provide("postgres", { superuser, owner: connection.user });
  return () => postgres.stop();
}

/** A fresh copy of the migrated, empty database. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${TEMPLATE}`);
}

/**
 * A fresh copy of a database that `fill` has filled. The first call with a key makes a template, under a lock
 * that all processes of a run share; later calls copy it. `fill` must leave no connection open.
 */
export async function createFilledDatabase(
  key: string,
  fill: (connection: Connection) => Promise<void>,
): Promise<TestDatabase> {
  const template = `${TEMPLATE}_${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;
  if (!filled.has(template)) await makeTemplate(template, fill);
  filled.add(template);
  return createDatabase(`template ${template}`);
}

/** The templates that this process knows to exist. */
const filled = new Set<string>();

async function makeTemplate(
  template: string,
  fill: (connection: Connection) => Promise<void>,
): Promise<void> {
  const { superuser, owner } = await provided();
  const client = new pg.Client(superuser);
  await client.connect();
  try {
    // LOCK: two processes that ask at the same time would both make the template. The lock ends with the
    // session.
    await client.query("select pg_advisory_lock(hashtext($1))", [template]);
    const { rows } = await client.query("select from pg_database where datname = $1", [template]);
    if (rows.length > 0) return;
    // The template has another name until it is full. If its process is killed meanwhile, nobody copies half
    // a template.
    const draft = `${template}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft} owner ${owner} template ${TEMPLATE} strategy file_copy`);
    await fill({ ...superuser, user: owner, database: draft });
    await client.query(`alter database ${draft} rename to ${template}`);
  } finally {
    await client.end();
  }
}

/** A database without even the migrations. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase("template template0");
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const { superuser, owner } = await provided();
  const database = `test_${process.pid}_${randomBytes(6).toString("hex")}`;
  // Copying files takes 20 ms without fsync, where copying through the log takes 180.
  await runOnServer(`create database ${database} owner ${owner} ${template} strategy file_copy`);
  return {
    connection: { ...superuser, user: owner, database },
    drop: () => runOnServer(`drop database if exists ${database} with (force)`),
  };
}

/** Imports vitest only here because this file is also loaded outside of tests, where vitest cannot be. */
async function provided() {
  const { inject } = await import("vitest");
  return inject("postgres");
}

/** Runs one statement as the superuser, on a connection that all files of this process share. */
export async function runOnServer(statement: string): Promise<void> {
  administration ??= connectToServer();
  await (await administration).query(statement);
}

/** Opened when it is first needed: a connection costs more than the copy of a database. */
let administration: Promise<pg.Client> | undefined;

async function connectToServer(): Promise<pg.Client> {
  const { superuser } = await provided();
  const client = new pg.Client(superuser);
  const forget = () => {
    administration = undefined;
  };
  // A test may end all sessions of the server.
  client.on("error", forget);
  client.on("end", forget);
  try {
    await client.connect();
  } catch (error) {
    forget();
    throw error;
  }
  // The process of the tests ends without closing it. pg's types lack the method.
  (client as pg.Client & { unref(): void }).unref();
  return client;
}

async function run(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
