import type { MessageId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Emoji } from "../../content/emoji/reference.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

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
