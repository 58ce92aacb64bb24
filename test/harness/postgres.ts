// One embedded PostgreSQL for a whole run of the tests, with a template database that is migrated once. A test
// file takes its own copy of the template. The run's process starts and stops the server (vitest's globalSetup);
// the tests' processes get its address through vitest.

import { randomBytes } from "node:crypto";
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
  /** Removes the database, ending sessions that are still open. */
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

/** A database without even the migrations. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase("template template0");
}

async function createDatabase(template: string): Promise<TestDatabase> {
  // Imported here because this file is also loaded outside of tests, where vitest cannot be.
  const { inject } = await import("vitest");
  const { superuser, owner } = inject("postgres");
  const database = `test_${process.pid}_${randomBytes(6).toString("hex")}`;
  // Copying files takes 20 ms without fsync, where copying through the log takes 180.
  await run(superuser, `create database ${database} owner ${owner} ${template} strategy file_copy`);
  return {
    connection: { ...superuser, user: owner, database },
    drop: () => run(superuser, `drop database if exists ${database} with (force)`),
  };
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
