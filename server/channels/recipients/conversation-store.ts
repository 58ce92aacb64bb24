import type { ConversationId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Database, Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";

/**
 * The conversation of exactly these people, sorted by id. It is created if it is new. The transaction holds
 * the new row until it ends, so use it only if nobody else can know all of these people yet.
 */
export async function findOrInsertConversation(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<ConversationId> {
  const known = await findConversation(tx, organizationId, userIds);
  if (known !== undefined) return known;
  await tx.query(conversationInsert(organizationId, userIds));
  return (await findConversation(tx, organizationId, userIds)) as ConversationId;
}

/**
 * Like `findOrInsertConversation`, and a new conversation is committed at once. The insert has to wait where
 * another transaction is making the same one. So it takes a connection of its own, on which nobody else
 * waits.
 */
export async function findOrCommitConversation(
  database: Database,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<ConversationId> {
  const known = await findConversation(database, organizationId, userIds);
  if (known !== undefined) return known;
  const lead = [conversationInsert(organizationId, userIds), conversationStatement(organizationId, userIds)];
  return database.transaction(async (_tx, [, made]) => (made as [{ id: ConversationId }])[0].id, {
    lane: "places",
    lead,
  });
}

function conversationInsert(organizationId: OrganizationId, userIds: readonly UserId[]): Sql {
  return sql`
    with made as (
      insert into conversations (organization_id, user_ids) values (${organizationId}, ${userIds})
      on conflict do nothing returning id
    )
    insert into conversation_members (organization_id, user_id, conversation_id)
    select ${organizationId}, user_id, made.id from made, unnest(${userIds}::bigint[]) as user_id`;
}

function conversationStatement(organizationId: OrganizationId, userIds: readonly UserId[]): Sql {
  return sql`
    select id from conversations where organization_id = ${organizationId} and user_ids = ${userIds}::bigint[]`;
}

export async function findConversation(
  db: Queryable,
  organizationId: OrganizationId,
  userIds: readonly UserId[],
): Promise<ConversationId | undefined> {
  const [row] = await db.query<{ id: ConversationId }>(conversationStatement(organizationId, userIds));
  return row?.id;
}
