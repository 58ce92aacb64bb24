import { ApiError, errors } from "../../api/errors.ts";
import type { OrganizationId, Position } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { parseHost, parseOrganizationName } from "./names.ts";
import { insertLog, insertOrganization, insertUnopened, updateDeactivation } from "./store.ts";

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
  return refusingTaken(host, () => insertOrganization(tx, { host, name, settings: {} }));
}

/**
 * Adds an organization that nobody can call or load until `openOrganization`. It holds its host name
 * meanwhile. Throws as `addOrganization` does.
 */
export async function addUnopenedOrganization(
  tx: Queryable,
  organization: { host: string; name: string; settings: Record<string, unknown>; createdAt: Date },
): Promise<OrganizationId> {
  const host = parseHost(organization.host);
  const name = parseOrganizationName(organization.name);
  return refusingTaken(host, () => insertUnopened(tx, { ...organization, host, name }));
}

/** Begins the log behind `head`, the id of the newest message. The organization answers from then on. */
export async function openOrganization(tx: Queryable, id: OrganizationId, head: number): Promise<void> {
  await insertLog(tx, id, head as Position);
  await updateDeactivation(tx, id, false);
}

async function refusingTaken(host: string, insert: () => Promise<OrganizationId>): Promise<OrganizationId> {
  try {
    return await insert();
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION)
      throw new ApiError(errors.hostTaken, { host });
    throw error;
  }
}
