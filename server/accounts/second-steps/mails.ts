import { organization } from "../../organization/organization.ts";
import type { User } from "../../people/user.ts";
import { html } from "../../platform/http/page.ts";
import type { Change } from "../../platform/log/change.ts";
import { enqueueMail } from "../../platform/mail/enqueue.ts";
import { headerText, type MailContent } from "../../platform/mail/mail.ts";
import type { Services } from "../../services.ts";

/** Mails somebody what happened to the ways in which they sign in. They can't switch this off. */
export async function mailChange(
  tx: Change,
  services: Pick<Services, "keyring" | "mailer">,
  user: User,
  what: string,
): Promise<void> {
  if (!services.mailer.canSend) return;
  const content = changeMail(headerText(tx.state.get(organization).name), user, what);
  await enqueueMail(tx, services, { kind: "change of the sign-in", to: user.email, content });
}

function changeMail(organizationName: string, user: User, what: string): MailContent {
  const intro = `How you sign in to your account ${user.email} in ${organizationName} has changed:`;
  const end =
    "If it was not you, set another password at once, which ends all other sessions, and tell an administrator of the organization.";
  return {
    subject: `How you sign in to ${organizationName} has changed`,
    text: `${intro}\n\n${what}\n\n${end}\n`,
    html: html`<p>${intro}</p>
<p><strong>${what}</strong></p>
<p>${end}</p>
`,
  };
}
