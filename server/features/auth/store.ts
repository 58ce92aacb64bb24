import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/**
 * Counts an attempt to sign in under a name; a new window starts when the last one is over. Returns the
 * number of attempts in the window, this one included, and its remaining seconds. It is one statement, so
 * that attempts at the same time are all counted.
 */
export async function countSignInAttempt(
  tx: Queryable,
  organizationId: OrganizationId,
  username: string,
  windowSeconds: number,
): Promise<{ attempts: number; secondsLeft: number }> {
  const [row] = await tx.query<{ attempts: number; secondsLeft: number }>(sql`
    insert into sign_in_failures as f (organization_id, username, failures, window_started_at)
    values (${organizationId}, ${username}, 1, now())
    on conflict (organization_id, username) do update set
      failures = case when f.window_started_at + make_interval(secs => ${windowSeconds}) <= now()
        then 1 else least(f.failures + 1, 1000) end,
      window_started_at = case when f.window_started_at + make_interval(secs => ${windowSeconds}) <= now()
        then now() else f.window_started_at end
    returning failures as attempts,
      extract(epoch from window_started_at + make_interval(secs => ${windowSeconds}) - now())::float8 as "secondsLeft"`);
  return row as { attempts: number; secondsLeft: number };
}

export async function deleteSignInAttempts(
  tx: Queryable,
  organizationId: OrganizationId,
  username: string,
): Promise<void> {
  await tx.query(sql`
    delete from sign_in_failures where organization_id = ${organizationId} and username = ${username}`);
}

/** Deletes the counts whose window is over. */
export async function deletePastSignInAttempts(
  tx: Queryable,
  organizationId: OrganizationId,
  windowSeconds: number,
): Promise<void> {
  await tx.query(sql`
    delete from sign_in_failures where organization_id = ${organizationId}
      and window_started_at + make_interval(secs => ${windowSeconds}) <= now()`);
}
