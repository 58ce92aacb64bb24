import { expireMessagesOf } from "../../server/messages/retention/expire.ts";
import { sql } from "../../server/platform/db/sql.ts";
import type { Harness } from "./harness.ts";

/** Lets the day pass for which deletion waits: the present times of all places count from now on. */
export async function endExpiryGrace({
  services,
  state,
}: Pick<Harness, "services" | "state">): Promise<void> {
  const { organizationId } = state;
  const context = { signal: new AbortController().signal, dueAt: new Date() };
  await expireMessagesOf.run(services, { organizationId }, context);
  await services.database.query(sql`
    update message_expiries set waits_until = looked_at, holds = '{}' where organization_id = ${organizationId}`);
}
