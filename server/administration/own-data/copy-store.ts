/** The copies that people asked for themselves. */
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { type MadeFile, madeFileColumns, RunStore } from "../exports/run-store.ts";

export interface OwnCopy extends MadeFile {
  userId: UserId;
}

const columns = sql`user_id as "userId", ${madeFileColumns}`;

export const ownCopies = new RunStore<OwnCopy>(sql`own_data_copies`, columns);

export async function insertOwnCopy(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<OwnCopy> {
  const [row] = await tx.query<OwnCopy>(sql`
    insert into own_data_copies (organization_id, user_id) values (${organizationId}, ${userId})
    returning ${columns}`);
  return row as OwnCopy;
}

export async function findNewestCopy(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<OwnCopy | undefined> {
  const [row] = await tx.query<OwnCopy>(sql`
    select ${columns} from own_data_copies
    where organization_id = ${organizationId} and user_id = ${userId} order by id desc limit 1`);
  return row;
}

/** How many copies a person asked for in the last day, those that failed apart. */
export async function countCopiesOfDay(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<{ made: number; failed: number; isPending: boolean }> {
  const [row] = await tx.query<{ made: number; failed: number; isPending: boolean }>(sql`
    select
      (count(*) filter (where status <> 'failed' and requested_at > now() - interval '1 day'))::int as made,
      (count(*) filter (where status = 'failed' and requested_at > now() - interval '1 day'))::int as failed,
      coalesce(bool_or(status = 'pending'), false) as "isPending"
    from own_data_copies where organization_id = ${organizationId} and user_id = ${userId}`);
  return row as { made: number; failed: number; isPending: boolean };
}

/** Ends all copies of a person. Their files are for the clean-up, which finds their keys. */
export async function endCopiesOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  await tx.query(sql`
    update own_data_copies set ended_at = now(), run_id = null,
      status = case when status = 'done' then 'deleted' else 'failed' end
    where organization_id = ${organizationId} and user_id = ${userId} and status in ('pending', 'done')`);
}

export async function listCopiesWithFile(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<{ id: number; fileKey: string }[]> {
  return tx.query(sql`
    select id, file_key as "fileKey" from own_data_copies
    where organization_id = ${organizationId} and user_id = ${userId} and file_key is not null`);
}

/** Forgets copies of all organizations that ended long ago and have no file. */
export async function deleteOldCopies(
  tx: Queryable,
  { days, limit }: { days: number; limit: number },
): Promise<void> {
  await tx.query(sql`
    delete from own_data_copies where (organization_id, id) in (
      select organization_id, id from own_data_copies
      where status in ('deleted', 'failed') and file_key is null
        and ended_at < now() - make_interval(days => ${days})
      order by ended_at limit ${limit})`);
}
