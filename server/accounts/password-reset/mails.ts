import type { MailContent } from "../../platform/mail/mail.ts";
import { letterMail } from "../mailed-codes/letter.ts";

export function passwordMail(organizationName: string, link: string): MailContent {
  return letterMail({
    subject: `Set another password for ${organizationName}`,
    paragraphs: [
      `Somebody, most likely you, wants another password for your account in ${organizationName}.`,
      "Open this link to choose one. It works once, for an hour:",
    ],
    link,
    end: "If it was not you, do nothing. Your password stays as it is.",
  });
}
