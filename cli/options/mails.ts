import { UsageError } from "../command.ts";

/** The numbers of mails, as parley mail queue prints them. */
export function parseMailIds(words: readonly string[]): number[] {
  return words.map((word) => {
    if (/^[1-9]\d{0,14}$/.test(word)) return Number(word);
    throw new UsageError(`'${word}' is no number of a mail. parley mail queue prints them.`);
  });
}

/** Which of the numbers there is no mail for, in a sentence; undefined: there is one for each. */
export function missingMails(asked: readonly number[], found: readonly number[]): string | undefined {
  const missing = asked.filter((id) => !found.includes(id));
  if (missing.length === 0) return undefined;
  return missing.length === 1
    ? `There is no mail ${missing[0]} in the queue.`
    : `There are no mails ${missing.join(", ")} in the queue.`;
}
