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
  /** The same, while the caller goes on. At the end of the run all databases go with their server. */
  dropLater(): void;
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
  const database = (await takeAhead(template)) ?? (await createDatabase(`template ${template}`));
  if (template === newestTemplate) makeAhead(template);
  newestTemplate = template;
  return database;
}

/**
 * A copy that is made while a test runs, of the template that was asked for twice in a row: most files use
 * one, and some make a copy for each test. There is at most one.
 */
let ahead: { template: string; database: Promise<TestDatabase | undefined> } | undefined;
let newestTemplate: string | undefined;

/** Undefined if there is none, or if it could not be made: a test may end all sessions of the server. */
async function takeAhead(template: string): Promise<TestDatabase | undefined> {
  if (ahead?.template !== template) return undefined;
  const { database } = ahead;
  ahead = undefined;
  return database;
}

function makeAhead(template: string): void {
  if (ahead?.template === template) return;
  ahead?.database.then((unused) => unused?.dropLater());
  ahead = { template, database: createDatabase(`template ${template}`).catch(() => undefined) };
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
    drop: () => runOnServer(statementToDrop(database)),
    dropLater: () => dropLater(database),
  };
}

/** Removes a database while the caller goes on. */
export function dropLater(database: string): void {
  // On a connection of its own, so that the next copy need not wait. What fails goes with the server.
  dropping.run(statementToDrop(database)).catch(() => {});
}

const statementToDrop = (database: string) => `drop database if exists ${database} with (force)`;

/** Imports vitest only here because this file is also loaded outside of tests, where vitest cannot be. */
async function provided() {
  const { inject } = await import("vitest");
  return inject("postgres");
}

/** A superuser's connection that all files of this process share. */
class SharedConnection {
  /** Opened when it is first needed: a connection costs more than the copy of a database. */
  #client: Promise<pg.Client> | undefined;

  async run(statement: string): Promise<void> {
    this.#client ??= this.#open();
    await (await this.#client).query(statement);
  }

  async #open(): Promise<pg.Client> {
    const { superuser } = await provided();
    const client = new pg.Client(superuser);
    const forget = () => {
      this.#client = undefined;
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
}

const administration = new SharedConnection();
const dropping = new SharedConnection();

/** Runs one statement as the superuser. */
export function runOnServer(statement: string): Promise<void> {
  return administration.run(statement);
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
