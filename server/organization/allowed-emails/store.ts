import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface AllowedDomain {
  id: number;
  /** In lower case and in Punycode. */
  domain: string;
  allowSubdomains: boolean;
}

export async function insertDomain(
  tx: Queryable,
  organizationId: OrganizationId,
  { domain, allowSubdomains }: Omit<AllowedDomain, "id">,
): Promise<AllowedDomain> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into allowed_domains (organization_id, domain, allow_subdomains)
    values (${organizationId}, ${domain}, ${allowSubdomains}) returning id`);
  return { id: (row as { id: number }).id, domain, allowSubdomains };
}

/** The oldest first. */
export async function listDomains(tx: Queryable, organizationId: OrganizationId): Promise<AllowedDomain[]> {
  return tx.query(sql`
    select id, domain, allow_subdomains as "allowSubdomains" from allowed_domains
    where organization_id = ${organizationId} order by id`);
}

export async function updateDomain(
  tx: Queryable,
  organizationId: OrganizationId,
  { id, allowSubdomains }: AllowedDomain,
): Promise<void> {
  await tx.query(sql`
    update allowed_domains set allow_subdomains = ${allowSubdomains}
    where organization_id = ${organizationId} and id = ${id}`);
}

export async function deleteDomain(tx: Queryable, organizationId: OrganizationId, id: number): Promise<void> {
  await tx.query(sql`delete from allowed_domains where organization_id = ${organizationId} and id = ${id}`);
}
