import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { parseHost, parseOrganizationName } from "./names.ts";
import { insertOrganization } from "./store.ts";

const UNIQUE_VIOLATION = "23505";

/**
 * Adds an organization that answers under `host`, without people or groups: whoever calls adds those in the same
 * transaction, so that nobody ever loads it without them. Of two that take one host name at once, one is refused.
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
