import { analyze } from "../../platform/db/analyze.ts";
import type { Database } from "../../platform/db/database.ts";

/** With fewer new subscriptions, PostgreSQL's old statistics are good enough until autovacuum comes. */
const MANY = 1000;

/**
 * Updates PostgreSQL's statistics if many subscriptions were made at once. Call it when the change is
 * committed.
 */
export async function analyzeIfMany(database: Database, count: number): Promise<void> {
  if (count >= MANY) await analyze(database, ["subscriptions", "log_positions"]);
}
