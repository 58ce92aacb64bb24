import type { GroupId, OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { type Sql, sql } from "../platform/db/sql.ts";

/** A row of `group_intervals`: that somebody, or a subgroup, was directly in a group. */
export interface IntervalRow {
  groupId: GroupId;
  userId: UserId | null;
  subgroupId: GroupId | null;
  /** null: since the beginning. */
  from: number | null;
  /** null: until now. */
  to: number | null;
}

/** A member of a group: a person or a subgroup. */
export type Membership = Pick<IntervalRow, "groupId" | "userId" | "subgroupId">;

/** In the order in which they began. */
export async function listGroupIntervals(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<IntervalRow[]> {
  return tx.query(sql`
    select s.group_id as "groupId", s.user_id as "userId", s.subgroup_id as "subgroupId",
      ${positionOf(sql`s.from_position_ref`)} as "from", ${positionOf(sql`s.to_position_ref`)} as "to"
    from group_intervals s where s.organization_id = ${organizationId} order by s.id`);
}

/**
 * Ends memberships. One without a row for the present has lasted since the beginning, and gets a row that
 * says so.
 */
export async function endGroupIntervals(
  tx: Queryable,
  organizationId: OrganizationId,
  ended: readonly Membership[],
  positionRef: number,
): Promise<void> {
  for (const { column, groupIds, memberIds } of byKind(ended)) {
    await tx.query(sql`
      with ended as (
        select group_id, member_id from unnest(${groupIds}::bigint[], ${memberIds}::bigint[]) as m (group_id, member_id)
      ), known as (
        update group_intervals s set to_position_ref = ${positionRef} from ended
        where s.organization_id = ${organizationId} and s.group_id = ended.group_id
          and s.${column} = ended.member_id and s.to_position_ref is null
        returning s.group_id, s.${column} as member_id
      )
      insert into group_intervals (organization_id, group_id, ${column}, to_position_ref)
      select ${organizationId}, unknown.group_id, unknown.member_id, ${positionRef}
      from (select * from ended except select * from known) unknown`);
  }
}

export async function beginGroupIntervals(
  tx: Queryable,
  organizationId: OrganizationId,
  begun: readonly Membership[],
  positionRef: number,
): Promise<void> {
  for (const { column, groupIds, memberIds } of byKind(begun)) {
    await tx.query(sql`
      insert into group_intervals (organization_id, group_id, ${column}, from_position_ref)
      select ${organizationId}, m.group_id, m.member_id, ${positionRef}
      from unnest(${groupIds}::bigint[], ${memberIds}::bigint[]) as m (group_id, member_id)`);
  }
}

/** The newest interval goes on, as if it had never ended. */
export async function resumeGroupIntervals(
  tx: Queryable,
  organizationId: OrganizationId,
  resumed: readonly Membership[],
): Promise<void> {
  for (const { column, groupIds, memberIds } of byKind(resumed)) {
    await tx.query(sql`
      update group_intervals set to_position_ref = null where organization_id = ${organizationId} and id in (
        select max(s.id) from group_intervals s
        join unnest(${groupIds}::bigint[], ${memberIds}::bigint[]) as m (group_id, member_id)
          on m.group_id = s.group_id and m.member_id = s.${column}
        where s.organization_id = ${organizationId} group by s.group_id, s.${column})`);
  }
}

export interface WaitingPeriod {
  days: number;
  /** Where the next one came into force. */
  to: number;
}

export async function listFormerWaitingPeriods(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<WaitingPeriod[]> {
  return tx.query(sql`
    select s.days, ${positionOf(sql`s.to_position_ref`)} as "to" from former_waiting_periods s
    where s.organization_id = ${organizationId} order by "to"`);
}

export async function insertFormerWaitingPeriod(
  tx: Queryable,
  organizationId: OrganizationId,
  days: number,
  positionRef: number,
): Promise<void> {
  await tx.query(sql`
    insert into former_waiting_periods (organization_id, to_position_ref, days)
    values (${organizationId}, ${positionRef}, ${days})`);
}

/** A subselect and not a join: see the bounds of subscriptions. */
function positionOf(reference: Sql): Sql {
  return sql`(select p.position from log_positions p where p.organization_id = s.organization_id and p.id = ${reference})`;
}

interface OfKind {
  column: Sql;
  groupIds: GroupId[];
  memberIds: number[];
}

/** People and subgroups have a column each. Most changes are of one kind. */
function byKind(memberships: readonly Membership[]): OfKind[] {
  const people = memberships.filter(({ userId }) => userId !== null);
  const subgroups = memberships.filter(({ userId }) => userId === null);
  return [
    ofKind(sql`user_id`, people, ({ userId }) => userId as UserId),
    ofKind(sql`subgroup_id`, subgroups, ({ subgroupId }) => subgroupId as GroupId),
  ].filter(({ groupIds }) => groupIds.length > 0);
}

function ofKind(column: Sql, list: readonly Membership[], idOf: (one: Membership) => number): OfKind {
  return { column, groupIds: list.map(({ groupId }) => groupId), memberIds: list.map(idOf) };
}
