import type { Queryable } from "../../platform/db/database.ts";
import { prepare, sql } from "../../platform/db/sql.ts";
import { NO_LIMIT } from "./readable/readable-ranges.ts";
import { isPlain, type MessageQuery, rangeTable, scan } from "./scan.ts";

/** The id of the newest message that a query finds. */
export async function findNewestMatch(tx: Queryable, query: MessageQuery): Promise<number | undefined> {
  const newest = scan(query, { order: "desc", after: 0, before: NO_LIMIT, limit: 1 });
  const statement = sql`with ${rangeTable(query)} ${newest}`;
  const [row] = await tx.query<{ id: number }>(isPlain(query) ? prepare(statement) : statement);
  return row?.id;
}
