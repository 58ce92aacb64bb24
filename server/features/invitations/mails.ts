/** What the mails say by which people are invited. */
import { html } from "../../platform/http/page.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

export interface InvitationMail {
  organizationName: string;
  /** Absent if the person asked for the mail themselves. */
  inviterName: string | undefined;
  link: string;
  expiresAt: Date | null;
}

/** For an invited address, and for one whose owner wants to join by a link for many people. */
export function invitationMail({
  organizationName,
  inviterName,
  link,
  expiresAt,
}: InvitationMail): MailContent {
  const who =
    inviterName === undefined
      ? `Somebody, most likely you, wants to join ${organizationName} with this address.`
      : `${inviterName} invites you to join ${organizationName}, which talks on a Parley server.`;
  const until = expiresAt === null ? "" : ` until ${presentTime(expiresAt)}`;
  const how = `Open this link to create your account. It works once${until}:`;
  const otherwise = "If you did not expect this, do nothing. Without the link nobody can use this address.";
  return {
    subject:
      inviterName === undefined
        ? `Join ${organizationName}`
        : `${inviterName} invites you to ${organizationName}`,
    text: `${who}\n\n${how}\n\n${link}\n\n${otherwise}\n`,
    html: html`<p>${who}</p>
<p>${how}</p>
<p><a href="${link}">${link}</a></p>
<p>${otherwise}</p>
`,
  };
}

function presentTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
