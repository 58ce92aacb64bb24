/**
 * The initial data of a scenario, written in bulk before the organization is loaded. Everything has a
 * position in the log, as if it had been done through the server.
 */

import pg from "pg";
import type { ChannelId, OrganizationId, UserId } from "../../api/ids.ts";
import { createSystemGroups } from "../../server/groups/create.ts";
import { listBehind } from "../../server/messages/search/cursor-store.ts";
import { indexAll } from "../../server/messages/search/index-messages.ts";
import { addOrganization } from "../../server/organization/create.ts";
import { createFirstOwner } from "../../server/people/actions.ts";
import { upsertApiKey } from "../../server/people/api-key-store.ts";
import { createNotificationBot } from "../../server/people/notification-bot.ts";
import type { Keyring } from "../../server/platform/crypto/keyring.ts";
import { hashPassword } from "../../server/platform/crypto/passwords.ts";
import type { Queryable, Transaction } from "../../server/platform/db/database.ts";
import { sql } from "../../server/platform/db/sql.ts";
import type { Services } from "../../server/services.ts";
import { inBulk, writeHistory } from "./history-fixture.ts";

export interface Fixture {
  /** Members in addition to the owner. */
  people: number;
  /** How many of them, from the first, have an API key. */
  keys: number;
  /** How many of them, from the first, are subscribed to the channel `bench`. */
  subscribers: number;
  /** Channels besides `bench`. */
  channels?: number;
  /** How many of those channels each person is subscribed to. */
  ownChannels?: number;
  /** How many people, from the first, are subscribed to those channels; without it, all. */
  ownChannelsOf?: number;
  /** The number of positions at which somebody was subscribed; without it, one. */
  positions?: number;
  /** Leaves PostgreSQL with statistics from when the tables were nearly empty. */
  isStale?: boolean;
  /** How many custom profile fields there are, all of which every member has filled in. */
  profileFields?: number;
  history?: History;
  /** The password of everybody but the owner; without it nobody has one. */
  password?: string;
}

export interface History {
  /** In all channels together. */
  messages: number;
  /** How many of 11 messages are in `bench`; the rest is spread over the other channels. */
  benchShare: number;
  /** How many topics `bench` has; 200 by default. */
  benchTopics?: number;
  /** The number of ranges of read messages for each person, with unread messages between them. */
  readStretches: number;
  /** Share of each range that is unread, from 0 to 1. */
  unreadShare: number;
  /** Gives messages words of several frequencies (see `frequencies`), and lets them be searched. */
  isSearched?: boolean;
}

export interface Person {
  id: number;
  email: string;
  apiKey: string;
}

export interface Filled {
  organizationId: OrganizationId;
  channelId: ChannelId;
  /** The members with an API key. */
  people: Person[];
  /** The ids of the history. */
  firstMessageId: number;
  lastMessageId: number;
}

