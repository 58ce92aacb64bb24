import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import { readHeads } from "./store.ts";

/**
 * The next position that the log will give. Others may take it first, but nobody can change memory that the
 * caller's transaction depends on before it commits.
 */
export async function findNextPosition(tx: Queryable, organizationId: OrganizationId): Promise<number> {
  return (await readHeads(tx, organizationId)).head + 1;
}
