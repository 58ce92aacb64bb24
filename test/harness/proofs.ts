/** Fresh proofs of who somebody is: what shows it, and how long ago it was shown. */
import type { Endpoint } from "../../api/endpoint.ts";
import { rulesFor } from "../../api/proof.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { CAST_PASSWORD } from "./cast.ts";
import type { Harness } from "./harness.ts";

/** Whatever was shown in any session was shown too long ago to count. */
export async function makeProofsOld({ services }: Pick<Harness, "services">): Promise<void> {
  await services.database.query(sql`
    update sessions set proved_at = now() - interval '11 minutes',
      step_proved_at = step_proved_at - interval '11 minutes'`);
}

/** The parameters of a call by somebody of the cast, who shows their password where nothing less will do. */
export function withCastPassword<P extends Record<string, unknown>>(
  endpoint: Endpoint | undefined,
  params: P,
): P & { password?: unknown } {
  const isNeeded =
    endpoint?.proof && rulesFor(endpoint.proof, params).some(({ level }) => level === "strongest");
  if (!isNeeded || "password" in params || "code" in params) return params;
  return { ...params, password: CAST_PASSWORD };
}
