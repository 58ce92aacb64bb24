/** A real SMTP server in the process of the tests. It takes all mail, and parses it as mail programs do. */
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface MailServer {
  port: number;
  /** What came since the last call, the oldest first. */
  received(): Promise<Email[]>;
  /** The next mail is refused with this code of SMTP. */
  refuseNext(code: number, text?: string): void;
  /** While set, every mail is refused when it names its sender or a recipient. */
  refusal: { at: "sender" | "recipient"; code: number; text: string } | undefined;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  let raw: Buffer[] = [];
  const refusals: { code: number; text: string }[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    onMailFrom(_address, _session, done) {
      const { refusal } = started;
      done(
        refusal?.at === "sender"
          ? Object.assign(new Error(refusal.text), { responseCode: refusal.code })
          : null,
      );
    },
    onRcptTo(_address, _session, done) {
      const refusal = refusals.shift() ?? (started.refusal?.at === "recipient" ? started.refusal : undefined);
      done(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null);
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        raw.push(Buffer.concat(chunks));
        done();
      });
    },
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const started: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    async received() {
      const mails = raw;
      raw = [];
      return Promise.all(mails.map((mail) => PostalMime.parse(mail)));
    },
    refuseNext: (code, text = "no") => refusals.push({ code, text }),
    refusal: undefined,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
  return started;
}

/** The settings of a server that sends by it. */
export function mailSettings({ port }: MailServer): Record<string, string> {
  return {
    PARLEY_ENV: "production",
    PARLEY_SECRET: "a secret for the tests",
    PARLEY_RATE_LIMITS: "off",
    PARLEY_PUBLIC_URL: "https://demo.test",
    PARLEY_SMTP_URL: `smtp://127.0.0.1:${port}`,
    PARLEY_MAIL_FROM: "Demo chat <chat@demo.test>",
  };
}

/** The value of a header; undefined without one. */
export function headerOf(mail: Email, name: string): string | undefined {
  return mail.headers.find(({ key }) => key === name.toLowerCase())?.value;
}
