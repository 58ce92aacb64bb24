import type { MailContent } from "../../platform/mail/mail.ts";
import { letterMail } from "../mailed-codes/letter.ts";

export function signUpMail(organizationName: string, link: string): MailContent {
  return letterMail({
    subject: `Join ${organizationName}`,
    paragraphs: [
      `Somebody, most likely you, wants to join ${organizationName} with this address.`,
      "Open this link to create your account. It works once, for a day:",
    ],
    link,
    end: "If it was not you, do nothing. Without the link nobody can use this address.",
  });
}

/** For an address with which somebody wants to join, and which has an account. */
export function knownMail(organizationName: string, site: string): MailContent {
  return letterMail({
    subject: `Your account in ${organizationName}`,
    paragraphs: [
      `Somebody, most likely you, wants to join ${organizationName} with this address. It has an account there.`,
      "Sign in with your password, or ask for another one, here:",
    ],
    link: `${site}/login`,
  });
}
