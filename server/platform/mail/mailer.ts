import type { Config } from "../../config.ts";
import type { Mail } from "./mail.ts";
import { smtpMailer } from "./smtp.ts";

/** How this server sends mail. */
export interface Mailer {
  /** Whether there is any use in enqueuing mail. */
  readonly canSend: boolean;
  /**
   * `kept`: it stays in the table, for the page of a development server. `refused`: it is dropped, since
   * another try would be refused too. Throws if it should be tried again.
   */
  send(mail: Mail): Promise<"sent" | "kept" | "refused">;
}

/** By SMTP, if that is set up. Else a development server keeps its mail, and other servers have none. */
export function openMailer({ mail, isDevelopment }: Pick<Config, "mail" | "isDevelopment">): Mailer {
  if (mail) return smtpMailer(mail.smtp, mail.sender);
  return isDevelopment
    ? { canSend: true, send: async () => "kept" }
    : { canSend: false, send: async () => "refused" };
}
