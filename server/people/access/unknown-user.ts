/** How a reader sees somebody of whom they may not know (see `canAccessUser`). */
import { UNKNOWN_USER_NAME, UNKNOWN_USER_PICTURE, unknownUser } from "../../../api/people/unknown-user.ts";
import type { UserRecord } from "../../../api/people/user.ts";
import { organization } from "../../organization/organization.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { hiddenEmail } from "../email/hidden-email.ts";
import type { User } from "../user.ts";

export function presentUnknownUser(state: OrganizationState, { id }: Pick<User, "id">): UserRecord {
  return unknownUser(id, state.get(organization).host);
}

/** What is shown of them beside what they wrote. */
export function unknownIdentity(state: OrganizationState, user: Pick<User, "id">) {
  return { email: hiddenEmail(state, user), fullName: UNKNOWN_USER_NAME, picture: UNKNOWN_USER_PICTURE };
}
