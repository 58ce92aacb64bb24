import { organization } from "../../organization/organization.ts";
import { users } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { NewMail } from "../../platform/mail/enqueue.ts";
import { accountMail, invitationMail, linkOf } from "./mails.ts";

/**
 * The mail for an invited address. One that has an account gets no link, but a mail that says so: an inviter
 * who may not see the address learns nothing, and the person is not left out.
 */
export function inviteeMail(
  state: OrganizationState,
  {
    email,
    token,
    site,
    ...shown
  }: { email: string; token: string; site: string; inviterName: string | undefined; expiresAt: Date | null },
): NewMail {
  const organizationName = state.get(organization).name;
  const holder = state.get(users).findByEmail(email);
  if (holder) {
    const content = accountMail({ organizationName, site, inviterName: shown.inviterName });
    return { kind: "account notice", to: holder.email, content };
  }
  const content = invitationMail({ organizationName, link: linkOf(site, token), ...shown });
  return { kind: "invitation", to: email, content };
}
