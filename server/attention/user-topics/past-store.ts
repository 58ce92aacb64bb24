import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { PastPolicy } from "./past.ts";

export async function insertPastPolicies(
  tx: Queryable,
  organizationId: OrganizationId,
  policies: readonly PastPolicy[],
): Promise<void> {
  await tx.query(sql`
    insert into topic_policies (organization_id, user_id, topic_id, policy, updated_at)
    select ${organizationId}, p.user_id, p.topic_id, p.policy, p.at
    from unnest(${policies.map(({ userId }) => userId)}::bigint[],
      ${policies.map(({ topicId }) => topicId)}::bigint[], ${policies.map(({ policy }) => policy)}::smallint[],
      ${policies.map(({ at }) => at)}::timestamptz[]) as p (user_id, topic_id, policy, at)
    on conflict do nothing`);
}
