import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { PersonalRows } from "../../platform/db/personal-rows.ts";
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

/** The steps that a person has seen. */
export const seenSteps = new PersonalRows<{ name: string }>(
  (organizationId, userId) => sql`
    select name from seen_onboarding_steps where organization_id = ${organizationId} and user_id = ${userId}`,
);
