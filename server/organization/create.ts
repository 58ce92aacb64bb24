import { ApiError, errors } from "../../api/errors.ts";
import type { OrganizationId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { parseHost, parseOrganizationName } from "./names.ts";
import { insertOrganization } from "./store.ts";

const UNIQUE_VIOLATION = "23505";

/**
 * Adds an organization that answers under `host`, without people or groups. The caller adds those in the same
 * transaction, so that no node can load it without them. Throws `hostTaken`, also for the second of two that
 * take a host name at once.
 */
export async function addOrganization(
  tx: Queryable,
  organization: { host: string; name: string },
): Promise<OrganizationId> {
  const host = parseHost(organization.host);
  const name = parseOrganizationName(organization.name);
  try {
    return await insertOrganization(tx, { host, name, settings: {} });
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION)
      throw new ApiError(errors.hostTaken, { host });
    throw error;
  }
}
