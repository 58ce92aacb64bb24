import { EMPTY_TOPIC_NAMES } from "../../../api/channels/topic-name.ts";
import { foldName } from "../../../api/fold-name.ts";
import type { ChannelId, OrganizationId, TopicId } from "../../../api/ids.ts";
import type { Database, Queryable } from "../../platform/db/database.ts";
import { lockClasses } from "../../platform/db/locks.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";

export interface Topic {
  id: TopicId;
  name: string;
}

/**
 * The topic of that name in a channel, ignoring case. It is created if it is new, and keeps its first
 * spelling. The transaction holds the new row until it ends, so use it only for a channel that nobody else
 * can know yet.
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
 * transaction is making the same topic. So it takes a connection of its own, on which nobody else waits.
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

/**
 * LOCK: the topic's name, against others who make the topic. The unique index does not know all spellings of
 * a name.
 */
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

/** The same topics with their names, the oldest first. */
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
