import type { GroupId, OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { sql } from "../platform/db/sql.ts";
import type { PastGroup } from "./past.ts";

export async function insertPastGroups(
  tx: Queryable,
  organizationId: OrganizationId,
  groups: readonly PastGroup[],
): Promise<GroupId[]> {
  const rows = await tx.query<{ id: GroupId }>(sql`
    insert into groups (organization_id, name, description, creator_id, created_at, deactivated_at)
    select ${organizationId}, g.name, g.description, g."creatorId", g."createdAt",
      case when not g."isActive" then now() end
    from rows from (jsonb_to_recordset(${JSON.stringify(groups)}::jsonb)
      as (name text, description text, "creatorId" bigint, "createdAt" timestamptz, "isActive" boolean))
      with ordinality as g
    order by g.ordinality returning id`);
  // Identities are given in the order of the rows.
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

export async function insertPastMemberships(
  tx: Queryable,
  organizationId: OrganizationId,
  {
    people,
    groups,
  }: {
    people: readonly { groupId: GroupId; userId: UserId }[];
    groups: readonly { groupId: GroupId; subgroupId: GroupId }[];
  },
): Promise<void> {
  await tx.query(sql`
    insert into group_members (organization_id, group_id, user_id)
    select ${organizationId}, m.group_id, m.user_id
    from unnest(${people.map(({ groupId }) => groupId)}::bigint[], ${people.map(({ userId }) => userId)}::bigint[])
      as m (group_id, user_id)`);
  await tx.query(sql`
    insert into group_subgroups (organization_id, group_id, subgroup_id)
    select ${organizationId}, m.group_id, m.subgroup_id
    from unnest(${groups.map(({ groupId }) => groupId)}::bigint[],
      ${groups.map(({ subgroupId }) => subgroupId)}::bigint[]) as m (group_id, subgroup_id)`);
}

export async function listSystemGroupIds(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<{ name: string; id: GroupId }[]> {
  return tx.query(sql`
    select name, id from groups where organization_id = ${organizationId} and system_role is not null`);
}
