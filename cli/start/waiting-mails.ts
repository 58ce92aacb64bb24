import { countWaitingMails } from "../../server/platform/mail/store.ts";
import type { Services } from "../../server/services.ts";

/** For a server without mail settings: a line, if mails of an earlier start wait to be sent. */
export async function describeWaitingMails({
  config,
  database,
  mailer,
}: Pick<Services, "config" | "database" | "mailer">): Promise<string[]> {
  const count = mailer.canSend || config.mail ? 0 : await countWaitingMails(database);
  if (count === 0) return [];
  return [
    `  note      ${count === 1 ? "1 mail waits" : `${count} mails wait`}, but PARLEY_SMTP_URL is not set`,
  ];
}
