import type { ExportType } from "../../../api/administration/exports.ts";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { type MadeFile, madeFileColumns, RunStore } from "./run-store.ts";

export interface Export extends MadeFile {
  actingUserId: UserId;
  type: ExportType;
}

const columns = sql`acting_user_id as "actingUserId", type, ${madeFileColumns}`;

export const exportRuns = new RunStore<Export>(sql`exports`, columns);

export async function insertExport(
  tx: Queryable,
  organizationId: OrganizationId,
  { actingUserId, type }: Pick<Export, "actingUserId" | "type">,
): Promise<Export> {
  const [row] = await tx.query<Export>(sql`
    insert into exports (organization_id, acting_user_id, type)
    values (${organizationId}, ${actingUserId}, ${type})
    returning ${columns}`);
  return row as Export;
}

/** The newest exports, the oldest of them first. */
export async function listExports(
  tx: Queryable,
  organizationId: OrganizationId,
  limit: number,
): Promise<Export[]> {
  const rows = await tx.query<Export>(sql`
    select ${columns} from exports where organization_id = ${organizationId} order by id desc limit ${limit}`);
  return rows.reverse();
}

/** How many exports were asked for in the last days, and whether one of all is pending. */
export async function countRecentExports(
  tx: Queryable,
  organizationId: OrganizationId,
  days: number,
): Promise<{ count: number; isPending: boolean }> {
  const [row] = await tx.query<{ count: number; isPending: boolean }>(sql`
    select count(*) filter (where requested_at > now() - make_interval(days => ${days}))::int as count,
      coalesce(bool_or(status = 'pending'), false) as "isPending"
    from exports where organization_id = ${organizationId}`);
  return row as { count: number; isPending: boolean };
}
