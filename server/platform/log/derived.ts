import type { OrganizationState } from "./organization-state.ts";

/**
 * A function of an organization's memory whose result is kept until the version changes. The version says
 * everything that `make` reads. What it returns must not be changed.
 */
export function derived<T>(
  versionOf: (state: OrganizationState) => number | string,
  make: (state: OrganizationState) => T,
): (state: OrganizationState) => T {
  const kept = new WeakMap<OrganizationState, { version: number | string; value: T }>();
  return (state) => {
    const version = versionOf(state);
    let found = kept.get(state);
    if (found?.version !== version) {
      found = { version, value: make(state) };
      kept.set(state, found);
    }
    return found.value;
  };
}
