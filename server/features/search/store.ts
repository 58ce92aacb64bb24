/** The word index. It may read the messages, topics and log of other modules, since it is built from them. */
import type { MessageId, OrganizationId, Position, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import { textArray } from "../../platform/db/array.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, sql } from "../../platform/db/sql.ts";

export interface IndexedMessage {
  id: MessageId;
  recipientId: RecipientId;
  topicId: TopicId | null;
  senderId: UserId;
  topic: string | null;
  renderedContent: string;
}

/** The organizations that may have messages to index. */
export async function listBehind(db: Queryable): Promise<OrganizationId[]> {
  const rows = await db.query<{ id: OrganizationId }>(sql`
    select l.organization_id as id from organization_logs l
    left join search_cursors c on c.organization_id = l.organization_id
    where c.position is null or c.position < l.head`);
  return rows.map(({ id }) => id);
}

/** The positions of the index and of the end of the log. */
export async function findProgress(
  db: Queryable,
  organizationId: OrganizationId,
): Promise<{ position: Position; head: Position }> {
  const [row] = await db.query<{ position: Position; head: Position }>(sql`
    select coalesce(c.position, 0) as position, l.head from organization_logs l
    left join search_cursors c on c.organization_id = l.organization_id
    where l.organization_id = ${organizationId}`);
  return row as { position: Position; head: Position };
}

/** Returns false if the cursor exists already. */
export async function insertCursor(tx: Queryable, organizationId: OrganizationId): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into search_cursors (organization_id, position) values (${organizationId}, 0) on conflict do nothing
    returning position`);
  return rows.length > 0;
}

/**
 * Like `findProgress`, with a lock. LOCK: the cursor, to the end of the transaction. Returns undefined when
 * another transaction holds it.
 */
export async function lockCursor(
  tx: Queryable,
  organizationId: OrganizationId,
): Promise<{ position: Position; head: Position } | undefined> {
  const [row] = await tx.query<{ position: Position; head: Position }>(sql`
    select c.position, l.head from search_cursors c
    join organization_logs l on l.organization_id = c.organization_id
    where c.organization_id = ${organizationId} for update of c skip locked`);
  return row;
}

export async function updateCursor(
  tx: Queryable,
  organizationId: OrganizationId,
  position: Position,
): Promise<void> {
  await tx.query(sql`
    update search_cursors set position = ${position} where organization_id = ${organizationId}`);
}

export async function listMessagesAfter(
  tx: Queryable,
  organizationId: OrganizationId,
  { after, upTo, limit }: { after: Position; upTo: Position; limit: number },
): Promise<IndexedMessage[]> {
  return tx.query(sql`
    select m.id, m.recipient_id as "recipientId", m.topic_id as "topicId", m.sender_id as "senderId", t.name as topic,
      m.rendered_content as "renderedContent"
    from messages m left join topics t on t.organization_id = m.organization_id and t.id = m.topic_id
    where m.organization_id = ${organizationId} and m.id > ${after} and m.id <= ${upTo}
    order by m.id limit ${limit}`);
}

export async function listMessages(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<IndexedMessage[]> {
  return tx.query(sql`
    select m.id, m.recipient_id as "recipientId", m.topic_id as "topicId", m.sender_id as "senderId", t.name as topic,
      m.rendered_content as "renderedContent"
    from messages m left join topics t on t.organization_id = m.organization_id and t.id = m.topic_id
    where m.organization_id = ${organizationId} and m.id = any(${ids}::bigint[])
    order by m.id`);
}

/** The messages that log entries in this range changed or deleted. */
export async function listChangedIds(
  tx: Queryable,
  organizationId: OrganizationId,
  { after, upTo }: { after: Position; upTo: Position },
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    select distinct named.id::bigint as id
    from events e cross join lateral jsonb_array_elements_text(coalesce(
      e.payload #> '{update,message_ids}', e.payload -> 'message_ids', jsonb_build_array(e.payload -> 'message_id')
    )) as named (id)
    where e.organization_id = ${organizationId} and e.position > ${after} and e.position <= ${upTo}
      and e.type in ('update_message', 'delete_message')`);
  return rows.map(({ id }) => id);
}

/**
 * For a row `m` with `words`, a text with spaces between the words. Words as written have positions and the
 * weight A; stems have neither. So a query can tell them apart.
 */
const wordsOfText = sql`strip(to_tsvector('pg_catalog.english', m.words))
  || setweight(to_tsvector('pg_catalog.simple', m.words), 'A')`;

