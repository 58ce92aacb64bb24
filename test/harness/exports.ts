import { sql } from "../../server/platform/db/sql.ts";
import type { CastName } from "./cast.ts";
import type { Harness } from "./harness.ts";

/** An export that is done, without a file. It was asked for long ago, so it does not count against limits. */
export async function doneExport(harness: Harness, owner: CastName): Promise<number> {
  const { user, viewer } = harness.user(owner);
  const [made] = await harness.services.database.query<{ id: number }>(sql`
    insert into exports (organization_id, acting_user_id, type, status, requested_at, ended_at, progress)
    values (${viewer.state.organizationId}, ${user.id}, 1, 'done', '2020-01-01', '2020-01-01', 100)
    returning id`);
  return (made as { id: number }).id;
}
