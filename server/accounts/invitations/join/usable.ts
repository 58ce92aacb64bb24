import { roles } from "../../../../api/roles.ts";
import { organization } from "../../../organization/organization.ts";
import { users } from "../../../people/user.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import type { Services } from "../../../services.ts";
import { canGrantRole, canInvite } from "../access.ts";
import { type Invitation, isOfLink } from "../invitation.ts";
import { findByToken } from "../store.ts";

/** The invitation was used or revoked, has expired, never existed, or its inviter may not invite any more. */
export class InvitationEnded extends Error {}

/** The open invitation that this code belongs to, if it can be used as memory has it. */
export async function findUsable(
  services: Pick<Services, "keyring" | "mailer">,
  state: OrganizationState,
  code: string,
): Promise<Invitation | undefined> {
  const hash = services.keyring.hashToken(code);
  if (!hash) return undefined;
  const invitation = await findByToken(state.database, state.organizationId, hash);
  return invitation && isUsable(services, state, invitation) ? invitation : undefined;
}

/**
 * Whether the inviter may invite in this way and give this role now.
 *
 * Without mail nobody proves that an address is theirs. Somebody with a link could take a colleague's address
 * and pass for them. So such a link works only while its inviter is an administrator. They may make accounts
 * with any address in any case (`POST /users`), and they decide who gets the link.
 */
export function isUsable(
  { mailer }: Pick<Services, "mailer">,
  state: OrganizationState,
  invitation: Invitation,
): boolean {
  if (!state.get(organization).isActive) return false;
  const inviter = state.get(users).byId.get(invitation.inviterId);
  if (!inviter?.isActive || !canGrantRole(inviter, invitation.role)) return false;
  const kind = isOfLink(invitation) ? "link" : "addresses";
  if (!invitation.isByOperator && !canInvite(state, inviter, kind)) return false;
  return invitation.email !== null || mailer.canSend || inviter.role <= roles.administrator;
}
