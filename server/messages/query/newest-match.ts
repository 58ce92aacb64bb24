import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { NO_LIMIT } from "./readable/readable-ranges.ts";
import { type MessageQuery, rangeTable, scan } from "./scan.ts";

/** The id of the newest message that a query finds. */
export async function findNewestMatch(tx: Queryable, query: MessageQuery): Promise<number | undefined> {
  const newest = scan(query, { order: "desc", after: 0, before: NO_LIMIT, limit: 1 });
  const [row] = await tx.query<{ id: number }>(sql`with ${rangeTable(query)} ${newest}`);
  return row?.id;
}
