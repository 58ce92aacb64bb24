import type { MessageId, OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import type { Emoji } from "../../content/emoji/reference.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { FoundRow } from "../../platform/log/grouped-change.ts";
import type { FoundMessage } from "../access.ts";
import { askedColumns, askedJoins } from "../query/fetch.ts";

/** Returns false if the person has reacted with this emoji already. */
export async function insertReaction(
  tx: Queryable,
  organizationId: OrganizationId,
  reaction: Emoji & { messageId: MessageId; userId: UserId },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into reactions (organization_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
    values (${organizationId}, ${reaction.messageId}, ${reaction.userId}, ${reaction.reactionType},
      ${reaction.emojiCode}, ${reaction.emojiName})
    on conflict (organization_id, message_id, user_id, reaction_type, emoji_code) do nothing
    returning id`);
  return rows.length > 0;
}

/** Adds reactions in this order. Those that are there already stay as they are. */
export async function insertReactions(
  tx: Queryable,
  organizationId: OrganizationId,
  reactions: readonly (Emoji & { messageId: MessageId; userId: UserId })[],
): Promise<void> {
  await tx.query(sql`
    insert into reactions (organization_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
    select ${organizationId}, message_id, user_id, type, code, name
    from unnest(${reactions.map(({ messageId }) => messageId)}::bigint[], ${reactions.map(({ userId }) => userId)}::bigint[],
      ${reactions.map(({ reactionType }) => reactionType)}::text[], ${reactions.map(({ emojiCode }) => emojiCode)}::text[],
      ${reactions.map(({ emojiName }) => emojiName)}::text[]) with ordinality as r (message_id, user_id, type, code, name, number)
    order by number
    on conflict (organization_id, message_id, user_id, reaction_type, emoji_code) do nothing`);
}

/** The name under which a message already has this emoji. */
export async function findReactionName(
  tx: Queryable,
  organizationId: OrganizationId,
  messageId: MessageId,
  { reactionType, emojiCode }: Pick<Emoji, "reactionType" | "emojiCode">,
): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(sql`
    select emoji_name as name from reactions
    where organization_id = ${organizationId} and message_id = ${messageId} and reaction_type = ${reactionType}
      and emoji_code = ${emojiCode}
    order by id limit 1`);
  return row?.name;
}

/** The emoji as it was stored, if the reaction existed. */
export async function deleteReaction(
  tx: Queryable,
  organizationId: OrganizationId,
  reaction: Pick<Emoji, "reactionType" | "emojiCode"> & { messageId: MessageId; userId: UserId },
): Promise<Emoji | undefined> {
  const [row] = await tx.query<Emoji>(sql`
    delete from reactions
    where organization_id = ${organizationId} and message_id = ${reaction.messageId} and user_id = ${reaction.userId}
      and reaction_type = ${reaction.reactionType} and emoji_code = ${reaction.emojiCode}
    returning reaction_type as "reactionType", emoji_code as "emojiCode", emoji_name as "emojiName"`);
  return row;
}

/** A reaction that a person wants to add to a message, or to remove. */
export interface AskedReaction extends Pick<Emoji, "reactionType" | "emojiCode"> {
  userId: UserId;
  messageId: number;
}

export type FoundReaction = FoundMessage &
  FoundRow & {
    topicId: TopicId | null;
    /** The name under which the message already has this emoji. */
    joinedName: string | null;
    /** The person's own reaction with it. */
    ownId: number | null;
    ownName: string | null;
    /** The people with flags on the message. null for all requests of a message but the first. */
    flaggedIds: UserId[] | null;
  };

/** The messages with what decides about these reactions. */
export function findReactions(organizationId: OrganizationId, asked: readonly AskedReaction[]): Sql {
  const firsts = new Map<number, number>();
  asked.forEach(({ messageId }, index) => {
    if (!firsts.has(messageId)) firsts.set(messageId, index);
  });
  const areFirst = asked.map(({ messageId }, index) => firsts.get(messageId) === index);
  const same = sql`
    from reactions
    where organization_id = ${organizationId} and message_id = asked.id and reaction_type = asked.reaction_type
      and emoji_code = asked.emoji_code`;
  return prepare(sql`
    with asked as materialized (
      select ordinality::int - 1 as number, user_id, id, reaction_type, emoji_code, is_first
      from unnest(${asked.map(({ userId }) => userId)}::bigint[], ${asked.map(({ messageId }) => messageId)}::bigint[],
        ${asked.map(({ reactionType }) => reactionType)}::text[], ${asked.map(({ emojiCode }) => emojiCode)}::text[],
        ${areFirst}::boolean[])
        with ordinality as asked (user_id, id, reaction_type, emoji_code, is_first, ordinality)
    )
    select asked.number, ${askedColumns}, m.topic_id as "topicId", joined.emoji_name as "joinedName",
      own.id as "ownId", own.emoji_name as "ownName",
      case when asked.is_first then array(
        select distinct user_id from message_flags
        where organization_id = ${organizationId} and message_id = asked.id
      ) end as "flaggedIds"
    from asked ${askedJoins(organizationId)}
    left join lateral (select emoji_name ${same} order by id limit 1) joined on true
    left join lateral (select id, emoji_name ${same} and user_id = asked.user_id offset 0) own on true`);
}

/** A reaction to add, or one of this id to remove. */
export type ReactionWrite =
  | { adds: Emoji & { messageId: MessageId; userId: UserId } }
  | { removes: { messageId: MessageId; id: number } };

/** Adds reactions in this order, and removes others. The turn to add to the messages must be held. */
export function writeReactions(organizationId: OrganizationId, writes: readonly ReactionWrite[]): Sql {
  const added = writes.flatMap((write) => ("adds" in write ? [write.adds] : []));
  const removed = writes.flatMap((write) => ("removes" in write ? [write.removes] : []));
  return prepare(sql`
    with removed as (
      delete from reactions
      where organization_id = ${organizationId} and message_id = any(${removed.map(({ messageId }) => messageId)}::bigint[])
        and id = any(${removed.map(({ id }) => id)}::bigint[])
    )
    insert into reactions (organization_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
    select ${organizationId}, message_id, user_id, type, code, name
    from unnest(${added.map(({ messageId }) => messageId)}::bigint[], ${added.map(({ userId }) => userId)}::bigint[],
      ${added.map(({ reactionType }) => reactionType)}::text[], ${added.map(({ emojiCode }) => emojiCode)}::text[],
      ${added.map(({ emojiName }) => emojiName)}::text[]) with ordinality as r (message_id, user_id, type, code, name, number)
    order by number`);
}
