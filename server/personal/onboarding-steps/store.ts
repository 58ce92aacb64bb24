import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** Returns false if the person has seen the step before. */
export async function insertSeenStep(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  name: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into seen_onboarding_steps (organization_id, user_id, name)
    values (${organizationId}, ${userId}, ${name})
    on conflict (organization_id, user_id, name) do nothing returning 1`);
  return rows.length > 0;
}

export async function listSeenSteps(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(sql`
    select name from seen_onboarding_steps where organization_id = ${organizationId} and user_id = ${userId}`);
  return rows.map(({ name }) => name);
}
