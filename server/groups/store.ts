import type { GroupId, OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Group, GroupValue } from "./group.ts";

interface GroupRow {
  id: GroupId;
  name: string;
  description: string;
  systemCode: number | null;
  creatorId: UserId | null;
  settings: Record<string, GroupValue>;
  createdAt: Date;
  deactivatedAt: Date | null;
  memberIds: UserId[] | null;
  subgroupIds: GroupId[] | null;
}

export async function listGroups(tx: Queryable, organizationId: OrganizationId): Promise<Group[]> {
  const rows = await tx.query<GroupRow>(sql`
    select g.id, g.name, g.description, g.system_role as "systemCode", g.creator_id as "creatorId", g.settings,
      g.created_at as "createdAt", g.deactivated_at as "deactivatedAt",
      (select array_agg(m.user_id order by m.user_id) from group_members m
       where m.organization_id = g.organization_id and m.group_id = g.id) as "memberIds",
      (select array_agg(s.subgroup_id order by s.subgroup_id) from group_subgroups s
       where s.organization_id = g.organization_id and s.group_id = g.id) as "subgroupIds"
    from groups g where g.organization_id = ${organizationId} order by g.id`);
  return rows.map(toGroup);
}

/** The organization's system groups with the subgroups that each contains; called once, when it is made. */
export async function insertSystemGroups(
  tx: Queryable,
  organizationId: OrganizationId,
  list: readonly { name: string; description: string; code: number }[],
): Promise<void> {
  await tx.query(sql`
    insert into groups (organization_id, name, description, system_role)
    select ${organizationId}, g.name, g.description, g.code
    from unnest(${list.map((each) => each.name)}::text[], ${list.map((each) => each.description)}::text[],
      ${list.map((each) => each.code)}::smallint[]) as g (name, description, code)`);
  // Each holds the one before it, but nobody is in nobody.
  await tx.query(sql`
    insert into group_subgroups (organization_id, group_id, subgroup_id)
    select organization_id, id, inner_id from (
      select organization_id, id, lag(id) over (order by system_role) as inner_id, system_role from groups
      where organization_id = ${organizationId} and system_role > 0
    ) as ladder where inner_id is not null`);
}

function toGroup(row: GroupRow): Group {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    systemCode: row.systemCode,
    creatorId: row.creatorId,
    settings: row.settings,
    createdAt: row.systemCode === null ? Math.floor(row.createdAt.getTime() / 1000) : null,
    isActive: row.deactivatedAt === null,
    memberIds: row.memberIds ?? [],
    subgroupIds: row.subgroupIds ?? [],
  };
}
