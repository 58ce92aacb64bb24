import type { OrganizationId } from "../../../api/ids.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { findOrganization } from "./store.ts";

/** The organization itself, as every node keeps it in memory. */
export interface Organization {
  id: OrganizationId;
  /** The host name under which it is served, without a port. */
  host: string;
  name: string;
  /** Only what differs from the defaults; read it through `settingOf`. */
  settings: Record<string, unknown>;
  /** UNIX seconds. */
  createdAt: number;
  isActive: boolean;
}

/** Patch: the organization as it now is. The object lives as long as the node, so its holders see changes. */
export const organization: Projection<Organization, Organization> = {
  name: "organization",
  async load(tx, organizationId) {
    const found = await findOrganization(tx, organizationId);
    if (!found) throw new Error(`there is no organization ${organizationId}`);
    return found;
  },
  apply(value, patch) {
    Object.assign(value, patch);
  },
};

/**
 * The organization's name in addresses: the first part of its host name, or "" where the host is an IP
 * address.
 */
export function organizationSlug(state: OrganizationState): string {
  const { host } = state.get(organization);
  return /^[\d.]+$|^\[/.test(host) ? "" : (host.split(".")[0] ?? "");
}
