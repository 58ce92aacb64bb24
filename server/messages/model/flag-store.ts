import type { MessageId, OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export async function shareMessageRows(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly number[],
): Promise<void> {
  await tx.query(sql`
    select from messages where organization_id = ${organizationId} and id = any(${ids}::bigint[])
    order by id for key share`);
}

/** The caller must prevent the deletion of the messages (`lockMessagesAgainstChange`). */
export async function insertFlags(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly MessageId[],
  bit: number,
): Promise<void> {
  await tx.query(sql`
    insert into message_flags (organization_id, user_id, message_id, flags)
    select ${organizationId}, ${userId}, id, ${bit} from unnest(${ids}::bigint[]) as id order by id
    on conflict (organization_id, user_id, message_id) do update set flags = message_flags.flags | excluded.flags`);
}

export async function deleteFlags(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly MessageId[],
  bit: number,
): Promise<void> {
  const rows = sql`organization_id = ${organizationId} and user_id = ${userId} and message_id = any(${ids}::bigint[])`;
  // LOCK: the rows, in the order in which insertFlags takes them.
  await tx.query(sql`select from message_flags where ${rows} order by message_id for update`);
  await tx.query(sql`delete from message_flags where ${rows} and flags = ${bit}::int`);
  await tx.query(sql`update message_flags set flags = flags & ~${bit}::int where ${rows}`);
}
