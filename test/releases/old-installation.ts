/** An installation that a server of another time left: its rows, which are smaller than its directory. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { Database } from "../../server/platform/db/database.ts";
import { migrate } from "../../server/platform/db/migrate.ts";
import { prepareJobs } from "../../server/platform/jobs/prepare.ts";
import { keepEventPartitions } from "../../server/platform/log/partitions.ts";
import { createEmptyDatabase, type TestDatabase } from "../harness/postgres.ts";

export interface OldRows {
  /** By table, after the tables it refers to. A row has its columns as PostgreSQL writes them in JSON. */
  rows: Record<string, object[]>;
  /** The last value of each sequence; null for one that gave none. */
  sequences: Record<string, string | null>;
}

export interface OldDatabase {
  database: TestDatabase;
  client: pg.Client;
  close(): Promise<void>;
}

const migrations = new URL("../../server/platform/db/migrations/", import.meta.url);

/** A database of an old schema with these rows, carried to the schema of now after `meanwhile`. */
export async function upgradedDatabase(
  schema: number,
  old: OldRows,
  meanwhile: (client: pg.Client) => Promise<void> = async () => {},
): Promise<OldDatabase> {
  const database = await createEmptyDatabase();
  const client = new pg.Client(database.connection);
  const close = async () => {
    await client.end();
    await database.drop();
  };
  try {
    await client.connect();
    await migrateTo(client, schema);
    await makePartitionsAndJobTables(database);
    await fill(client, old);
    await meanwhile(client);
    await migrate(client);
  } catch (error) {
    await close();
    throw error;
  }
  return { database, client, close };
}

/** Applies only the migrations that the old server knew. */
async function migrateTo(client: pg.Client, last: number): Promise<void> {
  const directory = mkdtempSync(path.join(os.tmpdir(), "parley-migrations-"));
  try {
    for (const name of readdirSync(migrations)) {
      if (Number(name.slice(0, 4)) <= last) cpSync(new URL(name, migrations), path.join(directory, name));
    }
    await migrate(client, { directory });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** What a server makes beside the migrations when it starts. */
async function makePartitionsAndJobTables({ connection }: TestDatabase): Promise<void> {
  const database = await Database.open(connection, { pipelines: 1 });
  await Promise.all([keepEventPartitions(database), prepareJobs(database)]).finally(() => database.close());
}

/** Writes the rows as they were, but as of today: queues and the log's partitions are kept for days only. */
async function fill(client: pg.Client, { rows, sequences }: OldRows): Promise<void> {
  const now = new Date().toISOString();
  for (const [table, ofTable] of Object.entries(rows)) {
    const dated = ofTable.map((row) => ({
      ...row,
      ...(table === "events" && { written_on: now.slice(0, 10) }),
      ...(table === "event_queues" && { last_seen_at: now }),
    }));
    const columns = Object.keys(dated[0] ?? {}).map((name) => client.escapeIdentifier(name));
    if (columns.length === 0) continue;
    await client.query(
      `insert into ${client.escapeIdentifier(table)} (${columns}) overriding system value
       select ${columns} from json_populate_recordset(null::${client.escapeIdentifier(table)}, $1)`,
      [JSON.stringify(dated)],
    );
  }
  for (const [name, last] of Object.entries(sequences)) {
    if (last !== null) await client.query("select setval($1, $2)", [name, last]);
  }
}
