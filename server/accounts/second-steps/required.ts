import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { roles } from "../../../api/roles.ts";
import { settingOf } from "../../organization/setting.ts";
import type { User } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { SignedInBy } from "../sessions/live-sessions.ts";
import { secondSteps } from "./second-steps.ts";

/** Whether the organization requires a second step of an account. Bots sign in nowhere. */
export function isRequiredOf(state: OrganizationState, { role, botType }: User): boolean {
  if (botType !== null) return false;
  const required = settingOf(state, organizationSettings.requireSecondStep);
  return required === "everyone" || (required === "administrators" && role <= roles.administrator);
}

/** Whether somebody with such a session has to set up a second step before anything else. */
export function mustSetUp(state: OrganizationState, user: User, signedInBy: SignedInBy): boolean {
  return signedInBy !== "provider" && isRequiredOf(state, user) && !state.get(secondSteps).has(user.id);
}
