import { organizationSettings } from "../../../api/organization-settings.ts";
import type { Live } from "../../platform/log/organization-state.ts";
import type { SnapshotSlice } from "../../platform/queues/register.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import { settingOf } from "../organization/setting.ts";
import { users } from "../users/user.ts";
import { groups } from "./group.ts";
import { presentGroups } from "./present.ts";

const HOUR_MS = 3600 * 1000;

export const groupSnapshot: SnapshotSlice = ({ live, viewer, options, wants }) => {
  if (!wants("realm_user_groups")) return undefined;
  // Who has no account may read what groups there are, but is told of nobody in them.
  if (!viewer)
    return { realm_user_groups: presentGroups(live, { includeDeactivated: false, isAnonymous: true }) };
  const includeDeactivated = options.capabilities.include_deactivated_groups === true;
  return { realm_user_groups: groupsJson(live, includeDeactivated) };
};

interface Kept {
  version: string;
  json: RawJson;
}

const kept = [new WeakMap<Live, Kept>(), new WeakMap<Live, Kept>()] as const;

/** Written again only after a change; it depends on the time of day too, since members outgrow the waiting period. */
function groupsJson(live: Live, includeDeactivated: boolean): RawJson {
  const texts = kept[includeDeactivated ? 1 : 0];
  const hour = Math.floor(Date.now() / HOUR_MS);
  const threshold = settingOf(live, organizationSettings.waitingPeriodThreshold);
  const version = [live.get(groups).version, live.get(users).version, threshold, threshold && hour].join();
  let found = texts.get(live);
  if (found?.version !== version) {
    found = { version, json: new RawJson(JSON.stringify(presentGroups(live, { includeDeactivated }))) };
    texts.set(live, found);
  }
  return found.json;
}
