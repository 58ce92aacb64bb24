import type { MailContent } from "../../platform/mail/mail.ts";
import { letterMail } from "../mailed-codes/letter.ts";

/** For the address that is to become the account's. */
export function emailMail(organizationName: string, link: string): MailContent {
  return letterMail({
    subject: `Confirm your email address for ${organizationName}`,
    paragraphs: [
      `Somebody, most likely you, wants to use this address for their account in ${organizationName}.`,
      "Open this link to confirm it. It works once, for a day:",
    ],
    link,
    end: "If it was not you, do nothing. Without the link nobody can use this address.",
  });
}

/** For an address that somebody wants for their account, and that is another account's. */
export function takenEmailMail(organizationName: string, site: string): MailContent {
  return letterMail({
    subject: `Your account in ${organizationName}`,
    paragraphs: [
      `Somebody wants to use this address for their account in ${organizationName}. It has an account there already, so nothing has changed.`,
      "If it was you, sign in with this address, or ask for another password, here:",
    ],
    link: `${site}/login`,
    end: "If it was not you, do nothing.",
  });
}

/** For the address that was the account's. */
export function emailChangedMail(organizationName: string, newEmail: string): MailContent {
  return letterMail({
    subject: `Your email address in ${organizationName} has changed`,
    paragraphs: [
      `Your account in ${organizationName} has another email address now: ${newEmail}.`,
      "You sign in with that address. Nothing more is sent to this one.",
    ],
    end: "If it was not you, tell an administrator of the organization at once.",
  });
}
