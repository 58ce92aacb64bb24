import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface LinkifierRow {
  id: number;
  /** In the syntax of RE2, with named groups. */
  pattern: string;
  /** The address of the link, by RFC 6570. Its variables are the pattern's groups. */
  urlTemplate: string;
}

/** In the order in which they are tried. */
export async function listLinkifiers(tx: Queryable, organizationId: OrganizationId): Promise<LinkifierRow[]> {
  return tx.query(sql`
    select id, pattern, url_template as "urlTemplate" from linkifiers
    where organization_id = ${organizationId} order by sort_order, id`);
}
