import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { systemGroups } from "./group.ts";
import { insertSystemGroups } from "./store.ts";

/**
 * Makes the groups that every organization has. Part of the transaction that makes the organization: nobody can load it
 * before, so there is nothing to announce.
 */
export async function createSystemGroups(tx: Queryable, organizationId: OrganizationId): Promise<void> {
  await insertSystemGroups(tx, organizationId, Object.values(systemGroups));
}