/** `text`: words with spaces between them. `terms`: the text of a `tsvector`. */
export async function insertTokens(
  tx: Queryable,
  organizationId: OrganizationId,
  rows: readonly { id: MessageId; text: string; terms: string }[],
): Promise<void> {
  const statement = sql`
    insert into search_words (organization_id, message_id, words)
    select ${organizationId}, m.id,
      ${wordsOfText} || m.terms::tsvector
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${textArray(rows.map(({ text }) => text))}::text[],
      ${textArray(rows.map(({ terms }) => terms))}::text[]) as m (id, words, terms)
    order by m.id
    on conflict (organization_id, message_id) do update set words = excluded.words`;
  await tx.query(prepare(statement));
}

/** Those of these messages that the index finds for a query, newest first. Each is looked up by its id. */
export async function listIndexedAs(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly number[],
  query: string,
): Promise<MessageId[]> {
  const rows = await tx.query<{ id: MessageId }>(sql`
    select changed.id from unnest(${ids}::bigint[]) as changed (id) cross join lateral (
      select words from search_words where organization_id = ${organizationId} and message_id = changed.id offset 0
    ) w
    where w.words @@ ${query}::tsquery
    order by changed.id desc`);
  return rows.map(({ id }) => id);
}

/** Those of these messages that the index would find for a query. `text`: as in `insertTokens`. */
export async function listMatching(
  tx: Queryable,
  messages: readonly { id: MessageId; text: string }[],
  query: string,
): Promise<MessageId[]> {
  const rows = await tx.query<{ id: MessageId }>(sql`
    select m.id from unnest(${messages.map(({ id }) => id)}::bigint[],
      ${textArray(messages.map(({ text }) => text))}::text[]) as m (id, words)
    where (${wordsOfText}) @@ ${query}::tsquery`);
  return rows.map(({ id }) => id);
}

export async function deleteTokens(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<void> {
  await tx.query(sql`
    delete from search_words where organization_id = ${organizationId} and message_id = any(${ids}::bigint[])`);
}

export async function insertVocabulary(
  tx: Queryable,
  organizationId: OrganizationId,
  words: readonly { word: string; parts: readonly string[] }[],
): Promise<void> {
  await tx.query(sql`
    insert into search_vocabulary (organization_id, word, parts)
    select ${organizationId}, word, parts::text[]
    from unnest(${textArray(words.map(({ word }) => word))}::text[],
      ${textArray(words.map(({ parts }) => `{${parts.map((part) => JSON.stringify(part)).join()}}`))}::text[]) as entry (word, parts)
    order by word
    on conflict do nothing`);
}

/**
 * Moves recently written rows into the main part of the indexes, so that a search need not read a list of
 * them.
 */
export async function tidyIndexes(tx: Queryable): Promise<void> {
  await tx.query(sql`
    select gin_clean_pending_list('search_words_by_word'::regclass),
      gin_clean_pending_list('search_vocabulary_by_part'::regclass)`);
}

const MAX_LONGER = 25;

/**
 * For each word: its stems, and the words that contain it, shortest first. A word that is too common has no
 * stem.
 */
export async function listForms(
  tx: Queryable,
  organizationId: OrganizationId,
  words: readonly string[],
  minPart: number,
): Promise<{ word: string; stems: string[]; longer: string[] }[]> {
  if (words.length === 0) return [];
  return tx.query(sql`
    select w.word, ts_lexize('pg_catalog.english_stem', w.word) as stems,
      case when length(w.word) < ${minPart}::int then '{}' else array(
        select v.word from search_vocabulary v
        where v.organization_id = ${organizationId} and v.word like '%' || w.word || '%'
          and v.parts @> array(select substr(w.word, n, 3) from generate_series(1, length(w.word) - 2) as n)
        order by length(v.word), v.word limit ${MAX_LONGER}
      ) end as longer
    from unnest(${words}::text[]) as w (word)`);
}

export async function listStems(tx: Queryable, words: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ stem: string }>(sql`
    select distinct unnest(ts_lexize('pg_catalog.english_stem', word)) as stem from unnest(${words}::text[]) as word`);
  return rows.map(({ stem }) => stem);
}

/** Those of these words that have one of the stems. */
export async function listStemmed(
  tx: Queryable,
  words: readonly string[],
  stems: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ word: string }>(sql`
    select word from unnest(${words}::text[]) as word
    where ts_lexize('pg_catalog.english_stem', word) && ${stems}::text[]`);
  return rows.map(({ word }) => word);
}
