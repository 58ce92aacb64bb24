import type { getInvitations } from "../../../api/accounts/invitations.ts";
import type { Reply } from "../../../api/endpoint.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { showsLink } from "./access.ts";
import type { Invitation } from "./invitation.ts";
import { linkOf } from "./mails.ts";

type InvitationRecord = Reply<(typeof getInvitations)["reply"]>["invites"][number];

export function presentInvitation(
  keyring: Keyring,
  site: string,
  reader: Viewer,
  invitation: Invitation,
): InvitationRecord {
  const { id, inviterId, email, encryptedToken, role, notifiesInviter, invitedAt, expiresAt } = invitation;
  const common = {
    id,
    invited_by_user_id: inviterId,
    invited: secondsOf(invitedAt),
    expiry_date: expiresAt && secondsOf(expiresAt),
    invited_as: role,
  };
  if (email !== null) {
    return { ...common, is_multiuse: false, email, notify_referrer_on_join: notifiesInviter };
  }
  if (!showsLink(reader, role)) return { ...common, is_multiuse: true };
  const token = keyring.decrypt(encryptedToken as Buffer);
  return { ...common, is_multiuse: true, link_url: linkOf(site, token) };
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
