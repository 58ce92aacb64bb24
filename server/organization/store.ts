import type { OrganizationId, Position } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { prepare, sql } from "../platform/db/sql.ts";
import type { Organization } from "./organization.ts";

interface OrganizationRow {
  id: OrganizationId;
  host: string;
  name: string;
  settings: Record<string, unknown>;
  defaultUserSettings: Record<string, unknown>;
  createdAt: Date;
  deactivatedAt: Date | null;
  pictures: OrganizationPictures;
}

/** The names of the files of uploaded pictures; null for none. */
export interface OrganizationPictures {
  icon: string | null;
  logo: string | null;
  /** For dark backgrounds. */
  nightLogo: string | null;
}

const columns = sql`id, host, name, settings, default_user_settings as "defaultUserSettings",
  created_at as "createdAt", deactivated_at as "deactivatedAt",
  json_build_object('icon', icon_file, 'logo', logo_file, 'nightLogo', night_logo_file) as pictures`;

/** For a table `o`: without a log, an organization is being imported, and answers under no name yet. */
const hasLog = sql`exists (select from organization_logs l where l.organization_id = o.id)`;

export async function insertOrganization(
  tx: Queryable,
  organization: { host: string; name: string; settings: Record<string, unknown> },
): Promise<OrganizationId> {
  const [row] = await tx.query<{ id: OrganizationId }>(sql`
    insert into organizations (host, name, settings)
    values (${organization.host}, ${organization.name}, ${JSON.stringify(organization.settings)}) returning id`);
  const { id } = row as { id: OrganizationId };
  await insertLog(tx, id, 0 as Position);
  return id;
}

/** An organization without a log, which no node can load. It is deactivated, so that no job looks at it. */
export async function insertUnopened(
  tx: Queryable,
  organization: { host: string; name: string; settings: Record<string, unknown>; createdAt: Date },
): Promise<OrganizationId> {
  const { host, name, settings, createdAt } = organization;
  const [row] = await tx.query<{ id: OrganizationId }>(sql`
    insert into organizations (host, name, settings, created_at, deactivated_at)
    values (${host}, ${name}, ${JSON.stringify(settings)}, ${createdAt}, now()) returning id`);
  return (row as { id: OrganizationId }).id;
}

export async function insertLog(tx: Queryable, id: OrganizationId, head: Position): Promise<void> {
  await tx.query(sql`insert into organization_logs (organization_id, head) values (${id}, ${head})`);
}

export async function findOrganization(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<Organization | undefined> {
  const [row] = await tx.query<OrganizationRow>(
    sql`select ${columns} from organizations where id = ${organizationId}`,
  );
  return row && toOrganization(row);
}

export async function findOrganizationIdByHost(
  tx: Queryable,
  host: string,
): Promise<OrganizationId | undefined> {
  const [row] = await tx.query<{ id: OrganizationId }>(
    prepare(sql`select id from organizations o where host = ${host} and ${hasLog}`),
  );
  return row?.id;
}

/** The oldest organization, which answers under the server's own names. */
export async function findPrimaryOrganizationId(tx: Queryable): Promise<OrganizationId | undefined> {
  const [row] = await tx.query<{ id: OrganizationId }>(
    prepare(sql`select id from organizations o where ${hasLog} order by id limit 1`),
  );
  return row?.id;
}

/** The oldest organizations of the server. */
export async function listOrganizations(tx: Queryable, limit: number): Promise<Organization[]> {
  const rows = await tx.query<OrganizationRow>(
    sql`select ${columns} from organizations o where ${hasLog} order by id limit ${limit}`,
  );
  return rows.map(toOrganization);
}

export async function updateOrganization(
  tx: Queryable,
  organizationId: OrganizationId,
  values: { name: string; settings: Record<string, unknown> },
): Promise<void> {
  await tx.query(sql`
    update organizations set name = ${values.name}, settings = ${JSON.stringify(values.settings)}
    where id = ${organizationId}`);
}

export async function updatePictures(
  tx: Queryable,
  organizationId: OrganizationId,
  { icon, logo, nightLogo }: OrganizationPictures,
): Promise<void> {
  await tx.query(sql`
    update organizations set icon_file = ${icon}, logo_file = ${logo}, night_logo_file = ${nightLogo}
    where id = ${organizationId}`);
}

export async function updateDefaultUserSettings(
  tx: Queryable,
  organizationId: OrganizationId,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.query(sql`
    update organizations set default_user_settings = ${JSON.stringify(settings)} where id = ${organizationId}`);
}

export async function updateDeactivation(
  tx: Queryable,
  organizationId: OrganizationId,
  isDeactivated: boolean,
): Promise<void> {
  await tx.query(sql`
    update organizations set deactivated_at = case when ${isDeactivated} then now() end
    where id = ${organizationId}`);
}

function toOrganization(row: OrganizationRow): Organization {
  const { createdAt, deactivatedAt, ...rest } = row;
  return { ...rest, createdAt: Math.floor(createdAt.getTime() / 1000), isActive: deactivatedAt === null };
}
