import { organizationPermissions } from "../../api/administration/organization-permissions.ts";
import { type Organization, organization } from "../organization/organization.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { groups } from "./group.ts";

/**
 * Whether these settings limit whom guests may know of: the permission is for everyone, or for members alone.
 * By default, the present settings.
 */
export function limitsGuests(
  state: OrganizationState,
  { settings }: Pick<Organization, "settings"> = state.get(organization),
): boolean {
  const chosen = settings[organizationPermissions.canAccessAllUsers.name];
  return chosen !== undefined && chosen !== state.get(groups).system("everyone").id;
}
