import type { Queryable } from "../../platform/db/database.ts";
import { countActiveAccounts } from "../store.ts";

/** Whether the address has active accounts in more than one organization of the server. */
export async function isInSeveralOrganizations(tx: Queryable, email: string): Promise<boolean> {
  return (await countActiveAccounts(tx, email, 2)) > 1;
}
