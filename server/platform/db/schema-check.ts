// `schema.sql` shows the result of all migrations, for readers and reviewers. `writeSchema` writes it, and
// nobody edits it by hand.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startThrowAwayPostgres } from "../postgres/throw-away.ts";
import { dumpSchema } from "./dump-schema.ts";
import { migrate } from "./migrate.ts";

const HEADER = "-- What the migrations make. Written by tools/dump-schema.js; do not edit.\n\n";

interface SchemaOptions {
  /** By default the one of this program, server/platform/db/schema.sql. */
  file?: string;
  /** A database that has all migrations. Without one, an empty database is made and migrated. */
  migrated?: pg.ClientConfig;
}

/** Writes the schema that the migrations make. */
export async function writeSchema({ file = schemaFile(), migrated }: SchemaOptions = {}): Promise<void> {
  writeFileSync(file, await currentSchema(migrated));
}

/** Whether the file is the result of the migrations. */
export async function isSchemaCurrent({
  file = schemaFile(),
  migrated,
}: SchemaOptions = {}): Promise<boolean> {
  return existsSync(file) && readFileSync(file, "utf8") === (await currentSchema(migrated));
}

async function currentSchema(migrated: pg.ClientConfig | undefined): Promise<string> {
  if (migrated) return schemaOf(migrated);
  const postgres = await startThrowAwayPostgres();
  try {
    await migrate(postgres.connection);
    return await schemaOf(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

async function schemaOf(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return HEADER + (await dumpSchema(client));
  } finally {
    await client.end();
  }
}

/** The file among the sources, even when this module runs from the compiled copy. */
function schemaFile(): string {
  let dir = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(dir, "package.json"))) dir = path.dirname(dir);
  return path.join(dir, "server", "platform", "db", "schema.sql");
}
