import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** What an administrator writes of a playground. */
export interface PlaygroundContent {
  name: string;
  language: string;
  /** The address of the site, by RFC 6570. Its variable is `code`. */
  urlTemplate: string;
}

export interface PlaygroundRow extends PlaygroundContent {
  id: number;
}

export async function insertPlayground(
  tx: Queryable,
  organizationId: OrganizationId,
  { name, language, urlTemplate }: PlaygroundContent,
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into playgrounds (organization_id, name, language, url_template)
    values (${organizationId}, ${name}, ${language}, ${urlTemplate}) returning id`);
  return (row as { id: number }).id;
}

/** The oldest first. */
export async function listPlaygrounds(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<PlaygroundRow[]> {
  return tx.query(sql`
    select id, name, language, url_template as "urlTemplate" from playgrounds
    where organization_id = ${organizationId} order by id`);
}

export async function deletePlayground(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<void> {
  await tx.query(sql`delete from playgrounds where organization_id = ${organizationId} and id = ${id}`);
}
