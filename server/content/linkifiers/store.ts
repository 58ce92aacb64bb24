import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** What an administrator writes of a linkifier. */
export interface LinkifierContent {
  /** In the syntax of RE2, with named groups. */
  pattern: string;
  /** The address of the link, by RFC 6570. Its variables are the pattern's groups. */
  urlTemplate: string;
}

export interface LinkifierRow extends LinkifierContent {
  id: number;
}

/** After the existing ones. Returns its id. */
export async function insertLinkifier(
  tx: Queryable,
  organizationId: OrganizationId,
  { pattern, urlTemplate }: LinkifierContent,
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into linkifiers (organization_id, pattern, url_template, sort_order)
    select ${organizationId}, ${pattern}, ${urlTemplate}, coalesce(max(sort_order), 0) + 1
    from linkifiers where organization_id = ${organizationId}
    returning id`);
  return (row as { id: number }).id;
}

/** In the order in which they are tried. */
export async function listLinkifiers(tx: Queryable, organizationId: OrganizationId): Promise<LinkifierRow[]> {
  return tx.query(sql`
    select id, pattern, url_template as "urlTemplate" from linkifiers
    where organization_id = ${organizationId} order by sort_order, id`);
}

export async function updateLinkifier(
  tx: Queryable,
  organizationId: OrganizationId,
  { id, pattern, urlTemplate }: LinkifierRow,
): Promise<void> {
  await tx.query(sql`
    update linkifiers set pattern = ${pattern}, url_template = ${urlTemplate}
    where organization_id = ${organizationId} and id = ${id}`);
}

/** `order`: the ids of all of them. */
export async function updateLinkifierOrder(
  tx: Queryable,
  organizationId: OrganizationId,
  order: readonly number[],
): Promise<void> {
  await tx.query(sql`
    update linkifiers set sort_order = place
    from unnest(${order}::bigint[]) with ordinality as ordered (ordered_id, place)
    where organization_id = ${organizationId} and id = ordered_id`);
}

export async function deleteLinkifier(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<void> {
  await tx.query(sql`delete from linkifiers where organization_id = ${organizationId} and id = ${id}`);
}
