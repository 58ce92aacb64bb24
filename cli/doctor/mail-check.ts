/** Sends one mail by the settings, and reports what the mail server answered. */
import { randomUUID } from "node:crypto";
import type { Config } from "../../server/config.ts";
import { messageOf, transportOptions } from "../../server/platform/mail/smtp.ts";
import { safeLine } from "../terminal/terminal-text.ts";
import { type Finding, failed, passed } from "./checks.ts";

/** One address, without a name. */
const ADDRESS = /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/;

export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text);
}

export async function checkMail({ mail }: Pick<Config, "mail">, to: string): Promise<Finding> {
  if (!mail) {
    return failed(
      "mail-off",
      "No mail server is set.",
      "Set PARLEY_SMTP_URL and PARLEY_MAIL_FROM: see docs/running.md.",
    );
  }
  const { smtp, sender } = mail;
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(transportOptions(smtp));
  const where = `${smtp.host}:${smtp.port}`;
  try {
    const { response } = await transport.sendMail(messageOf(testMail(to), sender));
    return passed(
      `The mail server ${where} took a mail from ${sender.address} to ${to}: ${safeLine(response)}`,
    );
  } catch (error) {
    const { code = "", response, message } = error as Error & { code?: string; response?: string };
    const answer = safeLine(response ?? message);
    return failed(
      "mail-refused",
      `The mail server ${where} took no mail to ${to}: ${answer}`,
      CERTIFICATE.test(message) ? adviceOnCertificate(smtp.host) : adviceFor(code, smtp.isSecure),
    );
  } finally {
    transport.close();
  }
}

function testMail(to: string) {
  const text = "This mail shows that your Parley server can send mail. There is nothing to do.\n";
  return {
    to,
    subject: "A test of your Parley server",
    text,
    html: `<p>${text}</p>`,
    uniqueId: randomUUID(),
  };
}

/** How Node and OpenSSL say that a certificate is not valid for this connection. */
const CERTIFICATE = /certificate|altnames|unable to verify/i;

function adviceOnCertificate(host: string): string {
  return `The certificate of the mail server is not valid for ${host}. It must name ${host}, be in date, and be signed by an authority that this machine knows. NODE_EXTRA_CA_CERTS names a file with further authorities, such as one of your own.`;
}

function adviceFor(code: string, isSecure: boolean): string {
  switch (code) {
    case "EAUTH":
      return "Check the user and the password in PARLEY_SMTP_URL. Special characters are percent-encoded.";
    case "ETLS":
      return "With a password, the server must offer STARTTLS and have a valid certificate.";
    case "ESOCKET":
    case "ECONNECTION":
    case "ECONNREFUSED":
    case "EDNS":
    case "ENOTFOUND":
      return isSecure
        ? "Check the host and the port. With smtps: the server must begin with TLS, mostly on port 465."
        : "Check the host and the port, and whether this machine may connect there.";
    case "ETIMEDOUT":
      return "Nothing answered in time. A firewall may drop the connection, or the port is one for TLS (smtps:).";
    case "EENVELOPE":
      return "The mail server refuses this sender or recipient: see its words above and PARLEY_MAIL_FROM.";
    default:
      return "docs/running.md describes the settings of mail.";
  }
}
