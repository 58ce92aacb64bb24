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

/** Migrates an empty database and writes its schema to server/platform/db/schema.sql. */
export async function writeSchema(file = schemaFile()): Promise<void> {
  writeFileSync(file, await currentSchema());
}

/** Whether server/platform/db/schema.sql is the result of the migrations. */
export async function isSchemaCurrent(file = schemaFile()): Promise<boolean> {
  return existsSync(file) && readFileSync(file, "utf8") === (await currentSchema());
}

async function currentSchema(): Promise<string> {
  const postgres = await startThrowAwayPostgres();
  try {
    const client = new pg.Client(postgres.connection);
    await client.connect();
    try {
      await migrate(client);
      return HEADER + (await dumpSchema(client));
    } finally {
      await client.end();
    }
  } finally {
    await postgres.stop();
  }
}

/** The file among the sources, even when this module runs from the compiled copy. */
function schemaFile(): string {
  let dir = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(dir, "package.json"))) dir = path.dirname(dir);
  return path.join(dir, "server", "platform", "db", "schema.sql");
}
