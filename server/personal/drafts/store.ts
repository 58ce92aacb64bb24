import type { ChannelId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { PersonalRows } from "../../platform/db/personal-rows.ts";
import { sql } from "../../platform/db/sql.ts";

/** A draft for a channel, for people, or for nobody yet. */
export interface Draft {
  id: number;
  channelId: ChannelId | null;
  userIds: readonly UserId[] | null;
  /** Empty except in a channel. */
  topic: string;
  content: string;
  editedAt: Date;
}

export type DraftContent = Omit<Draft, "id">;

const columns = sql`id, channel_id as "channelId", user_ids as "userIds", topic, content, edited_at as "editedAt"`;

/** Returns the drafts in the given order. */
export async function insertDrafts(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  drafts: readonly DraftContent[],
): Promise<Draft[]> {
  // In the order of the list, the ids grow.
  const rows = await tx.query<Draft>(sql`
    insert into drafts (organization_id, user_id, channel_id, user_ids, topic, content, edited_at)
    select ${organizationId}, ${userId}, "channelId", "userIds", topic, content, "editedAt"
    from json_to_recordset(${JSON.stringify(drafts.map((draft, place) => ({ ...draft, place })))}::json)
      as draft (place int, "channelId" bigint, "userIds" bigint[], topic text, content text, "editedAt" timestamptz)
    order by place
    returning ${columns}`);
  return rows.sort((a, b) => a.id - b.id);
}

/** All drafts of one person, the last edited first. */
export const ownDrafts = new PersonalRows<Draft>(
  (organizationId, userId) => sql`
    select ${columns} from drafts
    where organization_id = ${organizationId} and user_id = ${userId} order by edited_at desc, id desc`,
  ["editedAt"],
);

export async function countDrafts(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from drafts
    where organization_id = ${organizationId} and user_id = ${userId}`);
  return (row as { count: number }).count;
}

/** Returns the draft as it now is, or undefined if the person has no such draft. */
export async function updateDraft(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  id: number,
  { channelId, userIds, topic, content, editedAt }: DraftContent,
): Promise<Draft | undefined> {
  const [row] = await tx.query<Draft>(sql`
    update drafts
    set channel_id = ${channelId}, user_ids = ${userIds}::bigint[], topic = ${topic}, content = ${content},
      edited_at = ${editedAt}
    where organization_id = ${organizationId} and user_id = ${userId} and id = ${id}
    returning ${columns}`);
  return row;
}

interface TopicPlace {
  channelId: ChannelId;
  topic: string;
}

/** Everybody's drafts for a topic, whatever its spelling. */
export async function listDraftsForTopic(
  tx: Queryable,
  organizationId: OrganizationId,
  { channelId, topic }: TopicPlace,
  limit: number,
): Promise<{ userId: UserId; id: number }[]> {
  return tx.query(sql`
    select user_id as "userId", id from drafts
    where organization_id = ${organizationId} and channel_id = ${channelId}
      and fold_name(topic) = fold_name(${topic})
    order by user_id, id limit ${limit}`);
}

/**
 * Moves these drafts to another topic, as far as they are still for the first. Returns them as they are now.
 */
export async function moveDrafts(
  tx: Queryable,
  organizationId: OrganizationId,
  drafts: readonly { userId: UserId; id: number }[],
  { from, to }: { from: TopicPlace; to: TopicPlace },
): Promise<(Draft & { userId: UserId })[]> {
  const rows = await tx.query<Draft & { userId: UserId }>(sql`
    update drafts set channel_id = ${to.channelId}, topic = ${to.topic}
    where organization_id = ${organizationId} and id = any(${drafts.map(({ id }) => id)}::bigint[])
      and user_id = any(${[...new Set(drafts.map(({ userId }) => userId))]}::bigint[])
      and channel_id = ${from.channelId} and fold_name(topic) = fold_name(${from.topic})
    returning ${columns}, user_id as "userId"`);
  return rows.sort((a, b) => a.userId - b.userId || a.id - b.id);
}

/** Deletes the given draft of the person, or all. Returns the ids of those that were there. */
export async function deleteDrafts(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  id?: number,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    delete from drafts
    where organization_id = ${organizationId} and user_id = ${userId}
      and (${id ?? null}::bigint is null or id = ${id ?? null})
    returning id`);
  return rows.map((row) => row.id).sort((a, b) => a - b);
}