export async function fill({ database, keyring }: Services, fixture: Fixture): Promise<Filled> {
  const filled = await database.transaction(async (tx) => {
    const organizationId = await addOrganization(tx, { host: "localhost", name: "Bench" });
    await createSystemGroups(tx, organizationId);
    const owner = { email: "owner@bench.test", fullName: "Olga Owner", passwordHash: null };
    const { id: ownerId } = await createFirstOwner(tx, keyring, organizationId, owner);
    const userIds = await insertPeople(tx, organizationId, fixture.people);
    if (fixture.password !== undefined) await givePassword(tx, userIds, await hashPassword(fixture.password));
    const people = await giveKeys(tx, keyring, organizationId, userIds.slice(0, fixture.keys));
    const [channelId, ...others] = await insertChannels(
      tx,
      organizationId,
      ownerId,
      1 + (fixture.channels ?? 0),
    );
    await fillProfiles(tx, organizationId, userIds, fixture.profileFields ?? 0);
    const first = await takePositions(tx, organizationId, 1);
    const bench = {
      userIds: userIds.slice(0, fixture.subscribers),
      channelIds: [channelId as ChannelId],
      each: 1,
    };
    await subscribeAll(tx, organizationId, first, bench);
    if (fixture.isStale) await keepStatistics(tx);
    if (others.length > 0 && fixture.ownChannels) {
      const positions = fixture.positions ?? 1;
      const marks = positions === 1 ? first : await takePositions(tx, organizationId, positions - 1);
      await subscribeAll(tx, organizationId, marks, {
        userIds: userIds.slice(0, fixture.ownChannelsOf),
        channelIds: others,
        each: fixture.ownChannels,
      });
    }
    return { organizationId, channelId: channelId as ChannelId, people, others, userIds };
  }, inBulk);
  const { organizationId, channelId, people, others, userIds } = filled;
  await leaveOutOfIndex(database, organizationId);
  const ids = fixture.history
    ? await writeHistory(database, organizationId, fixture.history, { channelId, others, userIds, people })
    : { firstMessageId: 0, lastMessageId: 0 };
  await indexFrom(database, organizationId, fixture.history?.isSearched ? 0 : undefined);
  if (!fixture.isStale) await analyze(database);
  return { organizationId, channelId, people, ...ids };
}

/**
 * Writes the oldest messages once more at the end of the log, as an import would. The first copy has the word
 * `loadedfirst`.
 */
export async function copyMessages(
  database: Services["database"],
  organizationId: OrganizationId,
  count: number,
): Promise<void> {
  const copy = sql`
    with log as (
      update organization_logs set head = head + ${count}::int where organization_id = ${organizationId}
      returning head - ${count}::int as base
    ), original as (
      select *, row_number() over (order by id) as n from (
        select * from messages where organization_id = ${organizationId} order by id limit ${count}
      ) oldest
    )
    insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
      rendered_content)
    select organization_id, log.base + n, recipient_id, topic_id, sender_id, client, now(), facts, content,
      rendered_content || case n when 1 then ' loadedfirst' else '' end
    from log, original`;
  await database.transaction((tx) => tx.query(copy), inBulk);
}

/** Otherwise the server would index the history while something else is measured. */
async function leaveOutOfIndex(
  database: Services["database"],
  organizationId: OrganizationId,
): Promise<void> {
  await database.query(sql`
    insert into search_cursors (organization_id, position, followed_to) values (${organizationId}, 0, ${Number.MAX_SAFE_INTEGER})
    on conflict (organization_id) do update set followed_to = excluded.followed_to`);
}

/** From that position on, or from now on. */
async function indexFrom(
  database: Services["database"],
  organizationId: OrganizationId,
  position: number | undefined,
): Promise<void> {
  await database.query(sql`
    update search_cursors c set followed_to = coalesce(${position ?? null}::bigint, l.head)
    from organization_logs l where l.organization_id = c.organization_id and c.organization_id = ${organizationId}`);
  if (position === undefined) return;
  const started = performance.now();
  // The server does the same, but with pauses.
  while (await isBehind(database, organizationId)) await indexAll(database, organizationId);
  console.log(`indexed in ${Math.round((performance.now() - started) / 1000)} s`);
}

async function isBehind(database: Services["database"], organizationId: OrganizationId): Promise<boolean> {
  return (await listBehind(database)).includes(organizationId);
}

async function insertPeople(tx: Queryable, organizationId: OrganizationId, count: number): Promise<UserId[]> {
  const rows = await tx.query<{ id: UserId }>(sql`
    insert into users (organization_id, email, full_name, role)
    select ${organizationId}, 'person' || n || '@bench.test', 'Person Number' || n, 400
    from generate_series(1, ${count}::int) as n order by n
    returning id`);
  await createNotificationBot(tx, organizationId, "bench.test");
  return rows.map(({ id }) => id);
}

async function givePassword(tx: Transaction, userIds: readonly UserId[], hash: string): Promise<void> {
  await tx.query(sql`update users set password_hash = ${hash} where id = any(${userIds}::bigint[])`);
}

