/** Passkeys of the cast. */
import type { Viewer } from "../../server/people/viewer/viewer.ts";
import { sql } from "../../server/platform/db/sql.ts";
import type { Harness } from "./harness.ts";

/** A row of a passkey, by which nobody can sign in. Gives its id. */
export async function addPasskey(
  { services: { database } }: Pick<Harness, "services">,
  { state: { organizationId }, user: { id: userId } }: Pick<Viewer, "state" | "user">,
): Promise<number> {
  const [row] = await database.query<{ id: number }>(sql`
    insert into passkeys (organization_id, user_id, credential_id, public_key, counter, transports, name)
    values (${organizationId}, ${userId}, gen_random_uuid()::text, ${Buffer.from("no key")}, 0, '{}', 'Laptop')
    returning id`);
  return (row as { id: number }).id;
}
