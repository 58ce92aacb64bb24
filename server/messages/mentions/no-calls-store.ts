import { type Sql, sql } from "../../platform/db/sql.ts";

/** The tables of `CallWriter.tables` where no module makes calls. */
export const noCalls: Sql = sql`called as (select 1 as job where false)`;