async function giveKeys(
  tx: Queryable,
  keyring: Keyring,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<Person[]> {
  return Promise.all(
    userIds.map(async (id, index) => {
      const apiKey = keyring.newApiKey();
      const key = { hash: keyring.hash(apiKey), encrypted: keyring.encrypt(apiKey) };
      await upsertApiKey(tx, organizationId, id, key);
      return { id, email: `person${index + 1}@bench.test`, apiKey };
    }),
  );
}

async function insertChannels(
  tx: Queryable,
  organizationId: OrganizationId,
  creatorId: UserId,
  count: number,
): Promise<ChannelId[]> {
  const rows = await tx.query<{ id: ChannelId }>(sql`
    insert into channels (organization_id, name, description, rendered_description, creator_id)
    select ${organizationId}, case n when 0 then 'bench' else 'channel ' || n end, 'What number ' || n || ' is about.',
      '<p>What number ' || n || ' is about.</p>', ${creatorId}
    from generate_series(0, ${count}::int - 1) as n order by n
    returning id`);
  return rows.map(({ id }) => id);
}

/** Fields of short texts, in Markdown. */
async function fillProfiles(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
  count: number,
): Promise<void> {
  await tx.query(sql`
    with fields as (
      insert into profile_fields (organization_id, type, name, hint, field_data, sort_order, is_required,
        is_editable_by_user, is_in_summary)
      select ${organizationId}, 1, 'field ' || n, '', '', n, false, true, false
      from generate_series(1, ${count}::int) as n returning organization_id, id
    )
    insert into profile_field_values (organization_id, user_id, field_id, value, rendered_value)
    select organization_id, person, id, 'What number ' || person || ' says',
      '<p>What number ' || person || ' says</p>'
    from fields, unnest(${userIds}::bigint[]) as person`);
}

/** References to new positions of the log, for subscriptions from before the history. */
async function takePositions(
  tx: Transaction,
  organizationId: OrganizationId,
  count: number,
): Promise<number[]> {
  const rows = await tx.query<{ mark: number }>(sql`
    with log as (
      update organization_logs set head = head + ${count}::int where organization_id = ${organizationId} returning head
    )
    insert into log_positions (organization_id, id, position)
    select ${organizationId}, nextval('log_position_ids'), head - ${count}::int + n
    from log, generate_series(1, ${count}::int) as n
    returning id as mark`);
  return rows.map(({ mark }) => mark);
}

/** As on the first day of an organization that grows before autovacuum looks again. */
async function keepStatistics(tx: Transaction): Promise<void> {
  await tx.client.query("analyze subscriptions, log_positions");
  await tx.client.query("alter table subscriptions set (autovacuum_enabled = off)");
  await tx.client.query("alter table log_positions set (autovacuum_enabled = off)");
}

/**
 * Subscribes each person to `each` of the channels, so that all channels get about as many people. The
 * positions are taken in turn.
 */
async function subscribeAll(
  tx: Queryable,
  organizationId: OrganizationId,
  marks: readonly number[],
  { userIds, channelIds, each }: { userIds: UserId[]; channelIds: ChannelId[]; each: number },
): Promise<void> {
  await tx.query(sql`
    insert into subscriptions (organization_id, channel_id, user_id, from_position_ref)
    select ${organizationId}, (${channelIds}::bigint[])[1 + (person.number * 37 + k) % ${channelIds.length}::int],
      person.id, (${marks}::bigint[])[1 + (person.number * 37 + k) % ${marks.length}::int]
    from unnest(${userIds}::bigint[]) with ordinality as person (id, number), generate_series(1, ${each}::int) as k`);
}

async function analyze(database: Services["database"]): Promise<void> {
  // A connection without the server's time limits. This takes minutes for a million messages.
  const client = new pg.Client(database.connection);
  await client.connect();
  // Does what autovacuum would have done on a server that had run for a while.
  await client.query("vacuum analyze");
  await client.end();
}
