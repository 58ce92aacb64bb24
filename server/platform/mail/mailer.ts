import type { Config } from "../../config.ts";
import type { Mail } from "./mail.ts";
import type { SmtpAnswer } from "./refusal.ts";
import { smtpMailer } from "./smtp.ts";

/** A mail server refused a mail for good. */
export interface Refusal {
  described: SmtpAnswer;
  /** What it said, masked. */
  words: string;
}

/** How this server sends mail. */
export interface Mailer {
  /** Whether there is any use in enqueuing mail. */
  readonly canSend: boolean;
  /**
   * `kept`: it stays in the table, for the page of a development server. A refusal: it is not tried again,
   * since another try would be refused too. Throws if it should be tried again: MailNotTaken if it was tried.
   */
  send(mail: Mail): Promise<"sent" | "kept" | Refusal>;
}

/**
 * By SMTP, if that is set up. Else a development server keeps its mail. Other servers leave mails that wait
 * to a process with the settings.
 */
export function openMailer({ mail, isDevelopment }: Pick<Config, "mail" | "isDevelopment">): Mailer {
  if (mail) return smtpMailer(mail.smtp, mail.sender);
  return isDevelopment
    ? { canSend: true, send: async () => "kept" }
    : { canSend: false, send: async () => Promise.reject(new Error("this process has no mail settings")) };
}

/** Mails of a copy of an installation wait: the original sends its own. */
export const mailerOfCopy: Mailer = {
  canSend: false,
  send: async () => Promise.reject(new Error("a copy of an installation sends no mail")),
};
