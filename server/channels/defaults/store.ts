import type { ChannelId, OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** A set of channels that people can choose from when they join. */
export interface DefaultGroup {
  id: number;
  name: string;
  description: string;
  /** In ascending order. */
  channelIds: ChannelId[];
}

/** Returns undefined when the name is in use. */
export async function insertDefaultGroup(
  tx: Queryable,
  organizationId: OrganizationId,
  group: Omit<DefaultGroup, "id">,
): Promise<DefaultGroup | undefined> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into default_channel_groups (organization_id, name, description)
    select ${organizationId}, ${group.name}, ${group.description}
    where not exists (
      select from default_channel_groups other
      where other.organization_id = ${organizationId} and fold_name(other.name) = fold_name(${group.name}))
    on conflict (organization_id, lower(name)) do nothing returning id`);
  if (!row) return undefined;
  await insertDefaultGroupChannels(tx, organizationId, row.id, group.channelIds);
  return { id: row.id, ...group };
}

export async function insertDefaultGroupChannels(
  tx: Queryable,
  organizationId: OrganizationId,
  groupId: number,
  channelIds: readonly ChannelId[],
): Promise<void> {
  await tx.query(sql`
    insert into default_channel_group_channels (organization_id, group_id, channel_id)
    select ${organizationId}, ${groupId}, id from unnest(${channelIds}::bigint[]) as id`);
}

export async function listDefaultGroups(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<DefaultGroup[]> {
  return tx.query(sql`
    select g.id, g.name, g.description,
      coalesce(array_agg(c.channel_id order by c.channel_id) filter (where c.channel_id is not null), '{}')
        as "channelIds"
    from default_channel_groups g
    left join default_channel_group_channels c on c.organization_id = g.organization_id and c.group_id = g.id
    where g.organization_id = ${organizationId} group by g.id, g.name, g.description`);
}

/** Returns false, and changes nothing, when the name is in use. */
export async function updateDefaultGroup(
  tx: Queryable,
  organizationId: OrganizationId,
  { id, name, description }: DefaultGroup,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update default_channel_groups set name = ${name}, description = ${description}
    where organization_id = ${organizationId} and id = ${id} and (name = ${name} or not exists (
      select from default_channel_groups other
      where other.organization_id = ${organizationId} and fold_name(other.name) = fold_name(${name})
        and other.id <> ${id}))
    returning id`);
  return rows.length > 0;
}

export async function deleteDefaultGroup(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<void> {
  await tx.query(sql`
    delete from default_channel_groups where organization_id = ${organizationId} and id = ${id}`);
}

export async function deleteDefaultGroupChannels(
  tx: Queryable,
  organizationId: OrganizationId,
  groupId: number,
  channelIds: readonly ChannelId[],
): Promise<void> {
  await tx.query(sql`
    delete from default_channel_group_channels
    where organization_id = ${organizationId} and group_id = ${groupId} and channel_id = any(${channelIds}::bigint[])`);
}
