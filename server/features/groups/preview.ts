import type { Live } from "../../platform/log/organization-state.ts";
import type { Slice } from "../../platform/log/projection.ts";
import { type Organization, organization } from "../organization/organization.ts";
import { Groups, type GroupsPatch, groups } from "./group.ts";

/**
 * The organization with the groups and settings that these patches would leave it with, to be asked who may do what before
 * the commit. Everything else is as it is. It serves for questions about memory within the transaction, and no longer.
 */
export function preview(live: Live, patches: readonly { slice: string; patch: unknown }[]): Live {
  const states = new Map<string, unknown>();
  for (const { slice, patch } of patches) {
    if (slice === organization.name) {
      const before = (states.get(slice) as Organization | undefined) ?? live.get(organization);
      states.set(slice, { ...before, ...(patch as Partial<Organization>) });
    } else if (slice === groups.name) {
      const changed = (states.get(slice) as Groups | undefined) ?? new Groups(live.get(groups));
      changed.apply(patch as GroupsPatch);
      states.set(slice, changed);
    }
  }
  const get = (slice: Slice<unknown>) => states.get(slice.name) ?? live.get(slice);
  return Object.create(live, { get: { value: get } });
}
