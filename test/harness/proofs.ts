/** Fresh proofs of who somebody is: how long ago they were given. */
import { sql } from "../../server/platform/db/sql.ts";
import type { Harness } from "./harness.ts";

/** Whatever was shown in any session was shown too long ago to count. */
export async function makeProofsOld({ services }: Pick<Harness, "services">): Promise<void> {
  await services.database.query(sql`
    update sessions set proved_at = now() - interval '11 minutes',
      step_proved_at = step_proved_at - interval '11 minutes'`);
}
