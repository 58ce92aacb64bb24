import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { describeWaitingMails } from "../../../cli/start/waiting-mails.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness, HOST, OTHER_HOST } from "../../../test/harness/harness.ts";
import { countJobs, runJobs, runJobsEarly } from "../../../test/harness/jobs.ts";
import { openServices } from "../../app.ts";
import { sql } from "../db/sql.ts";
import { html } from "../http/page.ts";
import { enqueueMail, forgetOldMails } from "./enqueue.ts";
import { readQueue } from "./queue.ts";
import { smtpMailer, transportOptions } from "./smtp.ts";

interface Received {
  from: string;
  to: string[];
  data: string;
}

/** What the next mails get in place of acceptance: a code of SMTP for the recipient. */
let refusals: number[] = [];
/** How the server answers to the sender and to the content; undefined: it accepts. */
let answers: { sender?: string; content?: string } = {};
let received: Received[] = [];
let server: SMTPServer;
let harness: Harness;
beforeAll(async () => {
  server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    onAuth: (auth, _session, done) =>
      auth.username === "parley" && auth.password === "p@ss:word"
        ? done(null, { user: auth.username })
        : done(new Error("wrong credentials")),
    onMailFrom: (_address, _session, done) => done(refusalOf(answers.sender)),
    onRcptTo(_address, _session, done) {
      const code = refusals.shift();
      done(code === undefined ? null : Object.assign(new Error("no"), { responseCode: code }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const refusal = refusalOf(answers.content);
        if (refusal) return done(refusal);
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          data: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.server.address() as AddressInfo;
  harness = await createHarness({
    PARLEY_ENV: "production",
    PARLEY_SECRET: "a secret for the tests",
    PARLEY_PUBLIC_URL: "https://demo.test",
    PARLEY_SMTP_URL: `smtp://parley:p%40ss%3Aword@127.0.0.1:${port}`,
    PARLEY_MAIL_FROM: "Demo chat <chat@demo.test>",
  });
});
afterAll(async () => {
  await harness.close();
  await new Promise<void>((closed) => server.close(() => closed()));
});
beforeEach(() => {
  received = [];
  refusals = [];
  answers = {};
});
afterEach(async () => {
  await harness.services.database.query(sql`delete from mails`);
});

function refusalOf(answer: string | undefined): Error | null {
  if (answer === undefined) return null;
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}

const content = { subject: "Soup at noon", text: "Come.", html: html`<p>Come.</p>` };
const mail = (to: string, more: Partial<typeof content> = {}) =>
  harness.services.database.transaction(({ query }) =>
    enqueueMail({ query, state: harness.state }, harness.services, {
      kind: "welcome",
      to,
      content: { ...content, ...more },
    }),
  );
const run = () => runJobs(harness.services);
const data = () => received[0]?.data ?? "";
const stored = () => harness.services.database.query(sql`select 1 from mails`);

describe("by SMTP", () => {
  test("a mail arrives as text and as HTML, from the address that is set up", async () => {
    await mail("fay@elsewhere.test");
    await run();
    expect(received).toMatchObject([{ from: "chat@demo.test", to: ["fay@elsewhere.test"] }]);
    expect(data()).toContain("From: Demo chat <chat@demo.test>");
    expect(data()).toContain("To: fay@elsewhere.test");
    expect(data()).toContain("Subject: Soup at noon");
    expect(data()).toContain("Auto-Submitted: auto-generated");
    expect(data()).toMatch(/Message-ID: <[\w-]{36}@demo\.test>/i);
    expect(data()).toContain("Content-Type: text/plain");
    expect(data()).toContain("<p>Come.</p>");
    expect([await stored(), await countJobs(harness.services, "deliver_mail")]).toEqual([[], 0]);
  });

  test("an invitation brings its link", async () => {
    const form = { invitee_emails: "gil@elsewhere.test", stream_ids: [] };
    await expectSuccess(harness.as("dev").post("/invites", form));
    await run();
    expect(received).toMatchObject([{ to: ["gil@elsewhere.test"] }]);
    const text = data().replace(/=\r\n/g, "");
    expect(text).toMatch(/\/join\/[\w-]{43}/);
  });

  test("no text can add a header or a recipient", async () => {
    const subject = "Soup\r\nBcc: zed@elsewhere.test\r\n\r\nand bread \u2028 Bcc: zed";
    await mail("fay@elsewhere.test", { subject });
    await run();
    const [head = ""] = data().split("\r\n\r\n");
    expect(head).not.toMatch(/^Bcc:/im);
    expect(received).toMatchObject([{ to: ["fay@elsewhere.test"] }]);
    expect(received).toHaveLength(1);
    for (const to of ["fay@a.test, zed@a.test", "fay@a.test\r\nBcc: zed@a.test", "Fay <fay@a.test>"]) {
      await expect(mail(to)).rejects.toThrow("one address");
    }
  });

  test("a mail is tried again after a refusal for now, and is sent once", async () => {
    refusals = [451];
    await mail("fay@elsewhere.test");
    await run();
    expect(received).toEqual([]);
    expect(await countJobs(harness.services, "deliver_mail")).toBe(1);
    await runJobsEarly(harness.services);
    await runJobsEarly(harness.services);
    expect(received).toHaveLength(1);
  });

  test("a mail that is refused for good is not tried again, and others are sent", async () => {
    refusals = [550];
    await mail("nobody@elsewhere.test");
    await mail("fay@elsewhere.test");
    await run();
    expect(received.map(({ to }) => to)).toEqual([["fay@elsewhere.test"]]);
    const { mails } = await readQueue(harness.services.database);
    expect(mails).toMatchObject([{ recipient: "n…@elsewhere.test", state: "refused", lastAnswer: "550 no" }]);
    expect(await countJobs(harness.services, "deliver_mail")).toBe(0);
  });

  test.each([
    ["sender", "553 5.7.1 the sender is not yours"],
    ["content", "554 5.7.1 your plan has ended"],
  ])("a mail stays when a fault of the installation lets the %s be refused", async (part, answer) => {
    answers = { [part]: answer };
    await mail("fay@elsewhere.test");
    await run();
    expect([(await stored()).length, await countJobs(harness.services, "deliver_mail")]).toEqual([1, 1]);
    answers = {};
    await runJobsEarly(harness.services);
    expect(received).toHaveLength(1);
  });

  test("a mail whose content is refused for good is not tried again", async () => {
    answers = { content: "550 5.6.0 I can't read that" };
    await mail("fay@elsewhere.test");
    await run();
    await runJobsEarly(harness.services);
    expect(received).toEqual([]);
    const { mails } = await readQueue(harness.services.database);
    expect(mails).toMatchObject([
      { state: "refused", attempts: 1, lastAnswer: "550 5.6.0 I can't read that" },
    ]);
  });

  test("the log says what was refused and how, without the address", async () => {
    refusals = [550];
    const warn = vi.spyOn(harness.services.log, "warn");
    await mail("fay@elsewhere.test");
    await run();
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({
        kind: "welcome",
        code: "EENVELOPE",
        command: "RCPT TO",
        reply: 550,
        answer: "550 no",
      }),
      "a mail was refused",
    );
    expect(JSON.stringify(warn.mock.calls)).not.toContain("fay");
    warn.mockRestore();
  });

  test("a process without mail settings leaves mails that wait to others", async () => {
    await mail("fay@elsewhere.test");
    const config = { ...harness.services.config, mail: undefined };
    const log = harness.services.log;
    const without = await openServices(config, log, harness.services.database.connection);
    await runJobs(without);
    expect((await stored()).length).toBe(1);
    expect(await describeWaitingMails(without)).toEqual([
      "  note      1 mail waits, but PARLEY_SMTP_URL is not set",
    ]);
    expect(await describeWaitingMails(harness.services)).toEqual([]);
    await without.database.close();
    await run();
    expect(received).toHaveLength(1);
  });

  test("what could not be sent in a week is deleted, and younger mail is not", async () => {
    refusals = [451, 451];
    await mail("old@elsewhere.test");
    await mail("young@elsewhere.test");
    await run();
    await harness.services.database.query(sql`
      update mails set queued_at = now() - interval '8 days' where id = (select min(id) from mails)`);
    const due = { signal: new AbortController().signal, dueAt: new Date() };
    await forgetOldMails.run(harness.services, {}, due);
    await runJobsEarly(harness.services);
    expect(received.map(({ to }) => to)).toEqual([["young@elsewhere.test"]]);
  });

  test("a wrong password is a failure that is tried again, and that names no recipient", async () => {
    const { port } = server.server.address() as AddressInfo;
    const credentials = { user: "parley", password: "wrong" };
    const settings = { host: "127.0.0.1", port, isSecure: false, credentials };
    const mailer = smtpMailer(settings, { name: "", address: "chat@demo.test" });
    const to = "fay@elsewhere.test";
    const sending = mailer.send({
      kind: "invitation",
      to,
      subject: "Soup",
      text: "Come.",
      html: "",
      uniqueId: "1",
    });
    await expect(sending).rejects.toThrow("the mail (invitation) could not be sent: EAUTH AUTH PLAIN 535 ");
  });

  test("a password goes to another machine by TLS alone", () => {
    const credentials = { user: "parley", password: "secret" };
    const isRequired = (host: string, given?: typeof credentials) =>
      transportOptions({ host, port: 587, isSecure: false, credentials: given }).requireTLS;
    expect(isRequired("mail.example.com", credentials)).toBe(true);
    expect(isRequired("127.0.0.1", credentials)).toBe(false);
    expect(isRequired("mail.example.com")).toBe(false);
  });

  test("a change that fails sends nothing", async () => {
    const failing = harness.services.database.transaction(async ({ query }) => {
      await enqueueMail({ query, state: harness.state }, harness.services, {
        kind: "welcome",
        to: "fay@a.test",
        content,
      });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await run();
    expect(received).toEqual([]);
  });
});

describe("a development server without SMTP", () => {
  let development: Harness;
  beforeAll(async () => {
    development = await createHarness();
  });
  afterAll(() => development.close());
  const open = (url: string, host = HOST) => development.app.inject({ url, headers: { host } });

  test("keeps mail at /dev/mail, where nothing in it runs", async () => {
    expect((await open("/dev/mail")).body).toContain("There is none yet");
    await development.services.database.transaction(({ query }) =>
      enqueueMail({ query, state: development.state }, development.services, {
        kind: "welcome",
        to: "fay@elsewhere.test",
        content: {
          subject: "<b>Soup</b>",
          text: "Come to http://demo.test/join/x now",
          html: html`<p>Come.</p>`,
        },
      }),
    );
    await runJobs(development.services);
    const list = await open("/dev/mail");
    expect(list.statusCode).toBe(200);
    expect(list.body).toContain("&lt;b&gt;Soup&lt;/b&gt;");
    expect(list.body).not.toContain("<b>");
    const path = list.body.match(/\/dev\/mail\/\d+/)?.[0] as string;
    const shown = await open(path);
    expect(shown.body).toContain('<a href="http://demo.test/join/x">');
    expect(shown.body).toContain("&lt;p&gt;Come.&lt;/p&gt;");
    expect((await open(path, OTHER_HOST)).statusCode).toBe(404);
    expect((await open("/dev/mail", OTHER_HOST)).body).toContain("There is none yet");
    for (const other of ["/dev/mail/999999", "/dev/mail/x", `/dev/mail/${"9".repeat(30)}`]) {
      expect((await open(other)).statusCode).toBe(404);
    }
  });

  test("has that page alone: production has none", async () => {
    const answer = await harness.app.inject({ url: "/dev/mail", headers: { host: HOST } });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain("Mail");
  });
});
