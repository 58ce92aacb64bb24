import type { Queryable } from "../platform/db/database.ts";
import type { Organization } from "./organization.ts";
import { listOrganizations } from "./store.ts";

/** More than one server holds; each is a line in a terminal. */
const MAX_LISTED = 10_000;

/** The organizations of the server, deactivated ones too, for its operator. */
export function listAllOrganizations(db: Queryable): Promise<Organization[]> {
  return listOrganizations(db, MAX_LISTED);
}
