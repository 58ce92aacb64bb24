import { registerUserStatus } from "../../../api/register/user-status.ts";
import { canAccessUser, isLimitedGuest } from "../../people/access/user-access.ts";
import { type User, users } from "../../people/user.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { derived } from "../../platform/log/derived.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import { presentUserStatus } from "./present.ts";
import { userStatuses } from "./user-statuses.ts";

/**
 * People who are deactivated are left out, and those of whom the viewer may not know. Without an account, a
 * client learns of nobody.
 */
export const userStatusSection = sectionOf(registerUserStatus, ({ state, viewer, wants }) => {
  if (!wants("user_status")) return undefined;
  return { user_status: viewer ? presentStatuses(state, viewer.user) : {} };
});

function presentStatuses(state: OrganizationState, reader: User) {
  return isLimitedGuest(state, reader) ? presentKnownStatuses(state, reader) : allStatuses(state);
}

const allStatuses = derived(
  (state) => `${state.get(users).version} ${state.get(userStatuses).version}`,
  (state) => new RawJson(JSON.stringify(presentKnownStatuses(state, undefined))),
);

/** Without a reader: the statuses of all people. */
function presentKnownStatuses(state: OrganizationState, reader: User | undefined) {
  const statuses: Record<string, ReturnType<typeof presentUserStatus>> = {};
  for (const user of state.get(users).all()) {
    if (!user.isActive || user.botType !== null || (reader && !canAccessUser(state, reader, user))) continue;
    const status = presentUserStatus(state, user);
    if (Object.keys(status).length > 0) statuses[user.id] = status;
  }
  return statuses;
}
