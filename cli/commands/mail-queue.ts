import { listAllOrganizations } from "../../server/organization/list-all.ts";
import { describeSeconds } from "../../server/platform/health/duration.ts";
import { readQueue } from "../../server/platform/mail/queue.ts";
import { type MailState, mailStates, type QueuedMail } from "../../server/platform/mail/queue-store.ts";
import { command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonOption, printAll } from "../options/json.ts";
import { findOrganization } from "../options/people.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const mailQueue = command({
  usage: ["mail queue [--host HOST] [--state waiting|failed|refused]"],
  details: `
Lists the mails that have not left, the newest first, with what the mail server answered: the number of
the mail, its age, organization, kind and recipient, how often it was tried, and when it is tried next.
A mail waits, or it has failed and its tries are used up, or the mail server has refused it. The last two
stay for a week. parley mail retry tries them again. At most 200 of each state are listed.`,
  options: {
    host: { value: "HOST", description: "Mails of the organization with this host name alone." },
    state: { value: "STATE", description: "waiting, failed or refused." },
    json: jsonOption,
  },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    const state = parseState(values.state);
    const { mails, more, hosts } = await withInstallation(environment, async (services) => {
      const chosen = values.host === undefined ? undefined : await findOrganization(services, values.host);
      const { organizationId } = chosen ?? {};
      const queue = await readQueue(services.database, { organizationId, state });
      const all = await listAllOrganizations(services.database);
      return { ...queue, hosts: new Map(all.map(({ id, host }) => [id, host])) };
    });
    const now = new Date();
    const hostOf = ({ organizationId }: QueuedMail) => hosts.get(organizationId) ?? "?";
    printAll(
      values,
      mails,
      (mail) => mailLine(mail, hostOf(mail), now),
      (mail) => mailData(mail, hostOf(mail)),
    );
    if (mails.length === 0) process.stderr.write("No mail waits, has failed or was refused.\n");
    for (const [each, count] of more) process.stderr.write(`${count} more: ${each}\n`);
    return exitCodes.ok;
  },
});

function parseState(text: string | undefined): MailState | undefined {
  if (text === undefined) return undefined;
  const state = mailStates.find((each) => each === text);
  if (state === undefined)
    throw new UsageError(`--state is ${mailStates.join(", ").replace(/, (?=\w+$)/, " or ")}.`);
  return state;
}

/** One mail on one line. Its answer was written by the mail server. */
export function mailLine(mail: QueuedMail, host: string, now: Date): string {
  const { id, state, kind, recipient, attempts, queuedAt, lastAnswer } = mail;
  const age = describeSeconds(Math.max(0, (now.getTime() - queuedAt.getTime()) / 1000));
  const tries = attempts === 1 ? "1 try" : `${attempts} tries`;
  const parts = [
    id,
    state,
    `${age} old`,
    host,
    kind ?? "unknown kind",
    recipient ?? "unknown recipient",
    tries,
  ];
  return safeLine([...parts, lastAnswer ?? "no answer yet", ...nextTry(mail, now)].join("  "));
}

function nextTry({ state, nextTryAt }: QueuedMail, now: Date): string[] {
  if (state !== "waiting" || !nextTryAt) return [];
  const seconds = (nextTryAt.getTime() - now.getTime()) / 1000;
  return [seconds <= 0 ? "next try now" : `next try in ${describeSeconds(seconds)}`];
}

function mailData(mail: QueuedMail, host: string): object {
  return {
    id: mail.id,
    host,
    state: mail.state,
    kind: mail.kind,
    recipient: mail.recipient,
    attempts: mail.attempts,
    queued_at: mail.queuedAt,
    last_attempt_at: mail.lastAttemptAt,
    last_answer: mail.lastAnswer,
    next_try_at: mail.nextTryAt,
  };
}
