import { type Sql, sql } from "../../platform/db/sql.ts";

/** Which part to scan: after < id < before, from the lower end (`asc`) or the upper end (`desc`). */
export interface IdRange {
  order: "asc" | "desc";
  after: number;
  before: number;
  limit: number;
}

const ascending = sql`asc`;
const descending = sql`desc`;

export function direction({ order }: Pick<IdRange, "order">): Sql {
  return order === "asc" ? ascending : descending;
}
