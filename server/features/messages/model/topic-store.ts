import { foldName } from "../../../../api/fold-name.ts";
import type { ChannelId, MessageId, OrganizationId, TopicId, UserId } from "../../../../api/ids.ts";
import { EMPTY_TOPIC_NAMES } from "../../../../api/topic-name.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { lockClasses } from "../../../platform/db/locks.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";

export interface Topic {
  id: TopicId;
  name: string;
}

/**
 * The topic of that name in a channel, ignoring case. It is created if it is new, and keeps its first
 * spelling. The transaction holds the new row until it ends, so this is for a channel that nobody else knows
 * yet.
 */
export async function findOrInsertTopic(
  tx: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
  name: string,
): Promise<Topic> {
  const topic = await findTopic(tx, organizationId, channelId, name);
  if (topic) return topic;
  await tx.query(insertStatement(organizationId, channelId, name));
  return (await findTopic(tx, organizationId, channelId, name)) as Topic;
}

/**
 * Like `findOrInsertTopic`, and a new topic is committed at once. The insert has to wait where another
 * transaction is making the same topic. So it has a connection on which nobody else waits.
 */
export async function findOrCommitTopic(
  database: Database,
  organizationId: OrganizationId,
  channelId: ChannelId,
  name: string,
): Promise<Topic> {
  const topic = await findTopic(database, organizationId, channelId, name);
  if (topic) return topic;
  const lead = [
    lockStatement(channelId, name),
    insertStatement(organizationId, channelId, name),
    findStatement(organizationId, channelId, name),
  ];
  return database.transaction(async (_tx, [, , made]) => (made as [Topic])[0], { lane: "places", lead });
}

/** The topic of that name in a channel, ignoring case. */
export async function findTopic(
  db: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
  name: string,
): Promise<Topic | undefined> {
  const [topic] = await db.query<Topic>(findStatement(organizationId, channelId, name));
  return topic;
}

/** LOCK: others who make the topic. The index that is unique does not know all spellings of a name. */
function lockStatement(channelId: ChannelId, name: string): Sql {
  return sql`
    select pg_advisory_xact_lock(${lockClasses.newTopics}::int, hashtext(${`${channelId} ${foldName(name)}`}::text))`;
}

function insertStatement(organizationId: OrganizationId, channelId: ChannelId, name: string): Sql {
  return sql`
    insert into topics (organization_id, channel_id, name)
    select ${organizationId}, ${channelId}, ${name}
    where not exists (
      select from topics
      where organization_id = ${organizationId} and channel_id = ${channelId} and fold_name(name) = fold_name(${name}))
    on conflict do nothing`;
}

function findStatement(organizationId: OrganizationId, channelId: ChannelId, name: string): Sql {
  return sql`
    select id, name from topics
    where organization_id = ${organizationId} and channel_id = ${channelId} and fold_name(name) = fold_name(${name})
    order by id limit 1`;
}

export async function renameTopic(
  tx: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  name: string,
): Promise<void> {
  await tx.query(
    sql`update topics set name = ${name} where organization_id = ${organizationId} and id = ${topicId}`,
  );
}

/**
 * The topics of that name, ignoring case: in one channel, or in any. Older topics may share a name with
 * another, and then all of them are meant.
 */
export async function listTopicIds(
  db: Queryable,
  organizationId: OrganizationId,
  name: string,
  channelId: ChannelId | undefined,
): Promise<TopicId[]> {
  const topics = await listTopicsNamed(db, organizationId, channelId, name);
  return topics.map(({ id }) => id);
}

/** Likewise with their names, the oldest first. */
export async function listTopicsNamed(
  db: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId | undefined,
  name: string,
): Promise<Topic[]> {
  return db.query(sql`
    select id, name from topics where organization_id = ${organizationId}
      and fold_name(name) = any(array(select fold_name(meant) from unnest(${meantBy(name)}::text[]) as meant))
      and (${channelId ?? null}::bigint is null or channel_id = ${channelId ?? null})
    order by id`);
}

/** Older topics may have a name that means the empty topic by now. */
function meantBy(name: string): readonly string[] {
  return name === "" ? EMPTY_TOPIC_NAMES : [name];
}

/** Resolved topics, in one channel or in any. */
export async function listResolvedTopics(
  db: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId | undefined,
  limit: number,
): Promise<TopicId[]> {
  const rows = await db.query<{ id: TopicId }>(sql`
    select id from topics
    -- Literally the predicate of the index topics_resolved.
    where organization_id = ${organizationId} and starts_with(name, '✔ ')
      and (${channelId ?? null}::bigint is null or channel_id = ${channelId ?? null})
    limit ${limit}`);
  return rows.map(({ id }) => id);
}

export interface TopicEnd {
  name: string;
  newestId: MessageId;
}

/**
 * A channel's topics with their newest message within these ID ranges, newest first. Costs one probe per
 * topic.
 */
export async function listTopicEnds(
  db: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
  idRanges: readonly { after: number; before: number }[],
): Promise<TopicEnd[]> {
  return db.query(sql`
    select t.name, newest.id as "newestId"
    from topics t cross join lateral (
      select max(found.id) as id
      from unnest(${idRanges.map(({ after }) => after)}::bigint[], ${idRanges.map(({ before }) => before)}::bigint[])
        as id_range (after, before)
      cross join lateral (
        select m.id from messages m
        where m.organization_id = t.organization_id and m.topic_id = t.id
          and m.id > id_range.after and m.id < id_range.before
        order by m.id desc limit 1
      ) found
    ) newest
    where t.organization_id = ${organizationId} and t.channel_id = ${channelId} and newest.id is not null
    order by newest.id desc`);
}

/** Whether a topic has a message within one of these ID ranges. */
export async function hasTopicMessages(
  db: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  idRanges: readonly { after: number; before: number }[],
): Promise<boolean> {
  const [row] = await db.query(sql`
    select from unnest(${idRanges.map(({ after }) => after)}::bigint[], ${idRanges.map(({ before }) => before)}::bigint[])
      as id_range (after, before)
    cross join lateral (
      select from messages m where m.organization_id = ${organizationId} and m.topic_id = ${topicId}
        and m.id > id_range.after and m.id < id_range.before
      limit 1
    ) found
    limit 1`);
  return row !== undefined;
}

/** The people who have written or reacted in a topic, or with messages that will move to it. */
export async function listParticipants(
  db: Queryable,
  organizationId: OrganizationId,
  topicId: TopicId,
  comingIds: readonly MessageId[],
): Promise<UserId[]> {
  const placed = sql`m.organization_id = ${organizationId} and m.topic_id = ${topicId}`;
  const coming = sql`m.organization_id = ${organizationId} and m.id = any(${comingIds}::bigint[])`;
  const isReacted = sql`r.organization_id = m.organization_id and r.message_id = m.id`;
  const rows = await db.query<{ id: UserId }>(sql`
    select m.sender_id as id from messages m where ${placed}
    union
    select r.user_id from messages m join reactions r on ${isReacted} where ${placed}
    union
    select m.sender_id from messages m where ${coming}
    union
    select r.user_id from messages m join reactions r on ${isReacted} where ${coming}`);
  return rows.map(({ id }) => id);
}
