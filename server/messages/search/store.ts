/** The word index. It may read the messages, topics and log of other modules, since it is built from them. */
import type { MessageId, OrganizationId, Position, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import { textArray } from "../../platform/db/array.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, sql } from "../../platform/db/sql.ts";
import type { Interval } from "./intervals.ts";

export interface IndexedMessage {
  organizationId: OrganizationId;
  id: MessageId;
  recipientId: RecipientId;
  topicId: TopicId | null;
  senderId: UserId;
  topic: string | null;
  renderedContent: string;
}

const messageColumns = sql`m.organization_id as "organizationId", m.id, m.recipient_id as "recipientId",
  m.topic_id as "topicId", m.sender_id as "senderId", t.name as topic, m.rendered_content as "renderedContent"`;

/** The first messages of each of these parts of logs. */
export async function listMessagesAfter(
  tx: Queryable,
  parts: readonly { organizationId: OrganizationId; after: Position; upTo: Position }[],
  limit: number,
): Promise<IndexedMessage[]> {
  return tx.query(sql`
    select ${messageColumns}
    from unnest(${parts.map((part) => part.organizationId)}::bigint[], ${parts.map(({ after }) => after)}::bigint[],
      ${parts.map(({ upTo }) => upTo)}::bigint[]) as part (organization_id, after, up_to)
    cross join lateral (
      select * from messages
      where organization_id = part.organization_id and id > part.after and id <= part.up_to
      order by id limit ${limit}
    ) m
    left join topics t on t.organization_id = m.organization_id and t.id = m.topic_id
    order by m.organization_id, m.id`);
}

/** The newest messages of an interval, newest first. */
export async function listNewestMessages(
  tx: Queryable,
  organizationId: OrganizationId,
  { from, to }: Interval,
  limit: number,
): Promise<IndexedMessage[]> {
  return tx.query(sql`
    select ${messageColumns}
    from messages m left join topics t on t.organization_id = m.organization_id and t.id = m.topic_id
    where m.organization_id = ${organizationId} and m.id >= ${from} and m.id < ${to}
    order by m.id desc limit ${limit}`);
}

export async function listMessages(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<IndexedMessage[]> {
  return tx.query(sql`
    select ${messageColumns}
    from messages m left join topics t on t.organization_id = m.organization_id and t.id = m.topic_id
    where m.organization_id = ${organizationId} and m.id = any(${ids}::bigint[])
    order by m.id`);
}

/** The messages that entries of these parts of logs changed or deleted. */
export async function listChangedIds(
  tx: Queryable,
  parts: readonly { organizationId: OrganizationId; after: Position; upTo: Position }[],
): Promise<{ organizationId: OrganizationId; id: number }[]> {
  return tx.query(sql`
    select distinct e.organization_id as "organizationId", named.id::bigint as id
    from unnest(${parts.map((part) => part.organizationId)}::bigint[], ${parts.map(({ after }) => after)}::bigint[],
      ${parts.map(({ upTo }) => upTo)}::bigint[]) as part (organization_id, after, up_to)
    join events e on e.organization_id = part.organization_id and e.position > part.after and e.position <= part.up_to
    cross join lateral jsonb_array_elements_text(coalesce(
      e.payload #> '{update,message_ids}', e.payload -> 'message_ids', jsonb_build_array(e.payload -> 'message_id')
    )) as named (id)
    where e.type in ('update_message', 'delete_message')`);
}

/**
 * For a row `m` with `words`, a text with spaces between the words. Words as written have positions and the
 * weight A; stems have neither. So a query can tell them apart.
 */
const wordsOfText = sql`strip(to_tsvector('pg_catalog.english', m.words))
  || setweight(to_tsvector('pg_catalog.simple', m.words), 'A')`;

export interface TokensRow {
  organizationId: OrganizationId;
  id: MessageId;
  /** Words with spaces between them. */
  text: string;
  /** The text of a `tsvector`. */
  terms: string;
}

export async function insertTokens(tx: Queryable, rows: readonly TokensRow[]): Promise<void> {
  const statement = sql`
    insert into search_words (organization_id, message_id, words)
    select m.organization_id, m.id,
      ${wordsOfText} || m.terms::tsvector
    from unnest(${rows.map((row) => row.organizationId)}::bigint[], ${rows.map(({ id }) => id)}::bigint[],
      ${textArray(rows.map(({ text }) => text))}::text[],
      ${textArray(rows.map(({ terms }) => terms))}::text[]) as m (organization_id, id, words, terms)
    order by m.organization_id, m.id
    on conflict (organization_id, message_id) do update set words = excluded.words`;
  await tx.query(prepare(statement));
}

/** Those of these messages that the index would find for a query. `text`: as in `TokensRow`. */
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

/** Deletes the rows of an interval, except those of the messages that exist. */
export async function deleteOtherTokens(
  tx: Queryable,
  organizationId: OrganizationId,
  { from, to }: Interval,
  existing: readonly MessageId[],
): Promise<void> {
  await tx.query(sql`
    delete from search_words
    where organization_id = ${organizationId} and message_id >= ${from} and message_id < ${to}
      and message_id <> all(${existing}::bigint[])`);
}

export interface VocabularyRow {
  organizationId: OrganizationId;
  word: string;
  parts: readonly string[];
  /** One of the messages that have the word. */
  messageId: number;
}

export async function insertVocabulary(tx: Queryable, words: readonly VocabularyRow[]): Promise<void> {
  await tx.query(sql`
    insert into search_vocabulary (organization_id, word, parts, message_id)
    select organization_id, word, parts::text[], message_id
    from unnest(${words.map((word) => word.organizationId)}::bigint[], ${textArray(words.map(({ word }) => word))}::text[],
      ${textArray(words.map(({ parts }) => `{${parts.map((part) => JSON.stringify(part)).join()}}`))}::text[],
      ${words.map(({ messageId }) => messageId)}::bigint[]) as entry (organization_id, word, parts, message_id)
    order by organization_id, word
    on conflict do nothing`);
}

/** The next words in order, and whether the message that each names still has it. */
export async function listVocabulary(
  tx: Queryable,
  organizationId: OrganizationId,
  after: string,
  limit: number,
): Promise<{ word: string; isWitnessed: boolean }[]> {
  return tx.query(sql`
    select v.word, exists (
      select from search_words w where w.organization_id = v.organization_id and w.message_id = v.message_id
        and w.words @@ quote_literal(v.word)::tsquery
    ) as "isWitnessed"
    from search_vocabulary v where v.organization_id = ${organizationId} and v.word > ${after}
    order by v.word limit ${limit}`);
}

/** The newest message that the index finds for a query. `terms` cover the log, newest first. */
export async function findNewestWith(
  tx: Queryable,
  organizationId: OrganizationId,
  query: string,
  terms: readonly string[],
): Promise<MessageId | undefined> {
  const [row] = await tx.query<{ id: MessageId }>(sql`
    select found.id from unnest(${terms}::text[]) as id_range (term) cross join lateral (
      select message_id as id from search_words
      where words @@ (${query}::tsquery && id_range.term::tsquery) and organization_id = ${organizationId}
      order by message_id desc offset 0
    ) found
    limit 1`);
  return row?.id;
}

export async function updateWitness(
  tx: Queryable,
  organizationId: OrganizationId,
  word: string,
  messageId: MessageId,
): Promise<void> {
  await tx.query(sql`
    update search_vocabulary set message_id = ${messageId}
    where organization_id = ${organizationId} and word = ${word}`);
}

/** For words that name no message yet. */
export async function insertWitnesses(
  tx: Queryable,
  organizationId: OrganizationId,
  words: readonly { word: string; messageId: MessageId }[],
): Promise<void> {
  await tx.query(sql`
    update search_vocabulary v set message_id = entry.message_id
    from unnest(${textArray(words.map(({ word }) => word))}::text[],
      ${words.map(({ messageId }) => messageId)}::bigint[]) as entry (word, message_id)
    where v.organization_id = ${organizationId} and v.word = entry.word and v.message_id is null`);
}

export async function deleteVocabulary(
  tx: Queryable,
  organizationId: OrganizationId,
  words: readonly string[],
): Promise<void> {
  await tx.query(sql`
    delete from search_vocabulary
    where organization_id = ${organizationId} and word = any(${textArray(words)}::text[])`);
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

/** How many of the words that contain a word are searched for. */
export const MAX_LONGER = 25;

/**
 * For each word: its stems, and the words that contain it, shortest first. A word that is too common has no
 * stem.
 */
export async function listForms(
  tx: Queryable,
  organizationId: OrganizationId,
  words: readonly string[],
  minPart: number,
): Promise<{ word: string; stems: string[] | null; longer: string[] }[]> {
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
