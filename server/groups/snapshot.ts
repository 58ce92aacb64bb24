import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { registerGroups } from "../../api/register/groups.ts";
import { settingOf } from "../organization/setting.ts";
import { isLimitedGuest } from "../people/access/user-access.ts";
import { users } from "../people/user.ts";
import { sectionOf } from "../people/viewer/register-section.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import { RawJson } from "../platform/std/raw-json.ts";
import { groups } from "./group.ts";
import { presentGroups, presentGroupsTo } from "./present.ts";

const HOUR_MS = 3600 * 1000;

export const groupSection = sectionOf(registerGroups, ({ state, viewer, options, wants }) => {
  if (!wants("realm_user_groups")) return undefined;
  // Callers without an account may read which groups exist, but no people in them.
  if (!viewer)
    return { realm_user_groups: presentGroups(state, { includeDeactivated: false, isAnonymous: true }) };
  const includeDeactivated = options.capabilities.include_deactivated_groups === true;
  const { user } = viewer;
  if (isLimitedGuest(state, user)) {
    return { realm_user_groups: presentGroupsTo(state, user, { includeDeactivated }) };
  }
  return { realm_user_groups: groupsJson(state, includeDeactivated) };
});

interface Kept {
  version: string;
  json: RawJson;
}

const kept = [new WeakMap<OrganizationState, Kept>(), new WeakMap<OrganizationState, Kept>()] as const;

/** Encoded again only after a change. It also depends on the time, since members pass the waiting period. */
function groupsJson(state: OrganizationState, includeDeactivated: boolean): RawJson {
  const texts = kept[includeDeactivated ? 1 : 0];
  const hour = Math.floor(Date.now() / HOUR_MS);
  const threshold = settingOf(state, organizationSettings.waitingPeriodThreshold);
  const version = [state.get(groups).version, state.get(users).version, threshold, threshold && hour].join();
  let found = texts.get(state);
  if (found?.version !== version) {
    found = { version, json: new RawJson(JSON.stringify(presentGroups(state, { includeDeactivated }))) };
    texts.set(state, found);
  }
  return found.json;
}
