import { countWaitingMails } from "../server/platform/mail/store.ts";
import type { Services } from "../server/services.ts";

/** For a server that sends no mail: a line, if mails of an earlier start wait to be sent. */
export async function describeWaitingMails({
  database,
  mailer,
}: Pick<Services, "database" | "mailer">): Promise<string[]> {
  const count = mailer.canSend ? 0 : await countWaitingMails(database);
  if (count === 0) return [];
  return [
    `  note      ${count === 1 ? "1 mail waits" : `${count} mails wait`}, but PARLEY_SMTP_URL is not set`,
  ];
}
