import { roles } from "../../../api/roles.ts";
import { users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/**
 * The operator's setting lets people in and gives roles, so such changes are theirs. They are made in the
 * name of an owner, as those of the command line. The audit log names nobody.
 */
export function operatorViewer(state: OrganizationState): Viewer {
  for (const user of state.get(users).all()) {
    const isOwner = user.role === roles.owner && user.isActive && user.botType === null;
    if (isOwner) return { state, user, client: "sign-in provider", isOperator: true };
  }
  throw new Error(`organization ${state.organizationId} has no active owner`);
}
