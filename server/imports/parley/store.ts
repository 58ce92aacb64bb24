/** Rows of all modules, as an archive of everything has them. */
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { sqlTypeOf, type WholeTable } from "../../administration/exports/whole/columns.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import type { Row } from "../archive/row.ts";

/** A column of bytes that the import makes itself, given as base64. */
export interface MadeColumn {
  name: string;
}

/** `keepsIds`: otherwise the rows get new ones, in their order. Names are those of the declared tables. */
export async function insertRows(
  tx: Queryable,
  organizationId: OrganizationId,
  {
    table,
    rows,
    keepsIds,
    made,
  }: { table: WholeTable; rows: readonly Row[]; keepsIds: boolean; made: MadeColumn[] },
): Promise<void> {
  const columns = table.columns.filter(({ kind }) => keepsIds || kind !== "id");
  const into = [...columns, ...made].map(({ name }) => name).join(", ");
  const selected = [
    ...columns.map(({ name }) => `r.${name}`),
    ...made.map(({ name }) => `decode(r.${name}, 'base64')`),
  ].join(", ");
  const types = [
    ...columns.map((column) => `${column.name} ${sqlTypeOf(column)}`),
    ...made.map(({ name }) => `${name} text`),
  ].join(", ");
  await tx.query(
    new Sql(
      `insert into ${table.name} (organization_id, ${into}) overriding system value
       select $1, ${selected}
       from rows from (jsonb_to_recordset($2::jsonb) as (${types})) with ordinality as r
       order by r.ordinality`,
      [organizationId, JSON.stringify(rows)],
      undefined,
    ),
  );
}

/** The organization's own row, which is there from the beginning. */
export async function updateOwnRow(tx: Queryable, organizationId: OrganizationId, row: Row): Promise<void> {
  await tx.query(sql`
    update organizations set settings = ${JSON.stringify(row.settings)}::jsonb,
      default_user_settings = ${JSON.stringify(row.default_user_settings)}::jsonb,
      created_at = ${row.created_at}::timestamptz, icon_file = ${row.icon_file}, logo_file = ${row.logo_file},
      night_logo_file = ${row.night_logo_file}
    where id = ${organizationId}`);
}

export async function insertMembersOfConversations(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<void> {
  await tx.query(sql`
    insert into conversation_members (organization_id, user_id, conversation_id)
    select organization_id, unnest(user_ids), id from conversations where organization_id = ${organizationId}`);
}

/** Otherwise each address of an archive would get a mail that nobody here has asked for. */
export async function endReminders(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await tx.query(sql`
    update invitations set reminded_at = now() where organization_id = ${organizationId}`);
}

export async function listPeople(tx: Queryable, organizationId: OrganizationId): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(
    sql`select id from users where organization_id = ${organizationId} order by id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * The counter that gives the table's ids. null: there is none. A default is such as
 * `nextval('recipient_ids'::regclass)`.
 */
export async function findCounter(tx: Queryable, table: string): Promise<string | null> {
  const [row] = await tx.query<{ name: string | null }>(sql`
    select coalesce(pg_get_serial_sequence(c.relname, 'id'),
      case when c.relname = 'log_positions' then 'log_position_ids'
        else nullif(split_part(pg_get_expr(d.adbin, d.adrelid), '''', 2), '') end) as name
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'id'
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relname = ${table} and c.relnamespace = 'public'::regnamespace`);
  return row?.name ?? null;
}

/**
 * Moves a counter beyond an id. LOCK: altering a counter holds back those who take from it to the end of the
 * transaction, so it can't fall back behind what they took. `counter`: of `findCounter`.
 */
export async function moveCounter(tx: Queryable, counter: string, beyond: number): Promise<void> {
  if ((await lastOf(tx, counter)) >= beyond) return;
  await tx.query(new Sql(`alter sequence ${counter} cache 1`, [], undefined));
  const last = await lastOf(tx, counter);
  if (last < beyond) await tx.query(sql`select setval(${counter}::regclass, ${beyond})`);
}

async function lastOf(tx: Queryable, counter: string): Promise<number> {
  const [row] = await tx.query<{ last: number }>(
    new Sql(`select last_value as last from ${counter}`, [], undefined),
  );
  return row?.last ?? 0;
}
