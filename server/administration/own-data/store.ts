/** The rows of all modules that a copy of a person's own data has: see `tables.ts`. */
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import type { OwnRows } from "./tables.ts";

/** The next rows after one, as objects with the listed columns. `key`: where the page after it begins. */
export async function listOwnRows(
  db: Queryable,
  { table, person, key, keyType, columns, only }: OwnRows,
  owner: { organizationId: OrganizationId; userId: UserId },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ key: string; row: object }[]> {
  // The names are those of the list in this folder, and so safe in the text of the statement.
  const fields = columns.map((column) => `'${column}', ${column}`).join(", ");
  return db.query(
    new Sql(
      `select ${key}::text as key, json_build_object(${fields}) as row from ${table}
       where organization_id = $1 and ${person} = $2 and ${only ?? "true"}
         and ($3::text is null or ${key} > $3::text::${keyType})
       order by ${key} limit $4`,
      [owner.organizationId, owner.userId, after ?? null, limit],
      undefined,
    ),
  );
}

/** The files of a person's uploads. */
export async function listOwnFiles(
  db: Queryable,
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; storageKey: string; fileName: string }[]> {
  return db.query(sql`
    select id, storage_key as "storageKey", file_name as "fileName" from uploads
    where organization_id = ${organizationId} and owner_id = ${userId} and id > ${after} order by id limit ${limit}`);
}
