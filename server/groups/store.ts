import type { GroupId, OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { sql } from "../platform/db/sql.ts";
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

/**
 * Inserts the organization's system groups with their subgroups. Called once, when the organization is
 * made.
 */
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
  // Each contains the group before it, but not the group of nobody.
  await tx.query(sql`
    insert into group_subgroups (organization_id, group_id, subgroup_id)
    select organization_id, id, inner_id from (
      select organization_id, id, lag(id) over (order by system_role) as inner_id, system_role from groups
      where organization_id = ${organizationId} and system_role > 0
    ) as nested where inner_id is not null`);
}

/** A group without members. Undefined when the name is in use. */
export async function insertGroup(
  tx: Queryable,
  organizationId: OrganizationId,
  group: { name: string; description: string; creatorId: UserId; settings: Record<string, GroupValue> },
): Promise<Group | undefined> {
  const [row] = await tx.query<Omit<GroupRow, "memberIds" | "subgroupIds">>(sql`
    insert into groups (organization_id, name, description, creator_id, settings)
    values (${organizationId}, ${group.name}, ${group.description}, ${group.creatorId},
      ${JSON.stringify(group.settings)})
    on conflict (organization_id, lower(name)) do nothing
    returning id, name, description, system_role as "systemCode", creator_id as "creatorId", settings,
      created_at as "createdAt", deactivated_at as "deactivatedAt"`);
  return row && toGroup({ ...row, memberIds: null, subgroupIds: null });
}

export async function insertMembers(
  tx: Queryable,
  organizationId: OrganizationId,
  groupId: GroupId,
  userIds: readonly UserId[],
): Promise<void> {
  if (userIds.length === 0) return;
  await tx.query(sql`
    insert into group_members (organization_id, group_id, user_id)
    select ${organizationId}, ${groupId}, id from unnest(${userIds}::bigint[]) as member (id)`);
}

export async function insertSubgroups(
  tx: Queryable,
  organizationId: OrganizationId,
  groupId: GroupId,
  subgroupIds: readonly GroupId[],
): Promise<void> {
  if (subgroupIds.length === 0) return;
  await tx.query(sql`
    insert into group_subgroups (organization_id, group_id, subgroup_id)
    select ${organizationId}, ${groupId}, id from unnest(${subgroupIds}::bigint[]) as subgroup (id)`);
}

/** Returns false when another group has the name. */
export async function updateGroupRow(
  tx: Queryable,
  organizationId: OrganizationId,
  group: Group,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update groups set name = ${group.name}, description = ${group.description},
      settings = ${JSON.stringify(group.settings)},
      deactivated_at = case when ${group.isActive} then null else coalesce(deactivated_at, now()) end
    where organization_id = ${organizationId} and id = ${group.id} and (name = ${group.name} or not exists (
      select from groups other where other.organization_id = ${organizationId}
        and fold_name(other.name) = fold_name(${group.name}) and other.id <> ${group.id}))
    returning id`);
  return rows.length > 0;
}

export async function deleteMembers(
  tx: Queryable,
  organizationId: OrganizationId,
  groupId: GroupId,
  userIds: readonly UserId[],
): Promise<void> {
  if (userIds.length === 0) return;
  await tx.query(sql`
    delete from group_members
    where organization_id = ${organizationId} and group_id = ${groupId} and user_id = any(${userIds}::bigint[])`);
}

export async function deleteSubgroups(
  tx: Queryable,
  organizationId: OrganizationId,
  groupId: GroupId,
  subgroupIds: readonly GroupId[],
): Promise<void> {
  if (subgroupIds.length === 0) return;
  await tx.query(sql`
    delete from group_subgroups where organization_id = ${organizationId} and group_id = ${groupId}
      and subgroup_id = any(${subgroupIds}::bigint[])`);
}

/** Deletes the group with its members and subgroups. It must not be a subgroup of another group. */
export async function deleteGroupRows(
  tx: Queryable,
  organizationId: OrganizationId,
  groupId: GroupId,
): Promise<void> {
  await tx.query(sql`
    delete from group_members where organization_id = ${organizationId} and group_id = ${groupId}`);
  await tx.query(sql`
    delete from group_subgroups where organization_id = ${organizationId} and group_id = ${groupId}`);
  await tx.query(sql`delete from groups where organization_id = ${organizationId} and id = ${groupId}`);
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
