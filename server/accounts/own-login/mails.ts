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
