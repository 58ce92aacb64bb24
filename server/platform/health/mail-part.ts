import type { Database } from "../db/database.ts";
import { findWaitingMails, type WaitingMails } from "../mail/store.ts";
import { describeSeconds } from "./duration.ts";
import { type Finding, ok, type Part, warning } from "./finding.ts";

/** A mail server that asks to try again later gets two tries in this time. */
const LATE_SECONDS = 900;

/** Whether mails leave. `canSend`: this process has the settings for it. */
export function mailPart(database: Database, canSend: boolean): Part {
  return {
    name: "mail",
    everySeconds: 60,
    check: async () => judgeMail(canSend, await database.snapshot(findWaitingMails)),
  };
}

export function judgeMail(
  canSend: boolean,
  { count, waitedSeconds, lastAnswer, refused }: WaitingMails,
): Finding {
  const waiting = count === 1 ? "One mail waits" : `${count} mails wait`;
  if (!canSend) {
    return count === 0
      ? ok("This server sends no mail: PARLEY_SMTP_URL is not set.")
      : warning("mail-off", `${waiting}, and this server has no mail settings. Set PARLEY_SMTP_URL.`);
  }
  if (waitedSeconds <= LATE_SECONDS) return ok(`Mails leave in time.${refusedSentence(refused)}`);
  const why = lastAnswer === null ? "" : `: ${lastAnswer.replace(/[.\s]+$/, "")}`;
  return warning(
    "mail-late",
    `${waiting}, the oldest for ${describeSeconds(waitedSeconds)}${why}. parley mail queue lists them; parley mail test ADDRESS tries the mail server.`,
  );
}

/** No fault of the server's own, as a rule: an address was wrong. */
function refusedSentence(refused: number): string {
  if (refused === 0) return "";
  const were = refused === 1 ? "One was" : `${refused} were`;
  return ` ${were} refused in the last week: parley mail queue lists what the mail server answered.`;
}
