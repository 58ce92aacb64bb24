import type { Config } from "../../config.ts";
import type { Mail } from "./mail.ts";

/** How this server sends mail. */
export interface Mailer {
  /** Whether there is any use in enqueuing mail. */
  readonly canSend: boolean;
  /** `kept`: it stays in the table, for a development server. Throws if it should be tried again. */
  send(mail: Mail): Promise<"sent" | "kept" | "refused">;
}

/** A development server keeps its mail. Other servers have none. */
export function openMailer({ isDevelopment }: Pick<Config, "isDevelopment">): Mailer {
  return isDevelopment
    ? { canSend: true, send: async () => "kept" }
    : { canSend: false, send: async () => "refused" };
}
