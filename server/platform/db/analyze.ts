import type { Database } from "./database.ts";
import { Sql } from "./sql.ts";

/** Tables that one request or a command may fill with thousands of rows. */
type Table = "users" | "channels" | "subscriptions" | "log_positions" | "messages" | "topics";

/**
 * Lets PostgreSQL count the rows of tables after bulk work. Autovacuum would do it some time later, and plans
 * made until then are for tables that are nearly empty. Call it outside of the work's transaction: others may
 * read and write meanwhile, but nobody should wait for it under a lock.
 */
export async function analyze(database: Database, tables: readonly Table[]): Promise<void> {
  for (const table of tables) {
    const statement = new Sql(`analyze ${table}`, [], undefined);
    await database.transaction((tx) => tx.query(statement), { lane: "background" });
  }
}
