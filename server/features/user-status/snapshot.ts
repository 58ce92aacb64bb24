import { registerUserStatus } from "../../../api/register/user-status.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { sectionOf } from "../users/register-section.ts";
import { users } from "../users/user.ts";
import { presentUserStatus } from "./present.ts";

/** People who are deactivated are left out. Without an account, a client learns of nobody. */
export const userStatusSection = sectionOf(registerUserStatus, ({ state, viewer, wants }) => {
  if (!wants("user_status")) return undefined;
  return { user_status: viewer ? presentStatuses(state) : {} };
});

function presentStatuses(state: OrganizationState) {
  const statuses: Record<string, ReturnType<typeof presentUserStatus>> = {};
  for (const user of state.get(users).all()) {
    if (!user.isActive || user.botType !== null) continue;
    const status = presentUserStatus(state, user);
    if (Object.keys(status).length > 0) statuses[user.id] = status;
  }
  return statuses;
}
