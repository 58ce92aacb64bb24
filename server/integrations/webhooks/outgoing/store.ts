import type { MessageId, OrganizationId, UserId } from "../../../../api/ids.ts";
import type { BatchCall, BotCall, Trigger } from "../../../messages/mentions/bot-calls.ts";
import { int4Array, int8Array, textArray } from "../../../platform/db/array.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { type Sql, sql } from "../../../platform/db/sql.ts";
import { enqueueEach } from "../../../platform/jobs/enqueue.ts";

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

/** The tables of `CallWriter.tables`: deliveries, and for each the job that makes the call. */
export function deliveriesOfBatch<I>(
  job: Parameters<typeof enqueueEach>[0],
  organizationId: (input: I) => OrganizationId,
  calls: (input: I) => readonly BatchCall[],
): Sql {
  const jobs = enqueueEach(job, {
    payload: sql`json_build_object('organizationId', delivery.organization_id, 'deliveryId', delivery.id)`,
    key: sql`delivery.id::text`,
    from: sql`delivery`,
  });
  return sql`delivery as (
    insert into webhook_deliveries (organization_id, message_id, bot_id, trigger)
    select ${organizationId}, log.base + called.ordinal, called.bot_id, called.trigger
    from log, unnest(
      ${(input: I) => int4Array(calls(input).map(({ ordinal }) => ordinal))}::int[],
      ${(input: I) => int8Array(calls(input).map(({ botId }) => botId))}::bigint[],
      ${(input: I) => textArray(calls(input).map(({ trigger }) => trigger))}::text[]
    ) as called (ordinal, bot_id, trigger)
    returning organization_id, id
  ), called as (${jobs})`;
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

/** Deletes those of all organizations that are older. */
export async function deleteOldDeliveries(db: Queryable, keptHours: number): Promise<void> {
  await db.query(sql`
    delete from webhook_deliveries where created_at < now() - make_interval(hours => ${keptHours}::int)`);
}
