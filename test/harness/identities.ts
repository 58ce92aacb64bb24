/** Identities of the cast at sign-in providers. */
import type { Viewer } from "../../server/people/viewer/viewer.ts";
import { sql } from "../../server/platform/db/sql.ts";
import type { Harness } from "./harness.ts";

/** A row of an identity at an issuer whom nobody asks. Gives its id. */
export async function addIdentity(
  { services: { database } }: Pick<Harness, "services">,
  { state: { organizationId }, user: { id: userId } }: Pick<Viewer, "state" | "user">,
): Promise<number> {
  const [row] = await database.query<{ id: number }>(sql`
    insert into external_identities (organization_id, issuer, subject, user_id, provider_id)
    values (${organizationId}, 'https://issuer.test', gen_random_uuid()::text, ${userId}, 'gone')
    returning id`);
  return (row as { id: number }).id;
}
