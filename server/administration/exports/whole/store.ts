/** Rows of all modules, as a whole export has them: see `tables.ts`. */
import type { OrganizationId } from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { Sql, sql } from "../../../platform/db/sql.ts";
import type { Column, WholeTable } from "./columns.ts";

/** An export takes as long as it takes, also where its disk is slow. Versions before 17 lack one of these. */
export async function allowLongTransaction(tx: Queryable): Promise<void> {
  await tx.query(sql`
    select set_config(name, '0', true) from pg_settings
    where name in ('transaction_timeout', 'idle_in_transaction_session_timeout')`);
}

/** Somebody whose erasure has not ended, or has ended since then, if there is one. */
export async function findErasure(
  tx: Queryable,
  organizationId: OrganizationId,
  since: Date,
): Promise<number | undefined> {
  const [row] = await tx.query<{ userId: number }>(sql`
    select user_id as "userId" from erasures
    where organization_id = ${organizationId} and (finished_at is null or finished_at >= ${since}) limit 1`);
  return row?.userId;
}

/** When the transaction began. */
export async function beginningOf(tx: Queryable): Promise<Date> {
  const [row] = await tx.query<{ at: Date }>(sql`select now() as at`);
  return row?.at ?? new Date(0);
}

export async function lastMigration(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ id: number }>(sql`select max(id) as id from migrations`);
  return row?.id ?? 0;
}

export async function countRows(tx: Queryable, table: WholeTable, id: OrganizationId): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    new Sql(
      `select count(*)::bigint as count from ${table.name} t where ${conditionOf(table)}`,
      [id],
      undefined,
    ),
  );
  return row?.count ?? 0;
}

/** Opens a cursor over the table's rows. One is open at a time. */
export async function openRows(tx: Queryable, table: WholeTable, id: OrganizationId): Promise<void> {
  // The names are those of the list in this folder, and so safe in the text of the statement.
  const fields = table.columns.map((column) => `${selected(column)} as ${column.name}`).join(", ");
  const rows = `select ${fields} from ${table.name} t where ${conditionOf(table)} order by ${table.order}`;
  await tx.query(
    new Sql(
      `declare whole_rows no scroll cursor for select to_json(r) as row from (${rows}) r`,
      [id],
      undefined,
    ),
  );
}

export async function fetchRows(tx: Queryable, limit: number): Promise<Record<string, unknown>[]> {
  const rows = await tx.query<{ row: Record<string, unknown> }>(
    new Sql(`fetch forward ${Math.trunc(limit)} from whole_rows`, [], undefined),
  );
  return rows.map(({ row }) => row);
}

export async function closeRows(tx: Queryable): Promise<void> {
  await tx.query(new Sql("close whole_rows", [], undefined));
}

function conditionOf({ name, only }: WholeTable): string {
  const own = name === "organizations" ? "t.id = $1" : "t.organization_id = $1";
  return only === undefined ? own : `${own} and ${only}`;
}

/** Keys and paths begin with the organization's id, of which the import makes another. */
function selected({ kind, name }: Column): string {
  if (kind === "path" || kind === "key") return `substr(t.${name}, strpos(t.${name}, '/') + 1)`;
  return `t.${name}`;
}
