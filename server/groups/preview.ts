import { type Organization, organization } from "../organization/organization.ts";
import { type NamedPatch, patchesOf } from "../platform/log/before-commit-hook.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { Projection } from "../platform/log/projection.ts";
import { Groups, groups } from "./group.ts";

/**
 * The organization with the groups and settings after these patches, to check permissions before the
 * commit. Everything else is unchanged. It is valid within the transaction only.
 */
export function preview(state: OrganizationState, patches: readonly NamedPatch[]): OrganizationState {
  const organizationPatches = patchesOf<Organization, Partial<Organization>>(patches, organization);
  const groupsPatches = patchesOf(patches, groups);
  const values = new Map<string, unknown>();
  if (organizationPatches.length > 0) {
    values.set(organization.name, Object.assign({}, state.get(organization), ...organizationPatches));
  }
  if (groupsPatches.length > 0) {
    const changed = new Groups(state.get(groups));
    for (const patch of groupsPatches) changed.apply(patch);
    values.set(groups.name, changed);
  }
  const get = (projection: Projection<unknown>) => values.get(projection.name) ?? state.get(projection);
  return Object.create(state, { get: { value: get } });
}
