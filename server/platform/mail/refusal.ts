/** What a mail server's answer is about: this mail, which is then dropped, or anything that may change. */

import { hideSecrets } from "./mask.ts";

/** An error of nodemailer. */
export interface SmtpFailure {
  code?: string;
  /** The command that was answered. */
  command?: string;
  responseCode?: number;
  response?: string;
  message?: string;
}

/** For the log. It names no address. */
export interface SmtpAnswer {
  code: string;
  command: string | undefined;
  reply: number | undefined;
  /** The enhanced status (RFC 3463), such as 5.1.1. */
  status: string | undefined;
  answer: string | undefined;
}

const MAX_ANSWER_LENGTH = 80;
/** The sender's address is wrong, or its domain. Servers that check it late say so after the recipient. */
const OF_SENDER = /^5\.1\.[78]$/;
/** The address or the mailbox of the recipient. */
const OF_RECIPIENT = /^5\.(0|1|2)\./;
/** The same, the size and the content. */
const OF_MAIL = /^5\.(0\.|1\.|2\.|3\.4|6\.)/;
/** "Transaction failed": without a status it does not say what failed. */
const TRANSACTION_FAILED = 554;

/** `secrets`: texts that no line of a log may have. */
export function describeAnswer(
  { code = "unknown", command, responseCode, response }: SmtpFailure,
  secrets: readonly string[] = [],
): SmtpAnswer {
  return {
    code,
    command,
    reply: responseCode,
    status: statusOf(response),
    answer: (response && hideSecrets(response, secrets))
      ?.replace(/\S+@\S+/g, "…")
      .replace(/\s+/g, " ")
      .slice(0, MAX_ANSWER_LENGTH),
  };
}

/** Codes of the network and of TLS, as people say them. The others are said in the library's words. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, "connection refused"],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, "the name of the mail server was not found"],
  [/EHOSTUNREACH|ENETUNREACH/, "the mail server can't be reached"],
  [/ECONNRESET|EPIPE|socket close|Connection closed/i, "the mail server closed the connection"],
  [/ETIMEDOUT|ESOCKETTIMEDOUT|Greeting never received/, "the mail server did not answer in time"],
];

/** What the mail server said, or why it could not be asked. It may name the recipient: see `maskAnswer`. */
export function wordsOf({ code = "", response, message = "" }: SmtpFailure): string {
  if (response !== undefined && response !== "") return response;
  const fault =
    FAULTS.find(([pattern]) => pattern.test(message)) ?? FAULTS.find(([pattern]) => pattern.test(code));
  return fault?.[1] ?? (message || code || "an unknown fault");
}

/**
 * Whether another try would be refused too. Only the recipient and the content belong to the mail. A refused
 * sender, a quota or a policy is a fault of the installation, and its mails wait until that is put right.
 */
export function isFinal({ code, command, responseCode = 0, response }: SmtpFailure): boolean {
  if (responseCode < 500) return false;
  const status = statusOf(response);
  if (status !== undefined && OF_SENDER.test(status)) return false;
  if (code === "EENVELOPE" && command === "RCPT TO") return status === undefined || OF_RECIPIENT.test(status);
  if (code !== "EMESSAGE") return false;
  return status === undefined ? responseCode !== TRANSACTION_FAILED : OF_MAIL.test(status);
}

function statusOf(response: string | undefined): string | undefined {
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? "")?.[1];
}

/** A mail could not be handed over now, and should be tried again. */
export class MailNotTaken extends Error {
  readonly isExpected = true;
  /** What the mail server said, or why it could not be asked, masked. */
  readonly words: string;

  constructor(message: string, words: string) {
    super(message);
    this.words = words;
  }
}
