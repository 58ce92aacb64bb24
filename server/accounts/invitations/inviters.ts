import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { listInvitersOf } from "./store.ts";

/** Who has an open invitation of this address. */
export function listInviters(
  db: Queryable,
  organizationId: OrganizationId,
  email: string,
): Promise<UserId[]> {
  return listInvitersOf(db, organizationId, email);
}
