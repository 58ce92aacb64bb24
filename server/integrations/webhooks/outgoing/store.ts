import type { MessageId, OrganizationId, UserId } from "../../../../api/ids.ts";
import type { BotCall, Trigger } from "../../../messages/mentions/bot-calls.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";

/** A message with which the server is to call a bot's program. */
export interface Delivery {
  id: number;
  botId: UserId;
  messageId: MessageId;
  trigger: Trigger;
  /** Calls that have begun. */
  tries: number;
  createdAt: Date;
}

const columns = sql`id, bot_id as "botId", message_id as "messageId", trigger, tries, created_at as "createdAt"`;

export async function insertDeliveries(
  tx: Queryable,
  organizationId: OrganizationId,
  messageId: MessageId,
  calls: readonly BotCall[],
): Promise<number[]> {
  const botIds = calls.map(({ botId }) => botId);
  const triggers = calls.map(({ trigger }) => trigger);
  const rows = await tx.query<{ id: number }>(sql`
    insert into webhook_deliveries (organization_id, message_id, bot_id, trigger)
    select ${organizationId}, ${messageId}, bot_id, trigger
    from unnest(${botIds}::bigint[], ${triggers}::text[]) as called (bot_id, trigger)
    returning id`);
  return rows.map(({ id }) => id);
}

/** LOCK: the row, to the end of the transaction, so that a delivery is finished once. */
export async function lockDelivery(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<Delivery | undefined> {
  const [row] = await tx.query<Delivery>(sql`
    select ${columns} from webhook_deliveries
    where organization_id = ${organizationId} and id = ${id} for update`);
  return row;
}

/** Counts a call that begins, or takes back that it was counted. */
export async function updateTries(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
  tries: number,
): Promise<void> {
  await tx.query(sql`
    update webhook_deliveries set tries = ${tries} where organization_id = ${organizationId} and id = ${id}`);
}

export async function deleteDelivery(
  tx: Queryable,
  organizationId: OrganizationId,
  id: number,
): Promise<void> {
  await tx.query(
    sql`delete from webhook_deliveries where organization_id = ${organizationId} and id = ${id}`,
  );
}
