import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { type Organization, organization } from "../organization/organization.ts";
import { Groups, type GroupsPatch, groups } from "./group.ts";

/**
 * The organization with the groups and settings that these patches would leave it with, to be asked who may do what before
 * the commit. Everything else is as it is. It serves for questions about memory within the transaction, and no longer.
 */
export function preview(
  state: OrganizationState,
  patches: readonly { projection: string; patch: unknown }[],
): OrganizationState {
  const states = new Map<string, unknown>();
  for (const { projection, patch } of patches) {
    if (projection === organization.name) {
      const before = (states.get(projection) as Organization | undefined) ?? state.get(organization);
      states.set(projection, { ...before, ...(patch as Partial<Organization>) });
    } else if (projection === groups.name) {
      const changed = (states.get(projection) as Groups | undefined) ?? new Groups(state.get(groups));
      changed.apply(patch as GroupsPatch);
      states.set(projection, changed);
    }
  }
  const get = (projection: Projection<unknown>) => states.get(projection.name) ?? state.get(projection);
  return Object.create(state, { get: { value: get } });
}
