/**
 * Sends mail by an SMTP server, with a connection for each mail. Its errors are rethrown without addresses,
 * which may be the recipient's.
 */
import type { Mail } from "./mail.ts";
import type { Mailer } from "./mailer.ts";
import { linkSecrets, maskAnswer } from "./mask.ts";
import { describeAnswer, isFinal, MailNotTaken, type SmtpFailure, wordsOf } from "./refusal.ts";
import type { Sender, SmtpSettings } from "./sender.ts";

const CONNECT_MS = 15_000;
const SILENCE_MS = 30_000;
const LOCAL = /^(localhost|::1|127\.\d+\.\d+\.\d+)$/;

/** `sender`: the From of all mail. */
export function smtpMailer(settings: SmtpSettings, sender: Sender): Mailer {
  return {
    canSend: true,
    async send(mail) {
      // Loaded with the first mail: most processes send none.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport(transportOptions(settings));
      try {
        await transport.sendMail(messageOf(mail, sender));
        return "sent";
      } catch (error) {
        const secrets = [...secretsOf(settings), ...linkSecrets(`${mail.text} ${mail.unsubscribeUrl ?? ""}`)];
        const described = describeAnswer(error as SmtpFailure, secrets);
        const words = maskAnswer(wordsOf(error as SmtpFailure), mail.to, secrets);
        if (isFinal(error as SmtpFailure)) return { described, words };
        const { code, command, answer } = described;
        const reason = [code, command, answer].filter(Boolean).join(" ");
        throw new MailNotTaken(
          `the mail (${mail.kind ?? "of an unknown kind"}) could not be sent: ${reason}`,
          words,
        );
      } finally {
        transport.close();
      }
    },
  };
}

/** The password in the forms in which a server could repeat it. */
function secretsOf({ credentials }: SmtpSettings): string[] {
  if (!credentials) return [];
  const { user, password } = credentials;
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return [base64(`\0${user}\0${password}`), base64(password), password];
}

export function transportOptions({ host, port, isSecure, credentials }: SmtpSettings) {
  return {
    host,
    port,
    secure: isSecure,
    // A password must not go over a network in the clear. Without one, TLS is used if the server has it.
    requireTLS: credentials !== undefined && !LOCAL.test(host),
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The message as nodemailer takes it. */
export function messageOf(
  { to, subject, text, html, uniqueId, unsubscribeUrl, threadId }: Mail,
  sender: Sender,
) {
  const domain = sender.address.split("@")[1];
  // No mail has this id. Programs show mails together that refer to the same one.
  const thread = threadId === undefined ? undefined : `<${threadId}@${domain}>`;
  return {
    from: sender,
    // As an object, the address is not parsed again.
    to: { name: "", address: to },
    subject,
    text,
    html,
    messageId: `<${uniqueId}@${domain}>`,
    ...(thread !== undefined && { inReplyTo: thread, references: thread }),
    headers: {
      // Vacation replies and the like stay away.
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(unsubscribeUrl !== undefined && {
        "List-Unsubscribe": `<${unsubscribeUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
  };
}
