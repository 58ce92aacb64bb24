/**
 * The columns of a message, listed once. The type of a row, the values that a send writes and the texts of
 * the statements follow from this list. So a new column is one line here, and one in `messageOf` if log
 * entries carry it.
 */
import type { GroupId, MessageId, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import { int4Array, int8Array, textArray } from "../../platform/db/array.ts";
import { joinSql, Sql, sql } from "../../platform/db/sql.ts";

/**
 * How values are bound: as an array of type `parameter`, with each element cast to `name` if the two differ.
 */
interface SqlType<T> {
  name: string;
  parameter: string;
  encode(values: readonly T[]): Buffer;
}

const bigint: SqlType<number | null> = { name: "bigint", parameter: "bigint", encode: int8Array };
const int: SqlType<number> = { name: "int", parameter: "int", encode: int4Array };
const text: SqlType<string | null> = { name: "text", parameter: "text", encode: textArray };
const uuid: SqlType<string | null> = { name: "uuid", parameter: "text", encode: textArray };
const bigints: SqlType<readonly number[] | null> = {
  name: "bigint[]",
  parameter: "text",
  encode: (lists) => textArray(lists.map((list) => list && `{${list.join()}}`)),
};

interface Column<T> {
  /** In the tables `messages m` and `topics t`. */
  source: string;
  /** Whether it is a text of any length. Listings that don't need such texts leave them out. */
  isLong: boolean;
  /** Never set: it only carries the type of the field. */
  value?: T;
}

/** A column that a send gives a value. */
interface SentColumn<T> extends Column<T> {
  name: string;
  type: SqlType<T>;
  /**
   * Each column has a function of its own: a shared function with the field's name as a parameter would be
   * slow on the send path.
   */
  read(row: never): T;
}

function sent<Row, T>(
  name: string,
  type: SqlType<NoInfer<T>>,
  read: (row: Row) => T,
  isLong = false,
): SentColumn<T> {
  return { source: `m.${name}`, name, type, read, isLong };
}

/** A column that is filled by the log or from another table, or that is null until the message changes. */
function other<T>(source: string): Column<T> {
  return { source, isLong: false };
}

const columns = {
  id: other<MessageId>("m.id"),
  recipientId: sent("recipient_id", bigint, (row: { recipientId: RecipientId }) => row.recipientId),
  topicId: sent("topic_id", bigint, (row: { topicId: TopicId | null }) => row.topicId),
  topic: other<string | null>("t.name"),
  senderId: sent("sender_id", bigint, (row: { senderId: UserId }) => row.senderId),
  client: sent("client", text, (row: { client: string }) => row.client),
  sentAt: other<Date>("m.sent_at"),
  facts: sent("facts", int, (row: { facts: number }) => row.facts),
  content: sent("content", text, (row: { content: string }) => row.content, true),
  renderedContent: sent(
    "rendered_content",
    text,
    (row: { renderedContent: string }) => row.renderedContent,
    true,
  ),
  mentionedGroupIds: sent(
    "mentioned_group_ids",
    bigints,
    (row: { mentionedGroupIds: GroupId[] | null }) => row.mentionedGroupIds,
  ),
  mentionedGroupPositions: other<number[] | null>("m.mentioned_group_positions"),
  localQueueId: sent("local_queue_id", uuid, (row: { localQueueId: string | null }) => row.localQueueId),
  localId: sent("local_id", text, (row: { localId: string | null }) => row.localId),
  editedAt: other<Date | null>("m.edited_at"),
  movedAt: other<Date | null>("m.moved_at"),
};

type Columns = typeof columns;
export type MessageField = keyof Columns;
type SentField = { [K in MessageField]: Columns[K] extends { type: object } ? K : never }[MessageField];
type ValueOf<C> = C extends Column<infer T> ? T : never;

/** A message as it is stored, with the name of its topic. */
export type MessageRow = { [K in MessageField]: ValueOf<Columns[K]> };
/** The fields of a message that a send provides. */
export type SentRow = Pick<MessageRow, SentField>;

const fields = Object.keys(columns) as MessageField[];
const sentFields = fields.filter((field): field is SentField => "type" in columns[field]);

/** For `select ${selectColumns(…)} from messages m ${topicJoin}`. */
export function selectColumns(selected: readonly MessageField[]): Sql {
  return fixed(selected.map((field) => `${columns[field].source} as "${field}"`).join(", "));
}

const longFields = fields.filter((field) => columns[field].isLong);

export const messageColumns: Sql = selectColumns(fields);
/** All columns except the long texts. */
export const shortColumns: Sql = selectColumns(fields.filter((field) => !columns[field].isLong));

/** The texts, null where the condition does not hold. */
export function longColumnsWhere(condition: Sql): Sql {
  const each = longFields.map(
    (field) => sql`case when ${condition} then ${fixed(`${columns[field].source} end as "${field}"`)}`,
  );
  return joinSql(each, ", ");
}

export const topicJoin: Sql = sql`left join topics t on t.organization_id = m.organization_id and t.id = m.topic_id`;

/** The names of the columns that a send gives values, for the head of an `insert`. */
export const sentNames: Sql = fixed(sentFields.map((field) => columns[field].name).join(", "));

/** The values of these columns in `sentTable`. */
export const sentValues: Sql = fixed(
  sentFields
    .map((field) => columns[field])
    .map(({ name, type }) => `m.${name}${type.name === type.parameter ? "" : `::${type.name}`}`)
    .join(", "),
);

/**
 * The table `m` of the sent messages, with one array per column, for `compiled`. `ordinality` counts from 1.
 */
export function sentTable<Input>(messagesOf: (input: Input) => readonly SentRow[]): Sql {
  const arrays = sentFields.map((field) => {
    const { type, read } = columns[field] as SentColumn<unknown>;
    const { encode, parameter } = type;
    const value = (input: Input) => encode(messagesOf(input).map(read as (row: SentRow) => unknown));
    return sql`${value}::${fixed(`${parameter}[]`)}`;
  });
  return sql`unnest(${joinSql(arrays, ", ")}) with ordinality as m (${sentNames}, ordinality)`;
}

/** Makes SQL from text that is part of the program. */
function fixed(text: string): Sql {
  return new Sql(text, [], undefined);
}
