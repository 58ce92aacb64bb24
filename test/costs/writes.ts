import pg from "pg";
import type { Connection } from "../../server/platform/db/database.ts";
import { flushStatistics } from "./statement-count.ts";

export interface Writes {
  /** Rows inserted, updated and deleted, by table. */
  rowsWritten: Record<string, number>;
  walRecords: number;
  walBytes: number;
}

interface Counters {
  tables: ReadonlyMap<string, number>;
  /** By the process of the connection, since some end and others begin meanwhile. */
  wal: ReadonlyMap<number, { records: number; bytes: number }>;
}

/**
 * Counts what this process's connections write, by the statistics of PostgreSQL. Those of tables are of one
 * database, and those of the WAL are of each connection, so other databases of the cluster don't disturb it.
 */
export class WriteMeter {
  readonly #client: pg.Client;
  #before: Counters = { tables: new Map(), wal: new Map() };

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(connection: Connection): Promise<WriteMeter> {
    const client = new pg.Client(connection);
    await client.connect();
    return new WriteMeter(client);
  }

  async start(): Promise<void> {
    this.#before = await this.#read();
  }

  /** What was written since the start. */
  async stop(): Promise<Writes> {
    const { tables, wal } = await this.#read();
    const before = this.#before;
    const rowsWritten: Record<string, number> = {};
    for (const [table, count] of tables) {
      const written = count - (before.tables.get(table) ?? 0);
      if (written > 0) rowsWritten[table] = written;
    }
    const writes: Writes = { rowsWritten, walRecords: 0, walBytes: 0 };
    for (const [process, { records, bytes }] of wal) {
      writes.walRecords += records - (before.wal.get(process)?.records ?? 0);
      writes.walBytes += bytes - (before.wal.get(process)?.bytes ?? 0);
    }
    return writes;
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #read(): Promise<Counters> {
    const processes = await flushStatistics();
    // A table of the log has partitions, one for each day.
    const tables = await this.#client.query<{ name: string; count: string }>(`
      select regexp_replace(relname, '_\\d{8}$', '') as name, sum(n_tup_ins + n_tup_upd + n_tup_del) as count
      from pg_stat_user_tables group by name order by name`);
    const wal = await this.#client.query<{ process: number; records: string; bytes: string }>(
      `select process, wal.wal_records as records, wal.wal_bytes as bytes
        from unnest($1::int[]) as process, pg_stat_get_backend_wal(process) as wal
        where wal.wal_records is not null`,
      [processes],
    );
    return {
      tables: new Map(tables.rows.map(({ name, count }) => [name, Number(count)])),
      wal: new Map(
        wal.rows.map(({ process, records, bytes }) => [
          process,
          { records: Number(records), bytes: Number(bytes) },
        ]),
      ),
    };
  }
}
