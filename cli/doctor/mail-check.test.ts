import net, { type AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSmtpUrl } from "../../server/platform/mail/sender.ts";
import { type MailServer, mailSettings, startMailServer } from "../../test/harness/mail-server.ts";
import { checkMail } from "./mail-check.ts";

let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
});
afterAll(() => mailServer.close());

const settings = (url = mailSettings(mailServer).PARLEY_SMTP_URL ?? "") => {
  const smtp = readSmtpUrl(url);
  return { mail: smtp && { smtp, sender: { name: "Demo", address: "chat@demo.test" } } };
};

test("a mail that the server takes is reported with the server's words", async () => {
  const finding = await checkMail(settings(), "fay@elsewhere.test");
  expect(finding).toMatchObject({
    hasPassed: true,
    text: expect.stringMatching(/to fay@elsewhere\.test: 250 /),
  });
  const [mail] = await mailServer.received();
  expect(mail).toMatchObject({
    subject: "A test of your Parley server",
    from: { address: "chat@demo.test" },
  });
});

test("a refusal is reported with the server's words", async () => {
  mailServer.refuseNext(550, "we know nobody of that name");
  const finding = await checkMail(settings(), "fay@elsewhere.test");
  expect(finding).toMatchObject({
    hasPassed: false,
    text: expect.stringContaining("550 we know nobody of that name"),
    advice: expect.stringContaining("refuses this sender or recipient"),
  });
});

test("what the mail server says can't control the terminal", async () => {
  // The server of the other tests sends no such characters.
  const server = net.createServer((socket) => {
    socket.write("220 hello\r\n");
    socket.on("data", (line) => {
      const answer = /^RCPT/i.test(`${line}`) ? "550 no\u001b]0;title\u0007 \u001b[2Juser\u202e" : "250 yes";
      socket.write(`${answer}\r\n`);
    });
    socket.on("error", () => {});
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const finding = await checkMail(settings(`smtp://127.0.0.1:${port}`), "fay@elsewhere.test");
  await new Promise((closed) => server.close(closed));
  expect(finding.text).toMatch(/: 550 no\]0;title \[2Juser$/);
});

test("a server that is away, that speaks no TLS, or that was not set is reported with what to do", async () => {
  const away = net.createServer();
  await new Promise<void>((listening) => away.listen(0, "127.0.0.1", listening));
  const { port } = away.address() as AddressInfo;
  await new Promise((closed) => away.close(closed));
  expect(await checkMail(settings(`smtp://127.0.0.1:${port}`), "fay@a.test")).toMatchObject({
    hasPassed: false,
    text: expect.stringContaining("ECONNREFUSED"),
    advice: expect.stringContaining("Check the host and the port"),
  });
  expect(await checkMail(settings(`smtps://127.0.0.1:${mailServer.port}`), "fay@a.test")).toMatchObject({
    hasPassed: false,
    advice: expect.stringContaining("smtps:"),
  });
  expect(await checkMail({ mail: undefined }, "fay@a.test")).toMatchObject({
    hasPassed: false,
    advice: expect.stringContaining("PARLEY_SMTP_URL"),
  });
});
