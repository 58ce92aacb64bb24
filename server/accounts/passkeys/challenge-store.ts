import type { OrganizationId } from "../../../api/ids.ts";
import { PASSKEY_CHALLENGE_MINUTES } from "../../../api/limits.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

export interface Challenge {
  purpose: "registration" | "sign-in";
  /** The keyed hash of what the browser shows again. */
  browserHash: Buffer;
  challenge: string;
}

/** A browser has one challenge for each purpose: the newest. */
export async function insertChallenge(
  tx: Queryable,
  organizationId: OrganizationId,
  { purpose, browserHash, challenge }: Challenge,
): Promise<void> {
  await tx.query(sql`
    with earlier as (
      delete from passkey_challenges
      where organization_id = ${organizationId} and browser_hash = ${browserHash} and purpose = ${purpose}
    )
    insert into passkey_challenges (organization_id, challenge, purpose, browser_hash, expires_at)
    values (${organizationId}, ${challenge}, ${purpose}, ${browserHash},
      now() + make_interval(mins => ${PASSKEY_CHALLENGE_MINUTES}))`);
}

/** Uses a challenge up. Only one of several answers at once gets true. */
export async function deleteChallenge(
  tx: Queryable,
  organizationId: OrganizationId,
  { purpose, browserHash, challenge }: Challenge,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from passkey_challenges
    where organization_id = ${organizationId} and challenge = ${challenge} and purpose = ${purpose}
      and browser_hash = ${browserHash} and expires_at > now()
    returning 1`);
  return rows.length > 0;
}

export async function deleteExpiredChallenges(db: Queryable): Promise<void> {
  await db.query(sql`delete from passkey_challenges where expires_at <= now()`);
}
