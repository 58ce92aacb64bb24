import { EMPTY_TOPIC_DISPLAY_NAME } from "../../api/channels/topic-name.ts";
import type { ChannelId, OrganizationId, UserId } from "../../api/ids.ts";
import { createRenderer } from "../../markdown/render.ts";
import type { Database, Queryable } from "../../server/platform/db/database.ts";
import { joinSql, sql } from "../../server/platform/db/sql.ts";
import type { History, Person } from "./fixture.ts";
import { makeMessages } from "./messages.ts";

/** For statements that take longer than the server allows its own changes. */
export const inBulk = { lane: "background" } as const;

const BENCH_TOPICS = 200;
const TOPICS_A_CHANNEL = 5;
const AT_A_TIME = 50_000;
/** Messages are spread in turn over slots: places in channels' topics. */
const SLOTS = 2200;

interface Cast {
  channelId: ChannelId;
  others: readonly ChannelId[];
  userIds: readonly UserId[];
  people: readonly Person[];
}

/**
 * A word that occurs in one of this many messages. Every message also has a unique word, `own` and a
 * number.
 */
export const frequencies = { tenth: 10, hundredth: 100, thousandth: 1000, rarity: 10_000 };

/** Writes messages and, for people with an API key, their read states. */
export async function writeHistory(
  database: Database,
  organizationId: OrganizationId,
  history: History,
  cast: Cast,
): Promise<{ firstMessageId: number; lastMessageId: number }> {
  const slots = await makeSlots(database, organizationId, history, cast);
  const texts = makeTexts();
  const first = await readHead(database, organizationId);
  for (let written = 0; written < history.messages; written += AT_A_TIME) {
    const count = Math.min(AT_A_TIME, history.messages - written);
    await database.transaction(
      (tx) =>
        insertMessages(tx, organizationId, { slots, texts, userIds: cast.userIds, written, count, history }),
      inBulk,
    );
  }
  const last = first + history.messages;
  await insertReadStates(database, organizationId, history, { first, last, people: cast.people });
  return { firstMessageId: first + 1, lastMessageId: last };
}

interface Slots {
  channelIds: ChannelId[];
  topicIds: number[];
}

async function makeSlots(
  database: Database,
  organizationId: OrganizationId,
  { benchShare, benchTopics = BENCH_TOPICS }: History,
  { channelId, others }: Cast,
): Promise<Slots> {
  const topicsOf = async (ids: readonly ChannelId[], each: number) =>
    database.query<{ id: number; channelId: ChannelId }>(sql`
      insert into topics (organization_id, channel_id, name)
      select ${organizationId}, channel_id, 'topic ' || n
      from unnest(${ids}::bigint[]) as channel_id, generate_series(1, ${each}::int) as n order by n, channel_id
      returning id, channel_id as "channelId"`);
  const bench = await topicsOf([channelId], benchTopics);
  const rest = others.length > 0 ? await topicsOf(others, TOPICS_A_CHANNEL) : bench;
  const count = Math.max(SLOTS, rest.length);
  const chosen = Array.from({ length: count }, (_, index) => {
    const topics = index % 11 < benchShare ? bench : rest;
    return topics[index % topics.length] as (typeof bench)[number];
  });
  return { channelIds: chosen.map((each) => each.channelId), topicIds: chosen.map(({ id }) => id) };
}

function makeTexts(): { contents: string[]; htmls: string[] } {
  const renderer = createRenderer();
  const contents = makeMessages(1500);
  const lookups = {
    userByName: () => [],
    userById: () => undefined,
    groupByName: () => undefined,
    channelByName: () => undefined,
    emptyTopicName: EMPTY_TOPIC_DISPLAY_NAME,
    baseUrl: "",
    inlinePreviews: false,
  };
  return { contents, htmls: contents.map((content) => renderer.render(content, lookups).html) };
}

async function readHead(database: Database, organizationId: OrganizationId): Promise<number> {
  const [row] = await database.query<{ head: number }>(
    sql`select head from organization_logs where organization_id = ${organizationId}`,
  );
  return (row as { head: number }).head;
}

async function insertMessages(
  tx: Queryable,
  organizationId: OrganizationId,
  {
    slots,
    texts,
    userIds,
    written,
    count,
    history,
  }: {
    slots: Slots;
    texts: { contents: string[]; htmls: string[] };
    userIds: readonly UserId[];
    written: number;
    count: number;
    history: History;
  },
): Promise<void> {
  const rare = Object.entries(frequencies).map(
    ([word, one]) =>
      sql`case when hashint4(${written}::int + n) % ${one}::int = 0 then ${` ${word}`} else '' end`,
  );
  const more = history.isSearched
    ? sql`${joinSql(rare, " || ")} || ' own' || (${written}::int + n)`
    : sql`''`;
  await tx.query(sql`
    with log as (
      update organization_logs set head = head + ${count}::int where organization_id = ${organizationId}
      returning head - ${count}::int as base
    ), slot as (
      select * from unnest(${slots.channelIds}::bigint[], ${slots.topicIds}::bigint[])
        with ordinality as slot (channel_id, topic_id, number)
    ), words as (
      select * from unnest(${texts.contents}::text[], ${texts.htmls}::text[])
        with ordinality as words (content, html, number)
    )
    insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
      rendered_content)
    select ${organizationId}, log.base + n, slot.channel_id, slot.topic_id,
      (${userIds}::bigint[])[1 + n * 7 % ${userIds.length}::int], 'website',
      now() - make_interval(days => 400) + make_interval(secs => ${written}::int + n), 0, words.content, words.html || ${more}
    from log, generate_series(1, ${count}::int) as n
    join slot on slot.number = 1 + (${written}::bigint + n) % ${slots.topicIds.length}::int
    join words on words.number = 1 + (${written}::bigint + n) * 13 % ${texts.contents.length}::int
    order by n`);
}

/** The same ranges in every channel: each is read at its beginning and unread at its end. */
async function insertReadStates(
  database: Database,
  organizationId: OrganizationId,
  { readStretches, unreadShare }: History,
  { first, last, people }: { first: number; last: number; people: readonly Person[] },
): Promise<void> {
  const length = (last - first) / readStretches;
  const ranges = Array.from({ length: readStretches }, (_, index) => {
    const from = Math.floor(first + index * length);
    return `[${index === 0 ? 0 : from},${Math.floor(from + length * (1 - unreadShare))})`;
  });
  const statement = sql`
    insert into read_states (organization_id, user_id, recipient_id, ranges)
    select organization_id, user_id, channel_id, ${`{${ranges.join()}}`}::int8multirange
    from subscriptions
    where organization_id = ${organizationId} and user_id = any(${people.map(({ id }) => id)}::bigint[])`;
  await database.transaction((tx) => tx.query(statement), inBulk);
}
