/** What the mails say by which people are invited. */
import { html } from "../../platform/http/page.ts";
import type { MailContent } from "../../platform/mail/mail.ts";

export interface InvitationMail {
  organizationName: string;
  /** Absent if the person asked for the mail themselves. */
  inviterName: string | undefined;
  link: string;
  expiresAt: Date | null;
  /** Whether the address has had a mail about it. */
  isReminder?: boolean;
}

/** For an invited address, and for one whose owner wants to join by a link for many people. */
export function invitationMail({
  organizationName,
  inviterName,
  link,
  expiresAt,
  isReminder = false,
}: InvitationMail): MailContent {
  const who =
    inviterName === undefined
      ? `Somebody, most likely you, wants to join ${organizationName} with this address.`
      : `${inviterName} invites you to join ${organizationName}, which talks on a Parley server.`;
  const until = expiresAt === null ? "" : ` until ${presentTime(expiresAt)}`;
  const how = `Open this link to create your account. It works once${until}:`;
  const subject =
    inviterName === undefined
      ? `Join ${organizationName}`
      : `${inviterName} invites you to ${organizationName}`;
  const otherwise = "If you did not expect this, do nothing. Without the link nobody can use this address.";
  return {
    subject: isReminder ? `Reminder: ${subject}` : subject,
    text: `${who}\n\n${how}\n\n${link}\n\n${otherwise}\n`,
    html: html`<p>${who}</p>
<p>${how}</p>
<p><a href="${link}">${link}</a></p>
<p>${otherwise}</p>
`,
  };
}

/** For an address that is invited, or with which somebody wants to join, and which has an account. */
export function accountMail({
  organizationName,
  site,
  inviterName,
}: {
  organizationName: string;
  site: string;
  /** Absent if somebody has asked for the mail with this address. */
  inviterName?: string | undefined;
}): MailContent {
  const who =
    inviterName === undefined
      ? `Somebody, most likely you, wants to join ${organizationName} with this address.`
      : `${inviterName} wants to invite you to ${organizationName} by this address.`;
  const what = `${who} It has an account there.`;
  const how = "Sign in with your password in a client that is connected to this address:";
  return {
    subject: `Your account in ${organizationName}`,
    text: `${what}\n\n${how}\n\n${site}\n`,
    html: html`<p>${what}</p>
<p>${how}</p>
<p><a href="${site}">${site}</a></p>
`,
  };
}

export function linkOf(site: string, token: string): string {
  return `${site}/join/${token}`;
}

function presentTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
