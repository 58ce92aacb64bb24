import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** The organizations in which somebody has an event queue: what is told in the others is told to nobody. */
export async function listListenedOrganizations(db: Queryable): Promise<OrganizationId[]> {
  const rows = await db.query<{ id: OrganizationId }>(
    sql`select distinct organization_id as id from event_queues`,
  );
  return rows.map(({ id }) => id);
}
